/**
 * Dated adjustments: what a cell holds at an instant is a fold, over what stands, of the planned ones that have
 * begun and then of the temporary ones that hold, each by the instant at which it begins (docs/prices.md).
 */
import {
  type Adjustment,
  isAbsolute,
  isRemoval,
  type RequestedAdjustment,
  roleOf,
} from '../adjustments/adjustment';
import { isSeveral, type OneOrMore } from '../adjustments/adjustments';
import { type Bounds, isDated } from '../adjustments/bounds';
import {
  type Cell,
  type Ended,
  type Held,
  heldAfter,
  type Stamp,
  stampOf,
  type Standing,
  standing,
} from './cell';
import { later } from './instants';

type Entry = Standing<Adjustment>;

/** As many adjustments as a holder may have in a currency that are going to begin or to end. */
export const MAX_DATED = 1_000;
/** As many planned adjustments that have begun as can still be cancelled. */
const MAX_BEGUN = 1_000;

/** When an entry comes into force. */
export const beginOf = ({ adjustment: { validFrom }, occurredAt }: Entry): string => validFrom ?? occurredAt;

const isTemporary = ({ adjustment }: Entry): boolean => adjustment.validUntil !== undefined;

/** Whether it has ended by an instant. */
const hasEnded = ({ adjustment: { validUntil } }: Entry, instant: string): boolean =>
  validUntil !== undefined && validUntil <= instant;

const endedAt = (own: string | undefined, list: string | undefined): Ended | undefined =>
  own === undefined && list === undefined
    ? undefined
    : { ...(own !== undefined && { own }), ...(list !== undefined && { list }) };

const withEnded = (held: Held, ended: Ended | undefined): Held => {
  const { ended: _, ...rest } = held;
  return ended === undefined ? rest : { ...rest, ended };
};

const nothing: Held = {};

/**
 * What a cell holds at an instant.
 *
 * @param instant ISO 8601, UTC: not before the last change in the cell.
 */
export const heldAt = (cell: Cell | undefined, instant: string): Held | undefined => {
  if (cell?.dated === undefined) return cell;
  const { dated, changedAt: _changedAt, ended: before, ...base } = cell;
  let held: Held = base;
  let own: string | undefined;
  let list: string | undefined;
  for (const entry of dated) {
    if (beginOf(entry) > instant) continue;
    const { adjustment } = entry;
    if (hasEnded(entry, instant)) {
      if (hasEnded(entry, beginOf(entry))) continue;
      own = later(own, adjustment.validUntil);
      if (roleOf(adjustment) !== 'relative') list = later(list, adjustment.validUntil);
      continue;
    }
    const next = heldAfter(held, adjustment, entry) ?? nothing;
    held = isTemporary(entry) ? { ...next, over: held } : next;
    own = undefined;
    if (roleOf(adjustment) !== 'relative') list = undefined;
  }
  // These have been seen to end: what holds now is newer than what they lay over.
  return withEnded(held, endedAt(later(before?.own, own), later(before?.list, list)));
};

/** What stands at an instant, and would hold without the temporary adjustments. */
export const standingAt = (cell: Cell, instant: string): Held =>
  cell.dated === undefined
    ? cell
    : (heldAt({ ...cell, dated: cell.dated.filter((entry) => !isTemporary(entry)) }, instant) ?? nothing);

/** What of a cell is going to begin or to end after an instant, in the order in which it is folded. */
export const plannedAt = (cell: Cell, instant: string): readonly Entry[] =>
  (cell.dated ?? []).filter((entry) =>
    isTemporary(entry) ? !hasEnded(entry, instant) : beginOf(entry) > instant,
  );

/** The next instant after another at which something in a cell begins or ends; undefined where nothing does. */
export const boundaryAfter = (cell: Cell | undefined, after: string): string | undefined => {
  if (cell?.dated === undefined) return undefined;
  let next: string | undefined;
  for (const { adjustment } of cell.dated) {
    const { validFrom, validUntil } = adjustment;
    if (validFrom !== undefined && validFrom > after) {
      if (next === undefined || validFrom < next) next = validFrom;
    } else if (validUntil !== undefined && validUntil > after) {
      if (next === undefined || validUntil < next) next = validUntil;
    }
  }
  return next;
};

/** Puts an entry behind those that begin when it does: it was set later. */
const inserted = (entries: readonly Entry[], entry: Entry): readonly Entry[] => {
  const begin = beginOf(entry);
  const isTemp = isTemporary(entry);
  const place = entries.findIndex((other) =>
    isTemporary(other) === isTemp ? beginOf(other) > begin : isTemporary(other),
  );
  return place === -1 ? [...entries, entry] : [...entries.slice(0, place), entry, ...entries.slice(place)];
};

/** What stood before a planned adjustment that begins earlier goes behind it. */
const unfolded = (base: Held, entries: readonly Entry[], begin: string): [Held, readonly Entry[]] => {
  const { relative, ...rest } = base;
  if (relative === undefined || beginOf(relative) <= begin) return [base, entries];
  return [rest, [relative, ...entries]];
};

/** Whether what stands leaves nothing to see of a planned adjustment that began before it. */
const isCovered = (entry: Entry, { absolute, relative, removed }: Held): boolean => {
  const begin = beginOf(entry);
  const reset = [absolute && beginOf(absolute), removed && (removed.validFrom ?? removed.occurredAt)];
  if (reset.some((instant) => instant !== undefined && instant > begin)) return true;
  return roleOf(entry.adjustment) === 'relative' && relative !== undefined && beginOf(relative) > begin;
};

/** The parts of a cell without those that cannot be seen any more after an instant. */
const settled = (base: Held, entries: readonly Entry[], instant: string): Cell => {
  let held = base;
  let rest = entries.filter((entry) => !hasEnded(entry, instant));
  const begun = rest.filter((entry) => !isTemporary(entry) && beginOf(entry) <= instant);
  // An undated adjustment stands as soon as nothing planned comes before it.
  let surplus = begun.filter(({ adjustment }) => isDated(adjustment)).length - MAX_BEGUN;
  for (const entry of begun) {
    if (isDated(entry.adjustment)) {
      if (surplus <= 0) break;
      surplus -= 1;
    }
    held = withEnded(heldAfter(held, entry.adjustment, entry) ?? nothing, held.ended);
    rest = rest.filter((other) => other !== entry);
  }
  return { ...held, changedAt: instant, ...(rest.length > 0 && { dated: rest }) };
};

/**
 * Whether an adjustment that is asked for names an entry: by the same bounds, where no `validFrom` is also the moment
 * at which it was set, since lists may say so.
 */
const isSame = (entry: Entry, { validFrom, validUntil }: Bounds, now: string): boolean =>
  entry.adjustment.validUntil === validUntil &&
  (entry.adjustment.validFrom === validFrom ||
    (validUntil !== undefined && isDated(entry.adjustment) && beginOf(entry) === (validFrom ?? now)));

/** A cell that has something dated, or comes to have it, after the next adjustment of its stream. */
const datedAfter = (
  cell: Cell | undefined,
  adjustment: RequestedAdjustment,
  stamp: Stamp,
): Cell | undefined => {
  const { dated = [], changedAt: _changedAt, ...base }: Cell = cell ?? nothing;
  const now = stamp.occurredAt;
  // What has ended is not there any more, though its end may still be kept here.
  const replaced = dated.filter(
    (entry) => isDated(adjustment) && !hasEnded(entry, now) && isSame(entry, adjustment, now),
  );
  if (adjustment.type === 'cancel' && replaced.length === 0) return cell;

  // What is taken away while it holds ends now.
  const before = dated.map((entry) =>
    replaced.includes(entry) ? { ...entry, adjustment: { ...entry.adjustment, validUntil: now } } : entry,
  );
  const held = heldAt({ ...base, dated: before }, now) ?? nothing;
  const floor = withEnded(base, held.ended);
  const kept = dated.filter((entry) => !replaced.includes(entry));
  if (adjustment.type === 'cancel') return settled(floor, kept, now);

  const entry: Entry = standing(adjustment, stamp);
  if (isDated(adjustment)) {
    if (isTemporary(entry)) return settled(floor, inserted(kept, entry), now);
    if (isCovered(entry, base)) return settled(floor, kept, now);
    const [beneath, entries] = unfolded(floor, kept, beginOf(entry));
    return settled(beneath, inserted(entries, entry), now);
  }
  if (isRemoval(adjustment)) {
    const hasBegun = dated.some((other) => beginOf(other) <= now && !hasEnded(other, now));
    const { removed, ended } = floor;
    return hasBegun || held.absolute !== undefined || held.relative !== undefined
      ? { removed: stampOf(stamp) }
      : settled(
          { ...(removed !== undefined && { removed }), ...(ended !== undefined && { ended }) },
          [],
          now,
        );
  }
  const isReplaced = (other: Entry): boolean =>
    !isTemporary(other) &&
    beginOf(other) <= now &&
    (isAbsolute(adjustment) || roleOf(other.adjustment) === 'relative');
  return settled(
    floor,
    inserted(
      kept.filter((other) => !isReplaced(other)),
      entry,
    ),
    now,
  );
};

const cellAfterOne = (
  cell: Cell | undefined,
  adjustment: RequestedAdjustment,
  stamp: Stamp,
): Cell | undefined =>
  cell?.dated !== undefined || adjustment.type === 'cancel' || isDated(adjustment)
    ? datedAfter(cell, adjustment, stamp)
    : heldAfter(cell, adjustment, stamp);

/**
 * A cell after the next adjustments of its stream, in their order. Those that are dated are kept beside what stands; an
 * undated removal takes away everything, and any other undated adjustment nothing dated that is still to come.
 */
export const cellAfter = (
  cell: Cell | undefined,
  asked: OneOrMore<RequestedAdjustment>,
  stamp: Stamp,
): Cell | undefined =>
  isSeveral(asked)
    ? asked.reduce<Cell | undefined>((before, adjustment) => cellAfterOne(before, adjustment, stamp), cell)
    : cellAfterOne(cell, asked, stamp);
