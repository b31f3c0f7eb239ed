/** The selection rules as one process knows them. */
import type { EventStore } from '../ports/event-store';
import { createStreamRegister, type StreamRegister } from '../stream-register';
import { SELECTION_RULES_STREAM } from './events';
import { afterEvents, noRules, type SelectionRulesState } from './state';

export type SelectionRuleRegister = StreamRegister<SelectionRulesState>;

export const createSelectionRuleRegister = (eventStore: Pick<EventStore, 'read'>): SelectionRuleRegister =>
  createStreamRegister(eventStore, SELECTION_RULES_STREAM, noRules, afterEvents);
