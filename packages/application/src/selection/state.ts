/** What the events of the stream `selectionRules` add up to: the rules now, and everything that each of them was. */
import { compareRules, type PlacedRule } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { RecordedEvent } from '../ports/event-store';
import type { UndecodableEvent } from '../recorded-event';
import { endAfter, type RegisterEnd } from '../stream-register';
import { type DecodedRuleEvent, decodeSelectionRuleEvent } from './kept-events';

/** A rule as one of its events left it. */
export interface SelectionRule extends PlacedRule {
  readonly id: string;
  /** The event that set it: its revision in the stream of all rules, when it happened, and who asked for it. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  readonly actor: string;
  /** Absent where the client gave none. */
  readonly reason?: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface SelectionRulesState {
  /** Those that are not deleted, in the order in which they are tried. */
  readonly rules: readonly SelectionRule[];
  /** By the id of a rule, also of a deleted one: its events, oldest first. */
  readonly histories: ReadonlyMap<string, readonly DecodedRuleEvent[]>;
  /** The last event that was read, and the latest time of any; undefined in an empty stream. */
  readonly last: RegisterEnd | undefined;
  /** Events that this version cannot read. */
  readonly unreadable: readonly UndecodableEvent[];
}

export const noRules: SelectionRulesState = {
  rules: [],
  histories: new Map(),
  last: undefined,
  unreadable: [],
};

/** The rule that some of its events make, from the first on; undefined where the last one deletes it. */
const ruleAfter = (history: readonly DecodedRuleEvent[], count: number): SelectionRule | undefined => {
  const [created] = history;
  const last = history[count - 1];
  if (created === undefined || last === undefined || last.event.type === 'SelectionRuleDeleted') {
    return undefined;
  }
  const { revision, occurredAt, actor, reason, event } = last;
  return {
    ...event.data,
    revision,
    occurredAt,
    actor,
    ...(reason !== undefined && { reason }),
    createdAt: created.occurredAt,
    createdRevision: created.revision,
  };
};

/** The state after some more events of the stream. */
export const afterEvents = (
  state: SelectionRulesState,
  events: readonly RecordedEvent[],
): SelectionRulesState => {
  if (events.length === 0) return state;
  const rules = new Map(state.rules.map((rule) => [rule.id, rule]));
  const histories = new Map(state.histories);
  const unreadable = [...state.unreadable];
  let { last } = state;
  for (const recorded of events) {
    const decoded = decodeSelectionRuleEvent(recorded);
    if (E.isLeft(decoded)) unreadable.push(decoded.left);
    else {
      const { id } = decoded.right.event.data;
      const history = [...(histories.get(id) ?? []), decoded.right];
      histories.set(id, history);
      const rule = ruleAfter(history, history.length);
      if (rule === undefined) rules.delete(id);
      else rules.set(id, rule);
    }
    last = endAfter(last, recorded, E.isRight(decoded) ? decoded.right.occurredAt : undefined);
  }
  return { rules: [...rules.values()].sort(compareRules), histories, last, unreadable };
};

/**
 * The rules as they were, in the order in which they were tried.
 *
 * @param at ISO 8601, UTC: everything up to and including that instant.
 */
export const rulesAt = ({ histories }: SelectionRulesState, at: string): readonly SelectionRule[] =>
  [...histories.values()]
    .flatMap((history) => {
      const rule = ruleAfter(history, history.findLastIndex(({ occurredAt }) => occurredAt <= at) + 1);
      return rule === undefined ? [] : [rule];
    })
    .sort(compareRules);
