/** Selection rules: which price book answers in which context. */
import * as E from 'fp-ts/Either';
import {
  assignedByService,
  described,
  type JsonCodec,
  numberBetween,
  record,
  refine,
} from '../codecs/codecs';
import { type ListRule, listOf } from '../codecs/lists';
import { type PriceBookId, priceBookIdCodec } from '../identifiers';
import { nameCodec } from '../price-book/requests';
import { type Condition, conditionCodec, MAX_VALUES } from './condition';

const MAX_CONDITIONS = 20;
const MAX_PRIORITY = 1_000_000;

/** What a rule says. */
export interface RuleContent {
  /** For people. */
  readonly name: string;
  /** A whole number from 0 up; the rule with the greatest one that matches comes first. */
  readonly priority: number;
  readonly priceBookId: PriceBookId;
  /** All of them must hold; a rule without conditions matches every context. */
  readonly conditions: readonly Condition[];
}

const priorityCodec: JsonCodec<number> = refine(
  'Priority',
  numberBetween('Priority', 0, MAX_PRIORITY),
  (priority) => (Number.isInteger(priority) ? E.right(priority) : E.left('must be a whole number')),
  {
    type: 'integer',
    format: 'int64',
    description:
      'Rules are tried from the greatest priority down; among rules with the same priority, the one that was created first comes first.',
    examples: [100],
  },
);

const boundedValues: ListRule<Condition> = {
  find: (_raw, conditions) => {
    const count = conditions.reduce((sum, condition) => sum + (condition?.values.length ?? 0), 0);
    return count > MAX_VALUES
      ? [
          {
            path: [],
            detail: `have ${String(count)} values in all; at most ${String(MAX_VALUES)} are allowed`,
          },
        ]
      : [];
  },
  said: {
    description: `All of them must hold; a rule without conditions matches every context. They have at most ${String(MAX_VALUES)} values in all.`,
  },
};

export const ruleFields = {
  name: nameCodec,
  priority: priorityCodec,
  priceBookId: priceBookIdCodec,
  conditions: listOf(conditionCodec, MAX_CONDITIONS, boundedValues),
};

const assigned = assignedByService('id', 'revision', 'createdAt', 'updatedAt');

/** The body of Create and of Replace Selection Rule. */
export const ruleContentCodec: JsonCodec<RuleContent> = described(
  record('SelectionRuleContent', ruleFields, {}, assigned),
  {
    examples: [
      {
        name: 'Gold customers in Germany',
        priority: 100,
        priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
        conditions: [
          { attribute: 'customerGroup', operator: 'eq', values: ['gold'] },
          { attribute: 'country', operator: 'in', values: ['DE', 'AT'] },
        ],
      },
    ],
  },
);

/** A rule, with its place among rules of the same priority. */
export interface PlacedRule extends RuleContent {
  /** Less for one that was created earlier. */
  readonly createdRevision: number;
}

/** In the order in which rules are tried. */
export const compareRules = (a: PlacedRule, b: PlacedRule): number =>
  b.priority - a.priority || a.createdRevision - b.createdRevision;
