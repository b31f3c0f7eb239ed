import { percentCodec, plusPercent, plusPercentWhole } from '../amounts';
import { described, exactly, record } from '../codecs/codecs';
import type { RelativeKind } from './kind';
import { ENDING, endingFields, endingInWords, type PriceEnding, withEnding } from './price-ending';

/** Changes a price by so many percent of it: 10 is +10 %, -15 is -15 %, 0 holds it. */
export interface PercentAdjustment extends PriceEnding {
  readonly type: 'percent';
  readonly amount: number;
}

export const percentKind: RelativeKind<PercentAdjustment> = {
  type: 'percent',
  codec: described(
    withEnding(record('PercentAdjustment', { type: exactly('percent'), amount: percentCodec }, endingFields)),
    {
      description:
        'Changes a price by so many percent of it. It never compounds: one change applies to a price.',
      examples: [
        { type: 'percent', amount: 10 },
        { type: 'percent', amount: -20, roundTo: 1, ending: 0.99 },
      ],
    },
  ),
  columns: { fields: ['amount', ...ENDING] },
  inWords: (adjustment) =>
    `percent ${adjustment.amount > 0 ? '+' : ''}${String(adjustment.amount)}${endingInWords(adjustment)}`,
  change: ({ amount }, price) => plusPercent(price, amount),
  // An ending is reckoned in decimals.
  changeWhole: ({ amount, roundTo }, price) =>
    roundTo === undefined ? plusPercentWhole(price, amount) : undefined,
};
