import { percentCodec, plusPercent, plusPercentWhole } from '../amounts';
import { described, exactly, record } from '../codecs/codecs';
import type { RelativeKind } from './kind';

/** Changes a price by so many percent of it: 10 is +10 %, -15 is -15 %, 0 holds it. */
export interface PercentAdjustment {
  readonly type: 'percent';
  readonly amount: number;
}

export const percentKind: RelativeKind<PercentAdjustment> = {
  type: 'percent',
  codec: described(record('PercentAdjustment', { type: exactly('percent'), amount: percentCodec }), {
    description:
      'Changes a price by so many percent of it. It never compounds: one percent applies to a price.',
    examples: [{ type: 'percent', amount: 10 }],
  }),
  columns: { fields: ['amount'] },
  inWords: ({ amount }) => `percent ${amount > 0 ? '+' : ''}${String(amount)}`,
  change: ({ amount }, price) => plusPercent(price, amount),
  changeWhole: ({ amount }, price) => plusPercentWhole(price, amount),
};
