/**
 * Bounds the memory that bodies take: a body becomes many times its size of values and events while it is being
 * carried out (60 of 1 MiB at once took 1.5 GB), and nothing else bounds how many come at once.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { MAX_BODY_BYTES } from './read-body';

/** What the bodies in hand may have together. */
const MAX_BYTES_IN_HAND = 64 * 1024 * 1024;

/** What a body may come to, from what its request announces. */
const bytesOf = (headers: IncomingHttpHeaders): number => {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined)
    return MAX_BODY_BYTES;
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES);
};

export interface BodyBudget {
  /**
   * Takes the room for the body of a request.
   *
   * @returns gives the room back; undefined where there is none left.
   */
  readonly take: (headers: IncomingHttpHeaders) => (() => void) | undefined;
}

export const createBodyBudget = (): BodyBudget => {
  let inHand = 0;
  return {
    take: (headers) => {
      const bytes = bytesOf(headers);
      if (inHand + bytes > MAX_BYTES_IN_HAND) return undefined;
      inHand += bytes;
      return () => {
        inHand -= bytes;
      };
    },
  };
};
