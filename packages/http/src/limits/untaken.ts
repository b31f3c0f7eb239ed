/**
 * Bounds what clients have not taken of streams, all together. A piece that many are sent takes memory once, and
 * counts once. Where it becomes too much, those give way that have been at the same piece for longest.
 */
import type { ServerResponse } from 'node:http';
import { createHoldings } from './holdings';

export interface Untaken {
  /**
   * Holds a piece that a client has been written and has not taken.
   *
   * @returns to be called when it has, or its answer is over.
   */
  readonly hold: (response: ServerResponse, piece: string | Uint8Array) => () => void;
}

interface Held {
  readonly waiting: Set<ServerResponse>;
  readonly release: () => void;
}

export const createUntaken = (maxBytes: number): Untaken => {
  const holdings = createHoldings(maxBytes);
  /** By the piece where others may be sent the same, else by the answer. */
  const held = new Map<object, Held>();

  const begin = (key: object, bytes: number, first: ServerResponse): Held => {
    const waiting = new Set([first]);
    const { grow, release } = holdings.hold(() => {
      held.delete(key);
      for (const response of waiting) response.req.socket.destroy();
    });
    const one = { waiting, release };
    held.set(key, one);
    grow(bytes);
    return one;
  };

  return {
    hold: (response, piece) => {
      const key = typeof piece === 'string' ? response : piece;
      const one = held.get(key) ?? begin(key, response.writableLength, response);
      one.waiting.add(response);
      return () => {
        one.waiting.delete(response);
        if (one.waiting.size > 0) return;
        one.release();
        if (held.get(key) === one) held.delete(key);
      };
    },
  };
};
