import { percentCodec, plusPercent } from '../amounts';
import { exactly, record } from '../codecs/codecs';
import type { RelativeKind } from './kind';

/** Changes a price by so many percent of it: 10 is +10 %, -15 is -15 %, 0 holds it. */
export interface PercentAdjustment {
  readonly type: 'percent';
  readonly amount: number;
}

export const percentKind: RelativeKind<PercentAdjustment> = {
  type: 'percent',
  codec: record('Percent', { type: exactly('percent'), amount: percentCodec }),
  inWords: ({ amount }) => `percent ${amount > 0 ? '+' : ''}${String(amount)}`,
  change: ({ amount }, price) => plusPercent(price, amount),
};
