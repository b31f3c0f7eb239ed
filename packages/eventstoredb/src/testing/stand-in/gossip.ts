/** What a client with several hosts asks before it connects: who is the leader. Here it is the one that is asked. */
import { randomUUID } from 'node:crypto';
import type { IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { UUID } from '@eventstore/db-client/generated/shared_pb';

export const gossipOf = (port: number): IGossipServer => {
  const member = new MemberInfo()
    .setInstanceId(new UUID().setString(randomUUID()))
    .setTimeStamp('0')
    .setState(MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new EndPoint().setAddress('127.0.0.1').setPort(port));
  return {
    read: (_call, respond) => {
      respond(null, new ClusterInfo().setMembersList([member]));
    },
  };
};
