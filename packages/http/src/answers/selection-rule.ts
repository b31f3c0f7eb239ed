/** Selection rules, their histories, and what came of them when a book was chosen. */
import type { DecodedRuleEvent, SelectionRule } from '@pricebook/application';
import {
  conditionCodec,
  described,
  listOf,
  oneOf,
  priceBookIdCodec,
  record,
  ruleContentCodec,
  ruleFields,
  text,
  type TriedRule,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { actorCodec, anyTextCodec, countCodec, instantCodec, reasonCodec } from './values';

export const ruleIdCodec = described(text('SelectionRuleId', { min: 1, max: Infinity }), {
  description: 'The id of a selection rule.',
  examples: ['c2a1f0de-6f0b-4f5e-9a37-1f6f0f2b7c11'],
});

const revisionCodec = countCodec(
  'SelectionRulesRevision',
  'The place of the last change of this rule among the changes of all selection rules, from 0 up.',
  4,
);

const example = {
  id: 'c2a1f0de-6f0b-4f5e-9a37-1f6f0f2b7c11',
  name: 'Gold customers in Germany and Austria',
  priority: 100,
  priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
  conditions: [
    { attribute: 'customerGroup', operator: 'eq' as const, values: ['gold'] },
    { attribute: 'country', operator: 'in' as const, values: ['DE', 'AT'] },
  ],
};

export const selectionRuleCodec = described(
  record('SelectionRule', {
    id: ruleIdCodec,
    ...ruleFields,
    revision: revisionCodec,
    createdAt: instantCodec,
    updatedAt: instantCodec,
    updatedBy: actorCodec,
  }),
  {
    description: '`revision`, `updatedAt` and `updatedBy` are those of the last change of the rule.',
    examples: [
      {
        ...example,
        revision: 4,
        createdAt: '2026-11-21T07:20:01.471Z',
        updatedAt: '2026-11-22T09:30:00.000Z',
        updatedBy: '4qFy2KdM',
      },
    ],
  },
);

export type SelectionRuleBody = t.TypeOf<typeof selectionRuleCodec>;

export const selectionRuleBody = ({
  id,
  name,
  priority,
  priceBookId,
  conditions,
  revision,
  createdAt,
  occurredAt,
  actor,
}: SelectionRule): SelectionRuleBody => ({
  id,
  name,
  priority,
  priceBookId,
  conditions,
  revision,
  createdAt,
  updatedAt: occurredAt,
  updatedBy: actor,
});

export const ruleEventCodec = described(
  record(
    'SelectionRuleEvent',
    {
      revision: revisionCodec,
      type: oneOf<DecodedRuleEvent['event']['type']>('SelectionRuleEventType', [
        'SelectionRuleCreated',
        'SelectionRuleReplaced',
        'SelectionRuleDeleted',
      ]),
      occurredAt: instantCodec,
      actor: actorCodec,
      requestId: anyTextCodec,
    },
    { reason: reasonCodec, rule: ruleContentCodec },
  ),
  { description: 'A change of a selection rule. `rule` is what it left; a deletion has none.' },
);

export type RuleEventBody = t.TypeOf<typeof ruleEventCodec>;

export const ruleEventBody = ({ event, ...rest }: DecodedRuleEvent): RuleEventBody => {
  const { revision, occurredAt, actor, requestId, reason } = rest;
  const stamp = {
    revision,
    type: event.type,
    occurredAt,
    actor,
    requestId,
    ...(reason !== undefined && { reason }),
  };
  if (event.type === 'SelectionRuleDeleted') return stamp;
  const { name, priority, priceBookId, conditions } = event.data;
  return { ...stamp, rule: { name, priority, priceBookId, conditions } };
};

export const triedRuleCodec = described(
  record(
    'TriedRule',
    {
      selectionRuleId: ruleIdCodec,
      name: anyTextCodec,
      priority: ruleFields.priority,
      priceBookId: priceBookIdCodec,
      revision: revisionCodec,
      occurredAt: instantCodec,
      actor: actorCodec,
      outcome: oneOf<TriedRule<unknown>['outcome']>('RuleOutcome', [
        'answered',
        'conditionNotMet',
        'noListPrice',
        'priceBookNotFound',
      ]),
    },
    { reason: reasonCodec, condition: conditionCodec, given: listOf(anyTextCodec) },
  ),
  {
    description:
      'A selection rule that was tried, with the event that set it. `outcome` says what came of it: its book `answered`; its ' +
      'first `condition` that does not hold, and what was `given` for the attribute (`conditionNotMet`); its book has no list ' +
      'price for the product in this currency (`noListPrice`); its book does not exist (`priceBookNotFound`).',
    examples: [
      {
        selectionRuleId: example.id,
        name: example.name,
        priority: 100,
        priceBookId: example.priceBookId,
        revision: 4,
        occurredAt: '2026-11-22T09:30:00.000Z',
        actor: '4qFy2KdM',
        outcome: 'conditionNotMet',
        condition: { attribute: 'country', operator: 'in', values: ['DE', 'AT'] },
        given: ['FR'],
      },
    ],
  },
);

export type TriedRuleBody = t.TypeOf<typeof triedRuleCodec>;

export const triedRuleBody = (tried: TriedRule<SelectionRule>): TriedRuleBody => {
  const { id, name, priority, priceBookId, revision, occurredAt, actor, reason } = tried.rule;
  return {
    selectionRuleId: id,
    name,
    priority,
    priceBookId,
    revision,
    occurredAt,
    actor,
    ...(reason !== undefined && { reason }),
    outcome: tried.outcome,
    ...(tried.outcome === 'conditionNotMet' && { condition: tried.condition, given: tried.given }),
  };
};
