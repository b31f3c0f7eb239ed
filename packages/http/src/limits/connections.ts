/** Bounds connections: where there are too many, those that have been without a request for longest make room. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Connection {
  /** Requests that are being answered. */
  readonly inHand: Set<ServerResponse>;
  /** Since when there has been none. */
  idleSince: number;
}

/** As many of all are dropped at once: to find them costs as much as there are connections. */
const DROPPED_AT_ONCE = 0.05;

export interface Connections {
  readonly add: (socket: Duplex) => void;
  /** Takes note of a request of the connection. */
  readonly begin: (socket: Duplex, response: ServerResponse) => void;
  /** The requests of the connection that are being answered, in the order in which they came. */
  readonly inHand: (socket: Duplex) => readonly ServerResponse[];
}

export const createConnections = (max: number, onDrop: (dropped: number) => void): Connections => {
  const connections = new Map<Duplex, Connection>();

  const makeRoom = (): void => {
    const idle = [...connections]
      .filter(([, { inHand }]) => inHand.size === 0)
      .sort(([, a], [, b]) => a.idleSince - b.idleSince);
    // The last one is new. Where all others are at work, it is the one that has to go.
    const count = Math.max(1, Math.min(idle.length - 1, Math.ceil(max * DROPPED_AT_ONCE)));
    const stalest = idle.slice(0, count);
    for (const [socket] of stalest) {
      connections.delete(socket);
      socket.destroy();
    }
    onDrop(stalest.length);
  };

  return {
    add: (socket) => {
      connections.set(socket, { inHand: new Set(), idleSince: performance.now() });
      socket.once('close', () => connections.delete(socket));
      if (connections.size > max) makeRoom();
    },
    begin: (socket, response) => {
      const connection = connections.get(socket);
      if (connection === undefined) return;
      connection.inHand.add(response);
      response.once('close', () => {
        connection.inHand.delete(response);
        connection.idleSince = performance.now();
      });
    },
    inHand: (socket) => [...(connections.get(socket)?.inHand ?? [])],
  };
};
