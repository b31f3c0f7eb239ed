/**
 * The timeline of one product's price: pure. It agrees with the price `at` every instant, since it asks the same
 * function about the same holdings.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Currency,
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

const answerIn = (chain: ChainState, { currency, parameters }: PriceTerms): PriceAnswer => {
  const holdings = holdingsIn(chain);
  return holdings === undefined
    ? E.left({ _tag: 'NoListPrice' })
    : resolvePrice(holdings, currency, parameters);
};

const isSame = (a: PriceAnswer, b: PriceAnswer): boolean =>
  E.isRight(a) && E.isRight(b)
    ? a.right.price === b.right.price && a.right.effectiveDate === b.right.effectiveDate
    : isDeepStrictEqual(a, b);

/** Of the changes of one instant the one that the price goes back to, that of the nearest book first. */
const goneBackTo = (answer: PriceAnswer, changes: readonly PriceChange[]): PriceChange | undefined => {
  if (E.isLeft(answer)) return undefined;
  const parts = answer.right.steps.flatMap(({ priceBookId, entered, removed, change }) =>
    [entered, removed, change].map((stamp) => ({ priceBookId, revision: stamp?.revision })),
  );
  return changes.findLast(({ cause }) =>
    parts.some((part) => part.priceBookId === cause.priceBookId && part.revision === cause.revision),
  );
};

/** The last of the changes of one instant without which the answer would be another. */
const lastThatMattered = (
  chain: ChainState,
  changes: readonly PriceChange[],
  terms: PriceTerms,
): PriceChange | undefined => {
  let state = chain;
  let answer = answerIn(chain, terms);
  let last: PriceChange | undefined;
  for (const change of changes) {
    state = change.apply(state);
    const next = answerIn(state, terms);
    if (!isSame(answer, next)) last = change;
    answer = next;
  }
  return last;
};

const instantsOf = (changes: readonly PriceChange[]): readonly (readonly PriceChange[])[] => {
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
  answer: answerIn(stateAt(history, after), terms),
  ended: [],
  open: undefined,
});

/**
 * Goes on with a timeline.
 *
 * @param history what was held from `after` on, up to which the timeline has been told.
 * @param before as far as the history is whole: this instant and what comes later is left; undefined for the end.
 */
export const tellOn = (
  told: Told,
  history: ChainHistory,
  { after, before }: { readonly after: string | undefined; readonly before: string | undefined },
  terms: PriceTerms,
): Told => {
  let { answer, open } = told;
  let state = stateAt(history, after);
  const ended = [...told.ended];
  for (const changes of instantsOf(changesIn(history, after, before))) {
    const previous = state;
    state = changes.reduce((chain, { apply }) => apply(chain), state);
    const next = answerIn(state, terms);
    if (isSame(answer, next)) continue;
    const change = goneBackTo(next, changes) ?? lastThatMattered(previous, changes, terms) ?? changes.at(-1);
    if (change === undefined) continue;
    if (open !== undefined) ended.push({ ...open, to: change.at });
    open = { from: change.at, to: null, answer: next, cause: change.cause };
    answer = next;
  }
  return { answer, ended, open };
};
