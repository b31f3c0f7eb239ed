/** The ports that the machine itself provides. */
import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '@pricebook/application';
import type { PriceBookId } from '@pricebook/domain';
import { v4, v7 } from 'uuid';

export const systemClock: Clock = { now: () => new Date().toISOString() };

export const systemIds: Ids = {
  newPriceBookId: () => v7() as PriceBookId,
  newCommandId: () => v4(),
  randomBytes,
};
