import {
  type Adjustment,
  type AbsoluteAdjustment,
  isAbsolute,
  isRemoval,
  type RelativeAdjustment,
} from '../adjustments/adjustment';

/** The event that something goes back to. */
export interface Stamp {
  /** Its revision in the stream of its book. */
  readonly revision: number;
  /** When it happened: ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
  /** The id of the key that asked for it. */
  readonly actor: string;
}

/** An adjustment that stands, with the event that set it. */
export interface Standing<A> extends Stamp {
  readonly adjustment: A;
}

/**
 * What a product has of its own in one currency of a book, or what a book has for all products.
 *
 * A relative adjustment in a cell is always newer than the absolute one beside it. A removal stands here only
 * while nothing was set after it.
 */
export interface Cell {
  readonly absolute?: Standing<AbsoluteAdjustment>;
  readonly relative?: Standing<RelativeAdjustment>;
  readonly removed?: Stamp;
}

/** Field by field, since a spread behind a field takes V8 the long way, and each change comes through here. */
const standing = <A>(adjustment: A, { revision, occurredAt, actor }: Stamp): Standing<A> => ({
  adjustment,
  revision,
  occurredAt,
  actor,
});

/**
 * A cell after the next adjustment of its stream. Serves root books and books with a base alike: an absolute
 * adjustment drops what was there, a relative one stands beside the absolute one, which a root book needs as
 * its list price and a book with a base no longer looks at (design section 1, rule 3). Removing nothing
 * changes nothing (rule 4).
 */
export const cellAfter = (cell: Cell | undefined, adjustment: Adjustment, stamp: Stamp): Cell | undefined => {
  if (isRemoval(adjustment)) {
    return cell?.absolute === undefined && cell?.relative === undefined ? cell : { removed: stamp };
  }
  if (isAbsolute(adjustment)) return { absolute: standing(adjustment, stamp) };
  const relative = standing(adjustment, stamp);
  return cell?.absolute === undefined ? { relative } : { absolute: cell.absolute, relative };
};
