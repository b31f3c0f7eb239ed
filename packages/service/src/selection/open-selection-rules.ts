/** The selection rules of a running service. */
import {
  type Clock,
  createSelectionRuleRegister,
  createSelectionRules,
  type EventStore,
  followRegister,
  type PriceBooks,
  type SelectionRules,
} from '@pricebook/application';
import type { Logger } from 'pino';
import { type Closers, orThrow } from '../stores';
import { systemIds } from '../system';
import { reportRegister } from '../report-register';

interface SelectionRulesOptions {
  readonly eventStore: EventStore;
  readonly priceBooks: PriceBooks;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reads all selection rules and follows changes. */
export const openSelectionRules = async (
  { eventStore, priceBooks, clock, logger }: SelectionRulesOptions,
  closers: Closers,
): Promise<SelectionRules> => {
  const register = createSelectionRuleRegister(eventStore);
  orThrow(await register.look());
  const follower = followRegister(register, reportRegister(logger, 'the selection rules'));
  closers.add(follower.close);
  return createSelectionRules({ eventStore, register, priceBooks, clock, ids: systemIds });
};
