import { type RuleContent, ruleFields } from '@pricebook/domain';
import * as t from 'io-ts';

/** The stream of all selection rules. */
export const SELECTION_RULES_STREAM = 'selectionRules';

/** A rule is kept whole each time: what it said at any time is in one event. */
const contentFields = { id: t.string, ...ruleFields };

const selectionRuleCreatedCodec = t.type({
  type: t.literal('SelectionRuleCreated'),
  data: t.type(contentFields),
});

const selectionRuleReplacedCodec = t.type({
  type: t.literal('SelectionRuleReplaced'),
  data: t.type(contentFields),
});

const selectionRuleDeletedCodec = t.type({
  type: t.literal('SelectionRuleDeleted'),
  data: t.type({ id: t.string }),
});

export const selectionRuleEventCodec = t.union([
  selectionRuleCreatedCodec,
  selectionRuleReplacedCodec,
  selectionRuleDeletedCodec,
]);

export type SelectionRuleEvent =
  | {
      readonly type: 'SelectionRuleCreated' | 'SelectionRuleReplaced';
      readonly data: RuleContent & { readonly id: string };
    }
  | { readonly type: 'SelectionRuleDeleted'; readonly data: { readonly id: string } };

/** By type, the version of the shape in which they are kept now. */
export const selectionRuleEventVersions: Readonly<Record<SelectionRuleEvent['type'], number>> = {
  SelectionRuleCreated: 1,
  SelectionRuleReplaced: 1,
  SelectionRuleDeleted: 1,
};
