/** Which events come of what is asked of selection rules. */
import type { RuleContent } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { UndecodableEvent } from '../recorded-event';
import type { SelectionRuleEvent } from './events';
import type { SelectionRule, SelectionRulesState } from './state';

/** Each price by context looks at all of them. */
const MAX_RULES = 1_000;

export interface SelectionRuleNotFound {
  readonly _tag: 'SelectionRuleNotFound';
}

export type RuleDecisionError =
  | SelectionRuleNotFound
  | { readonly _tag: 'TooManySelectionRules'; readonly max: number }
  /** The rule is at another revision than those that the caller acts upon. */
  | { readonly _tag: 'SelectionRuleRevisionMismatch'; readonly actual: number }
  | UndecodableEvent;

/** An event, or none where nothing changes. */
type Decision = E.Either<RuleDecisionError, SelectionRuleEvent | undefined>;

/** Only what a rule says, in the order of the fields in events. */
const contentOf = ({ name, priority, priceBookId, conditions }: RuleContent): RuleContent => ({
  name,
  priority,
  priceBookId,
  conditions,
});

const isSame = (one: RuleContent, other: RuleContent): boolean =>
  JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other));

/** @param expected the revisions that the caller acts upon; undefined for any. */
const withRule = (
  { rules, unreadable: [first] }: SelectionRulesState,
  id: string,
  expected: readonly number[] | undefined,
  decide: (rule: SelectionRule) => SelectionRuleEvent | undefined,
): Decision => {
  // An event that cannot be read may be about any rule.
  if (first !== undefined) return E.left(first);
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) return E.left({ _tag: 'SelectionRuleNotFound' });
  return expected === undefined || expected.includes(rule.revision)
    ? E.right(decide(rule))
    : E.left({ _tag: 'SelectionRuleRevisionMismatch', actual: rule.revision });
};

export const decideCreate = (
  { rules, unreadable: [first] }: SelectionRulesState,
  id: string,
  content: RuleContent,
): Decision => {
  if (first !== undefined) return E.left(first);
  return rules.length >= MAX_RULES
    ? E.left({ _tag: 'TooManySelectionRules', max: MAX_RULES })
    : E.right({ type: 'SelectionRuleCreated', data: { id, ...contentOf(content) } });
};

export const decideReplace = (
  state: SelectionRulesState,
  id: string,
  content: RuleContent,
  expected: readonly number[] | undefined,
): Decision =>
  withRule(state, id, expected, (rule) =>
    isSame(rule, content)
      ? undefined
      : { type: 'SelectionRuleReplaced', data: { id, ...contentOf(content) } },
  );

export const decideDelete = (
  state: SelectionRulesState,
  id: string,
  expected: readonly number[] | undefined,
): Decision => withRule(state, id, expected, () => ({ type: 'SelectionRuleDeleted', data: { id } }));
