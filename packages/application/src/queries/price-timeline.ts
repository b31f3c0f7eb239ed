/**
 * The timeline of one product's price: pure. It agrees with the price `at` every instant, since it asks the same
 * function about the same holdings.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Adjustment,
  chainAt,
  type Currency,
  explainPrice,
  type PriceBookId,
  type PriceError,
  type PriceParameters,
  type ResolvedPrice,
  resolvePrice,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { ChainHistory } from '../ports/read-model';
import {
  changesIn,
  type ChainState,
  holdingsIn,
  nextBoundary,
  plannedChanges,
  type PriceCause,
  type PriceChange,
  stateAt,
} from './price-changes';

type PriceAnswer = E.Either<PriceError, ResolvedPrice>;

/** A time through which the price is answered the same, its effective date included. */
export interface PricePeriod {
  /** ISO 8601, UTC; inclusive. */
  readonly from: string;
  /** ISO 8601, UTC; exclusive. Null where nothing has ended the period. */
  readonly to: string | null;
  readonly answer: PriceAnswer;
  readonly cause: PriceCause;
}

/** A timeline as far as it has been told. */
export interface Told {
  /** What is answered at the end of it. */
  readonly answer: PriceAnswer;
  /** The periods that have ended. */
  readonly ended: readonly PricePeriod[];
  /** The one that has not; undefined before the first. */
  readonly open: PricePeriod | undefined;
}

/** What a price is asked with. */
export interface PriceTerms {
  readonly currency: Currency;
  readonly parameters: PriceParameters;
}

const answerIn = (chain: ChainState, at: string, { currency, parameters }: PriceTerms): PriceAnswer => {
  const holdings = holdingsIn(chain);
  return holdings === undefined
    ? E.left({ _tag: 'NoListPrice' })
    : resolvePrice(chainAt(holdings, at), currency, parameters);
};

const isSame = (a: PriceAnswer, b: PriceAnswer): boolean =>
  E.isRight(a) && E.isRight(b)
    ? a.right.price === b.right.price && a.right.effectiveDate === b.right.effectiveDate
    : isDeepStrictEqual(a, b);

/** An event that a price goes back to, with what it set. */
interface Part {
  readonly priceBookId: PriceBookId;
  readonly revision: number | undefined;
  readonly adjustment: Adjustment | undefined;
}

/** None where there is no price. */
const partsIn = (chain: ChainState, at: string, { currency, parameters }: PriceTerms): readonly Part[] => {
  const holdings = holdingsIn(chain);
  const steps = holdings === undefined ? [] : explainPrice(chainAt(holdings, at), currency, parameters);
  return steps.flatMap(({ priceBookId, entered, removed, change }) => [
    { priceBookId, revision: entered?.revision, adjustment: entered?.adjustment },
    { priceBookId, revision: removed?.revision, adjustment: undefined },
    { priceBookId, revision: change?.revision, adjustment: change?.adjustment },
  ]);
};

/** Of the changes of one instant the one that the price goes back to, that of the nearest book first. */
const goneBackTo = (parts: readonly Part[], changes: readonly PriceChange[]): PriceChange | undefined =>
  changes.findLast(({ cause }) =>
    parts.some((part) => part.priceBookId === cause.priceBookId && part.revision === cause.revision),
  );

/** What began a period: of several adjustments that were asked for at once the one that decides, or else the last. */
const causeOf = ({ cause, asked }: PriceChange, parts: readonly Part[]): PriceCause => {
  const decides = asked.findLast((one) =>
    parts.some(
      ({ revision, adjustment }) => revision === cause.revision && isDeepStrictEqual(adjustment, one),
    ),
  );
  const adjustment = decides ?? asked.at(-1);
  return adjustment === undefined ? cause : { ...cause, adjustment };
};

/** The last of the changes of one instant without which the answer would be another. */
const lastThatMattered = (
  chain: ChainState,
  at: string,
  changes: readonly PriceChange[],
  terms: PriceTerms,
): PriceChange | undefined => {
  let state = chain;
  let answer = answerIn(chain, at, terms);
  let last: PriceChange | undefined;
  for (const change of changes) {
    state = change.apply(state);
    const next = answerIn(state, at, terms);
    if (!isSame(answer, next)) last = change;
    answer = next;
  }
  return last;
};

const instantsOf = (changes: readonly PriceChange[]): PriceChange[][] => {
  const instants: PriceChange[][] = [];
  for (const change of changes) {
    const instant = instants.at(-1);
    if (instant?.[0]?.at === change.at) instant.push(change);
    else instants.push([change]);
  }
  return instants;
};

/** Where a timeline is taken up: what is answered then is known, what began it is not told. */
export const tellFrom = (history: ChainHistory, after: string | undefined, terms: PriceTerms): Told => ({
  answer: answerIn(stateAt(history, after), after ?? '', terms),
  ended: [],
  open: undefined,
});

/** A part of time. */
export interface Span {
  /** Up to and with this instant the timeline has been told; undefined for the beginning. */
  readonly after: string | undefined;
  /** As far as the history is whole and wanted: this instant and what comes later is left; undefined for the end. */
  readonly before: string | undefined;
  /** The same of what is planned. */
  readonly plannedBefore: string;
}

/** Goes on with a timeline, from what was held from `after` on. */
export const tellOn = (
  told: Told,
  history: ChainHistory,
  { after, before, plannedBefore }: Span,
  terms: PriceTerms,
): Told => {
  let { answer, open } = told;
  let state = stateAt(history, after);
  let instant = after ?? '';
  const ended = [...told.ended];
  const pending = instantsOf(changesIn(history, after, before));
  for (;;) {
    const happens = pending[0]?.[0]?.at;
    const next = nextBoundary(state, instant);
    const boundary = next !== undefined && next < plannedBefore ? next : undefined;
    const at = happens === undefined || (boundary !== undefined && boundary < happens) ? boundary : happens;
    if (at === undefined || (before !== undefined && at >= before)) return { answer, ended, open };
    const events = at === happens ? (pending.shift() ?? []) : [];
    const changes = [...plannedChanges(state, at), ...events];
    const previous = state;
    state = events.reduce((chain, { apply }) => apply(chain), state);
    instant = at;
    const answered = answerIn(state, at, terms);
    if (isSame(answer, answered)) continue;
    const parts = partsIn(state, at, terms);
    const change =
      goneBackTo(parts, changes) ?? lastThatMattered(previous, at, events, terms) ?? changes.at(-1);
    if (change === undefined) continue;
    if (open !== undefined) ended.push({ ...open, to: at });
    open = { from: at, to: null, answer: answered, cause: causeOf(change, parts) };
    answer = answered;
  }
};
