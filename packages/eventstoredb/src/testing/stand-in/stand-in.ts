/**
 * A stand-in for EventStoreDB 23.10 in tests: speaks its protocol, answers as it was seen to answer, and fails on
 * request. One node, no users, no projections, no persistent subscriptions, no TLS.
 */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ServerFeaturesService,
  type IServerFeaturesServer,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { createWriters } from './append';
import { createFaultState, type Faults, type Kind } from './faults';
import { foreignEvents } from './foreign-events';
import { gossipOf } from './gossip';
import { createReader } from './read';
import { openStore } from './store';
import type { StoredEvent } from './stored-event';
import { failing } from './wire';

/** As the real server: calls beyond wait for one to end. */
const MAX_CALLS_PER_CONNECTION = 100;
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;
const FOREIGN_EVENTS_AT_START = 3;
/** Enough for clients in the same process to see that their connections are closed. */
const NOTICE_MILLISECONDS = 20;

type Drop = 'UNAVAILABLE' | 'CANCELLED' | 'INTERNAL' | 'end';

export interface StandIn {
  /** A connection string. */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults & {
    readonly dropSubscriptions: (how: Drop) => void;
    /** Closes all connections without a word; new ones are taken. */
    readonly dropConnections: () => void;
    /** Forgets which ids were appended, as a restart does. */
    readonly forgetIds: () => void;
  };
  /** Everything ever stored in a stream, deleted or not. */
  readonly storedEvents: (stream: string) => readonly StoredEvent[];
  /** Events that are not of the tests, in streams that are not theirs; or in one that is. */
  readonly addForeignEvents: (count: number, into?: string) => void;
  /** How many requests of a kind have come. */
  readonly requests: (kind: Kind) => number;
  readonly open: () => {
    readonly reads: number;
    readonly subscriptions: number;
    readonly connections: number;
  };
  /** Closes all connections and gives the port free. */
  readonly stop: () => Promise<void>;
}

export interface StandInOptions {
  /** Any free one where none is given. */
  readonly port?: number;
  /** Where the events are kept and found again; in memory only, where none is given. */
  readonly dataFile?: string;
  /** As much as one append may hold. */
  readonly maxAppendBytes?: number;
}

const supportedMethods = (): SupportedMethods =>
  new SupportedMethods().setEventStoreServerVersion('23.10.8').setMethodsList(
    Object.values(StreamsService).map(({ path }) => {
      const [, service = '', method = ''] = path.split('/');
      return new SupportedMethod().setServiceName(service.toLowerCase()).setMethodName(method.toLowerCase());
    }),
  );

export const startStandIn = async ({
  port = 0,
  dataFile,
  maxAppendBytes = 1024 * 1024,
}: StandInOptions = {}): Promise<StandIn> => {
  const sockets = new Map<string, net.Socket>();
  const cutConnection = (peer: string): void => {
    sockets.get(peer)?.destroy();
  };
  const dropConnections = (): void => {
    for (const socket of sockets.values()) socket.destroy();
  };

  const faultState = createFaultState();
  const store = openStore(dataFile);
  const reader = createReader(store, faultState);
  const addForeignEvents = (count: number, into?: string): void => {
    for (const { stream, event } of foreignEvents(count, into)) store.append(stream, 'any', [event]);
  };
  if (store.all.length === 0) addForeignEvents(FOREIGN_EVENTS_AT_START);

  const features: IServerFeaturesServer = {
    getSupportedMethods: (_call, respond) => {
      faultState.admit('features', respond, () => {
        respond(null, supportedMethods());
      });
    },
  };

  const server = new Server({
    'grpc.max_concurrent_streams': MAX_CALLS_PER_CONNECTION,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  });
  server.addService(ServerFeaturesService, features);
  // Reads write messages that are encoded already.
  const readMethod = { ...StreamsService.read, responseSerialize: (message: Buffer) => message };
  server.addService(
    { ...StreamsService, read: readMethod },
    { ...createWriters(store, faultState, maxAppendBytes, cutConnection), read: reader.read },
  );

  // Sockets of its own, for the server of grpc-js does not let go of a connection abruptly.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = net.createServer({ noDelay: true }, (socket) => {
    const peer = `${String(socket.remoteAddress)}:${String(socket.remotePort)}`;
    sockets.set(peer, socket);
    socket.once('close', () => sockets.delete(peer));
    injector.injectConnection(socket);
  });
  listener.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const { port: boundPort } = listener.address() as net.AddressInfo;

  server.addService(GossipService, gossipOf(boundPort));

  return {
    url: `esdb://127.0.0.1:${String(boundPort)}?tls=false`,
    port: boundPort,
    faults: {
      ...faultState.faults,
      dropSubscriptions: (how) => {
        reader.dropSubscriptions(how === 'end' ? undefined : failing(how));
      },
      dropConnections,
      forgetIds: store.forgetIds,
    },
    storedEvents: (stream) => [...store.stream(stream).events],
    addForeignEvents,
    requests: faultState.requests,
    open: () => ({ ...reader.open(), connections: sockets.size }),
    stop: async () => {
      faultState.abandon();
      const closed = new Promise((resolve) => listener.close(resolve));
      // Before grpc-js says goodbye on them: a server that was killed does not.
      dropConnections();
      await closed;
      server.forceShutdown();
      store.close();
      await sleep(NOTICE_MILLISECONDS);
    },
  };
};
