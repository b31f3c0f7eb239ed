/** Prices whose book the selection rules choose by the context of the request. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type BookOutcome,
  earlier,
  matchingRules,
  type PriceBookId,
  type PriceError,
  type PriceParameters,
  type QuoteLine,
  type TriedRule,
  triedRules,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { StoreError } from '../ports/store-error';
import type { PriceBooks } from '../price-books';
import type { CurrentPrice, PriceQuestion } from '../queries/price';
import type { QuotedLine } from '../queries/quote';
import { type SelectionRule, type SelectionRulesState, rulesAt } from './state';

/** A price question without a book; its parameters are the context. */
export type ContextQuestion = Omit<PriceQuestion, 'priceBookId'>;

/** A price, and how the book that answers it was chosen. */
export interface ChosenPrice {
  readonly price: CurrentPrice;
  /** The rule that chose the book. */
  readonly rule: SelectionRule;
  /** Whether no other book was asked before: what is planned in such a one may answer later. */
  readonly isFirstAsked: boolean;
  /** Every rule that was tried, in order; the last one is `rule`. */
  readonly tried: () => readonly TriedRule<SelectionRule>[];
}

/** No rule matches, or the book of none that matches has the price. */
export interface NoRuleAnswers {
  readonly _tag: 'NoRuleAnswers';
  /** Whether any rule matches: the books of those that do have no price, or are gone. */
  readonly isAnyMatching: boolean;
  /** Every rule, in the order in which they were tried. */
  readonly tried: () => readonly TriedRule<SelectionRule>[];
}

/** What becomes of a line. */
export type ChosenLine = E.Either<PriceError | PriceBookNotFound | NoRuleAnswers, ChosenPrice>;

interface PriceBookNotFound {
  readonly _tag: 'PriceBookNotFound';
}

/** As many rules are looked at in one turn of the event loop, for all lines together. */
const RULES_TOGETHER = 50_000;
/** A quote of one book looks up so many lines at once. */
const LINES_TOGETHER = 1_000;

/** The rules in force at the time of a question: those of now where it asks about no time, or about the future. */
const rulesInForce = (
  state: SelectionRulesState,
): ((question: Pick<ContextQuestion, 'at' | 'knownAt'>) => readonly SelectionRule[]) => {
  // Lines of one quote mostly ask about one time.
  let latest: { readonly instant: string; readonly rules: readonly SelectionRule[] } | undefined;
  return ({ at, knownAt }) => {
    const instant = earlier(at, knownAt);
    if (instant === undefined || state.last === undefined || instant >= state.last.occurredAt) {
      return state.rules;
    }
    if (latest?.instant !== instant) latest = { instant, rules: rulesAt(state, instant) };
    return latest.rules;
  };
};

/** The way of one question through the rules. */
interface Search {
  /** The next rule that matches and names a book that has not been asked. */
  readonly next: () => SelectionRule | undefined;
  /** @returns undefined where the next rule is to be tried: the book of this one is gone, or has no price. */
  readonly judge: <Failure extends { readonly _tag: string }>(
    rule: SelectionRule,
    answer: E.Either<Failure, CurrentPrice>,
  ) => E.Either<Failure, ChosenPrice> | undefined;
  /** What is answered where no rule is left. */
  readonly none: () => E.Either<NoRuleAnswers, never>;
}

const searchFor = (context: PriceParameters, rules: readonly SelectionRule[]): Search => {
  const matching = matchingRules(rules, context);
  const outcomes = new Map<PriceBookId, BookOutcome>();
  const tried = () => triedRules(rules, context, outcomes);
  return {
    next: () => {
      for (;;) {
        const { value: rule } = matching.next();
        if (rule === undefined || !outcomes.has(rule.priceBookId)) return rule;
      }
    },
    judge: (rule, answer) => {
      if (E.isRight(answer)) {
        return E.right({ price: answer.right, rule, isFirstAsked: outcomes.size === 0, tried });
      }
      const { _tag } = answer.left;
      if (_tag !== 'NoListPrice' && _tag !== 'PriceBookNotFound') return answer;
      outcomes.set(rule.priceBookId, _tag === 'NoListPrice' ? 'noListPrice' : 'priceBookNotFound');
      return undefined;
    },
    none: () => E.left({ _tag: 'NoRuleAnswers', isAnyMatching: outcomes.size > 0, tried }),
  };
};

/** The price that the book of the first matching rule answers that has one. */
export const priceByRules =
  (
    state: SelectionRulesState,
    ask: PriceBooks['price'],
    question: ContextQuestion,
  ): TaskEither<StoreError | PriceError | NoRuleAnswers | PriceBookNotFound, ChosenPrice> =>
  async () => {
    const search = searchFor(question.parameters, rulesInForce(state)(question));
    for (let rule = search.next(); rule !== undefined; rule = search.next()) {
      const judged = search.judge(rule, await ask({ ...question, priceBookId: rule.priceBookId })());
      if (judged !== undefined) return judged;
    }
    return search.none();
  };

interface Pending {
  readonly place: number;
  readonly line: QuoteLine;
  readonly search: Search;
}

type Asked = Pending & { readonly rule: SelectionRule };

/**
 * Answers lines in their order, each as `priceByRules` does: those of one book by one quote of it.
 *
 * @param keep what is kept of each answer: whole ones would take much memory.
 */
export const quoteByRules =
  <A>(
    state: SelectionRulesState,
    quote: PriceBooks['quote'],
    lines: readonly QuoteLine[],
    keep: (line: QuoteLine, answer: ChosenLine) => A,
  ): TaskEither<StoreError, readonly A[]> =>
  async () => {
    const kept: A[] = [];
    const inForce = rulesInForce(state);
    const together = Math.max(
      1,
      Math.min(LINES_TOGETHER, Math.floor(RULES_TOGETHER / (state.rules.length + 1))),
    );

    /** Asks one book for lines. @returns those for which the next rule is to be tried. */
    const askBook = async (
      priceBookId: PriceBookId,
      asked: readonly Asked[],
    ): Promise<E.Either<StoreError, readonly Pending[]>> => {
      const left: Pending[] = [];
      let count = 0;
      const settle = (one: Asked, quoted: QuotedLine): void => {
        const judged = one.search.judge(one.rule, quoted);
        if (judged === undefined) left.push(one);
        else kept[one.place] = keep(one.line, judged);
      };
      const answer = await quote(
        priceBookId,
        asked.map(({ line }) => line),
        (_line, quoted) => {
          const one = asked[count];
          count += 1;
          if (one !== undefined) settle(one, quoted);
        },
      )();
      // Where none of the lines finds the book, each of them was answered so.
      return E.isLeft(answer) && answer.left._tag !== 'PriceBookNotFound'
        ? E.left(answer.left)
        : E.right(left);
    };

    for (let from = 0; from < lines.length; from += together) {
      if (from > 0) await nextTurn();
      let pending: readonly Pending[] = lines.slice(from, from + together).map((line, place) => ({
        place: from + place,
        line,
        search: searchFor(line.parameters, inForce(line)),
      }));
      while (pending.length > 0) {
        const asked: Asked[] = [];
        for (const one of pending) {
          const rule = one.search.next();
          if (rule === undefined) kept[one.place] = keep(one.line, one.search.none());
          else asked.push({ ...one, rule });
        }
        const left: Pending[] = [];
        for (const [priceBookId, ofBook] of Map.groupBy(asked, ({ rule }) => rule.priceBookId)) {
          const answered = await askBook(priceBookId, ofBook);
          if (E.isLeft(answered)) return answered;
          left.push(...answered.right);
        }
        pending = left;
      }
    }
    return E.right(kept);
  };
