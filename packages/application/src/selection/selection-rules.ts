/** The use cases of selection rules: create, list, find, replace, delete, and prices by context. */
import type { PriceBookId, PriceError, QuoteLine, RuleContent } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { readState } from '../commands/read-state';
import type { Clock } from '../ports/clock';
import type { EventStore } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import type { StoreError } from '../ports/store-error';
import type { PriceBooks } from '../price-books';
import type { UndecodableEvent } from '../recorded-event';
import { createRegisterWriter, type RegisterCaller, type RegisterWriteError } from '../register-writer';
import {
  decideCreate,
  decideDelete,
  decideReplace,
  type RuleDecisionError,
  type SelectionRuleNotFound,
} from './decide';
import { SELECTION_RULES_STREAM } from './events';
import type { DecodedRuleEvent } from './kept-events';
import {
  type ChosenLine,
  type ChosenPrice,
  type ContextQuestion,
  type NoRuleAnswers,
  priceByRules,
  quoteByRules,
} from './price-by-rules';
import type { SelectionRuleRegister } from './register';
import type { SelectionRule, SelectionRulesState } from './state';

export type SelectionRuleQueryError = StoreError | SelectionRuleNotFound | UndecodableEvent;

export type SelectionRuleCommandError =
  | RuleDecisionError
  | RegisterWriteError
  /** The book that the rule names is not there. */
  | { readonly _tag: 'RulePriceBookNotFound' };

/** Who asks, and the revisions of the rule that they act upon; any where they are absent. */
interface RuleCaller extends RegisterCaller {
  readonly expectedRevisions?: readonly number[] | undefined;
}

interface RuleHistoryQuestion {
  readonly id: string;
  /** The revision from which on events are wanted; absent for all. */
  readonly from?: number | undefined;
  readonly limit: number;
}

interface RuleHistoryPage {
  readonly events: readonly DecodedRuleEvent[];
  /** The revision at which the next page begins; undefined where this one is the last. */
  readonly next: number | undefined;
}

export interface SelectionRules {
  readonly create: (
    content: RuleContent,
    caller: RegisterCaller,
  ) => TE.TaskEither<SelectionRuleCommandError, SelectionRule>;
  /** In the order in which they are tried. */
  readonly list: TE.TaskEither<StoreError | UndecodableEvent, readonly SelectionRule[]>;
  readonly find: (id: string) => TE.TaskEither<SelectionRuleQueryError, SelectionRule>;
  /** @returns the rule as it is now; the content that it has already changes nothing. */
  readonly replace: (
    id: string,
    content: RuleContent,
    caller: RuleCaller,
  ) => TE.TaskEither<SelectionRuleCommandError, SelectionRule>;
  readonly delete: (id: string, caller: RuleCaller) => TE.TaskEither<SelectionRuleCommandError, void>;
  /** The events of a rule, also of a deleted one; oldest first. */
  readonly history: (
    question: RuleHistoryQuestion,
  ) => TE.TaskEither<SelectionRuleQueryError, RuleHistoryPage>;
  /** The price that the book of the first matching rule answers that has one. */
  readonly price: (
    question: ContextQuestion,
  ) => TE.TaskEither<
    StoreError | UndecodableEvent | PriceError | NoRuleAnswers | { readonly _tag: 'PriceBookNotFound' },
    ChosenPrice
  >;
  /** What `keep` takes of the prices of lines, in their order. */
  readonly quote: <A>(
    lines: readonly QuoteLine[],
    keep: (line: QuoteLine, answer: ChosenLine) => A,
  ) => TE.TaskEither<StoreError | UndecodableEvent, readonly A[]>;
}

export interface SelectionRulesParts {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>;
  readonly register: SelectionRuleRegister;
  readonly priceBooks: Pick<PriceBooks, 'price' | 'quote'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'newCommandId'>;
}

/** Where an event cannot be read, the rules are not known, and any answer could be the wrong price. */
const readable = (state: SelectionRulesState): E.Either<UndecodableEvent, SelectionRulesState> => {
  const [first] = state.unreadable;
  return first === undefined ? E.right(state) : E.left(first);
};

const findIn = (
  { rules }: SelectionRulesState,
  id: string,
): E.Either<SelectionRuleNotFound, SelectionRule> => {
  const rule = rules.find((one) => one.id === id);
  return rule === undefined ? E.left({ _tag: 'SelectionRuleNotFound' }) : E.right(rule);
};

export const createSelectionRules = ({
  eventStore,
  register,
  priceBooks,
  clock,
  ids,
}: SelectionRulesParts): SelectionRules => {
  const write = createRegisterWriter({ eventStore, stream: SELECTION_RULES_STREAM, register, clock, ids });

  const checkBook = (
    id: PriceBookId,
  ): TE.TaskEither<StoreError | UndecodableEvent | { readonly _tag: 'RulePriceBookNotFound' }, void> =>
    pipe(
      readState(eventStore)(id),
      TE.chainEitherKW(({ state }) =>
        state._tag === 'Active' ? E.right(undefined) : E.left({ _tag: 'RulePriceBookNotFound' as const }),
      ),
    );

  const looked = pipe(register.look, TE.chainEitherKW(readable));

  const find: SelectionRules['find'] = (id) =>
    pipe(
      looked,
      TE.chainEitherKW((state) => findIn(state, id)),
    );

  return {
    create: (content, caller) => () => {
      const id = ids.newCommandId();
      return pipe(
        checkBook(content.priceBookId),
        TE.chainW(() => write((state) => decideCreate(state, id, content), caller)),
        TE.chainW(() => find(id)),
      )();
    },
    list: pipe(
      looked,
      TE.map(({ rules }) => rules),
    ),
    find,
    replace: (id, content, caller) =>
      pipe(
        checkBook(content.priceBookId),
        TE.chainW(() =>
          write((state) => decideReplace(state, id, content, caller.expectedRevisions), caller),
        ),
        TE.chainW(() => find(id)),
      ),
    delete: (id, caller) =>
      pipe(
        write((state) => decideDelete(state, id, caller.expectedRevisions), caller),
        TE.map(() => undefined),
      ),
    history: ({ id, from = 0, limit }) =>
      pipe(
        looked,
        TE.chainEitherKW(({ histories }) => {
          const history = histories.get(id);
          if (history === undefined) return E.left({ _tag: 'SelectionRuleNotFound' as const });
          const events = history.filter(({ revision }) => revision >= from);
          return E.right({ events: events.slice(0, limit), next: events[limit]?.revision });
        }),
      ),
    price: (question) => async () => {
      const state = readable(register.known());
      return E.isLeft(state) ? state : priceByRules(state.right, priceBooks.price, question)();
    },
    quote: (lines, keep) => async () => {
      const state = readable(register.known());
      return E.isLeft(state) ? state : quoteByRules(state.right, priceBooks.quote, lines, keep)();
    },
  };
};
