import {
  type AbsoluteAdjustment,
  type Adjustment,
  isAbsolute,
  isRemoval,
  type RelativeAdjustment,
} from '../adjustments/adjustment';
import { type Bounds, isDated } from '../adjustments/bounds';
import { later } from './instants';

/** The event that something goes back to. */
export interface Stamp {
  /** Its revision in the stream of its book. */
  readonly revision: number;
  /** When it happened: ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
  /** The id of the key that asked for it. */
  readonly actor: string;
  /** Why, in the words of the client; absent where it gave no reason. */
  readonly reason?: string;
}

/** An adjustment that stands, with the event that set it. */
export interface Standing<A> extends Stamp {
  readonly adjustment: A;
}

/** That what was there has been removed, by an undated adjustment or by a dated one that holds. */
export interface Removed extends Stamp, Bounds {}

/** What no longer holds: the latest instants at which something ended or was cancelled. ISO 8601, UTC. */
export interface Ended {
  /** Of what would decide a price that is taken of the base's price or of a list price. */
  readonly own?: string;
  /** Of what would be the list price. */
  readonly list?: string;
}

/** What holds at an instant: for a product in one currency of a book, or for all products of the book. */
export interface Held {
  readonly absolute?: Standing<AbsoluteAdjustment>;
  /** Always newer than the absolute adjustment beside it. */
  readonly relative?: Standing<RelativeAdjustment>;
  /** What was there before has been removed, and no absolute adjustment was set since. */
  readonly removed?: Removed;
  readonly ended?: Ended;
  /** What a temporary adjustment that holds lies over. */
  readonly over?: Held;
}

/**
 * What a product has of its own in one currency of a book, or what a book has for all products: what stands, and
 * what is dated beside it. `heldAt` says what of it holds at an instant.
 */
export interface Cell extends Omit<Held, 'over'> {
  /** When it was changed last, where something in it was dated then or before: what is cancelled leaves nothing else. */
  readonly changedAt?: string;
  /** In the order in which it is folded onto what stands: see `dated.ts`. Absent where there is none. */
  readonly dated?: readonly Standing<Adjustment>[];
}

/** When an adjustment came into force, at the earliest: ISO 8601, UTC. */
export const sinceOf = ({ occurredAt, adjustment: { validFrom } }: Standing<Bounds>): string =>
  later(occurredAt, validFrom);

/** The event of something that may have other fields. */
export const stampOf = ({ revision, occurredAt, actor, reason }: Stamp): Stamp =>
  reason === undefined ? { revision, occurredAt, actor } : { revision, occurredAt, actor, reason };

/** Field by field, since a spread behind a field takes V8 the long way, and each change comes through here. */
export const standing = <A>(adjustment: A, { revision, occurredAt, actor, reason }: Stamp): Standing<A> =>
  reason === undefined
    ? { adjustment, revision, occurredAt, actor }
    : { adjustment, revision, occurredAt, actor, reason };

const removedBy = ({ validFrom, validUntil }: Bounds, stamp: Stamp): Removed => ({
  ...stampOf(stamp),
  ...(validFrom !== undefined && { validFrom }),
  ...(validUntil !== undefined && { validUntil }),
});

/**
 * What holds after the next adjustment. Serves root books and books with a base alike: an absolute adjustment
 * replaces what was there, a relative one lies beside the absolute one, which a root book needs as its list price
 * and a book with a base no longer looks at (design section 1, rule 3). Removing nothing changes nothing (rule 4),
 * but for a dated removal, which holds for its time whatever is set meanwhile.
 */
export const heldAfter = (held: Held | undefined, adjustment: Adjustment, stamp: Stamp): Held | undefined => {
  if (isRemoval(adjustment)) {
    const isIdle = !isDated(adjustment) && held?.absolute === undefined && held?.relative === undefined;
    return isIdle ? held : { removed: removedBy(adjustment, stamp) };
  }
  if (isAbsolute(adjustment)) return { absolute: standing(adjustment, stamp) };
  const relative = standing(adjustment, stamp);
  if (held?.absolute !== undefined) return { absolute: held.absolute, relative };
  return held?.removed === undefined ? { relative } : { relative, removed: held.removed };
};
