import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is to be done when a connection has closed. One listener a connection: many answers may wait on it. */
const onConnections = new WeakMap<Socket, Set<() => void>>();

const onConnection = (socket: Socket): Set<() => void> => {
  const known = onConnections.get(socket);
  if (known !== undefined) return known;
  const acts = new Set<() => void>();
  onConnections.set(socket, acts);
  socket.once('close', () => {
    for (const act of acts) act();
  });
  return acts;
};

/**
 * Does something once when an answer has closed, or its connection has. Node says the first only of the answer whose
 * turn on the connection it is: those of pipelined requests that wait behind it would never be heard of.
 */
export const onceClosed = (response: ServerResponse, act: () => void): void => {
  const acts = onConnection(response.req.socket);
  const done = (): void => {
    response.off('close', done);
    if (acts.delete(done)) act();
  };
  acts.add(done);
  response.once('close', done);
};
