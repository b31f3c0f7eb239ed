/**
 * Who rebuilds the read model of a database: one process at a time. It renews its claim all the while. That another
 * has ended without a word is told by a claim that is not renewed, on one's own clock: those of others may differ.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import { isDuplicate, type Named, type Server } from './server';

export const CLAIM = 'rebuild';

export interface ClaimDocument extends Named {
  readonly owner: string;
  /** How often it was renewed. */
  readonly renewals: number;
}

export interface Claims {
  /** @returns whether it was had; false where another process is at it. */
  readonly take: (owner: string) => Promise<boolean>;
  /** @returns whether it is still this one's. */
  readonly renew: (owner: string) => Promise<boolean>;
  readonly release: (owner: string) => Promise<void>;
  /** Whether it was renewed not long ago, for who looks at it again and again. */
  readonly isRenewed: (found: ClaimDocument | undefined) => boolean;
}

/**
 * @param staleMs a claim that is not renewed for so long may be taken over.
 */
export const claimsOf = (
  { command, read }: Pick<Server, 'command' | 'read'>,
  claims: Collection<ClaimDocument>,
  staleMs: number,
): Claims => {
  const isSame = (one: ClaimDocument, other: ClaimDocument | null | undefined): boolean =>
    other?.owner === one.owner && other.renewals === one.renewals;

  const insert = async (owner: string): Promise<boolean> => {
    try {
      await command(() => claims.insertOne({ _id: CLAIM, owner, renewals: 0 }));
      return true;
    } catch (failure) {
      if (isDuplicate(failure)) return false;
      throw failure;
    }
  };

  const takeOver = async (
    { _id, owner: before, renewals }: ClaimDocument,
    owner: string,
  ): Promise<boolean> => {
    const taken = await command(() =>
      claims.updateOne({ _id, owner: before, renewals }, { $set: { owner, renewals: 0 } }),
    );
    return taken.matchedCount === 1;
  };

  let lastSeen: { readonly claim: ClaimDocument; readonly at: number } | undefined;

  return {
    take: async (owner) => {
      if (await insert(owner)) return true;
      const found = await read(() => claims.findOne({ _id: CLAIM }));
      const since = performance.now();
      while (found !== null && performance.now() - since < staleMs) {
        await delay(staleMs / 10);
        const now = await read(() => claims.findOne({ _id: CLAIM }));
        if (now === null) break;
        if (!isSame(found, now)) return false;
      }
      return (await insert(owner)) || (found !== null && takeOver(found, owner));
    },

    renew: async (owner) => {
      const renewed = await command(() => claims.updateOne({ _id: CLAIM, owner }, { $inc: { renewals: 1 } }));
      return renewed.matchedCount === 1;
    },

    release: async (owner) => {
      await command(() => claims.deleteOne({ _id: CLAIM, owner }));
    },

    isRenewed: (found) => {
      if (found === undefined) return false;
      if (lastSeen === undefined || !isSame(found, lastSeen.claim)) {
        lastSeen = { claim: found, at: performance.now() };
      }
      return performance.now() - lastSeen.at < staleMs;
    },
  };
};
