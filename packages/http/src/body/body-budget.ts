/**
 * Bounds the memory that bodies take: a body becomes many times its size of values and events while it is being
 * carried out (60 of 1 MiB at once took 1.5 GB), and nothing else bounds how many come at once.
 */
import { createHoldings, type Holdings } from '../limits/holdings';

const MIB = 1024 * 1024;
/** What the bodies that are being carried out may have together. */
const MAX_IN_HAND = 64 * MIB;
/** What those that are still coming may have together. It is counted as it comes: a promise takes no memory. */
const MAX_COMING = 64 * MIB;

export interface BodyBudget {
  readonly coming: Holdings;
  /**
   * Takes the room to carry a body out.
   *
   * @returns gives the room back; undefined where there is none left.
   */
  readonly take: (bytes: number) => (() => void) | undefined;
}

export const createBodyBudget = (): BodyBudget => {
  let inHand = 0;
  return {
    coming: createHoldings(MAX_COMING),
    take: (bytes) => {
      if (inHand + bytes > MAX_IN_HAND) return undefined;
      inHand += bytes;
      return () => {
        inHand -= bytes;
      };
    },
  };
};
