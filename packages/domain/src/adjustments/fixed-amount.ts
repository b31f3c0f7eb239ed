import Big from 'big.js';
import { signedAmountCodec } from '../amounts';
import { described, exactly, record } from '../codecs/codecs';
import type { RelativeKind } from './kind';
import { ENDING, endingFields, endingInWords, type PriceEnding, withEnding } from './price-ending';

/** Changes a price by an amount of money: 5 adds 5, -5 takes 5 off. No price falls below 0. */
export interface FixedAmountAdjustment extends PriceEnding {
  readonly type: 'fixedAmount';
  /** In the currency's major unit. */
  readonly amount: number;
}

const ZERO = new Big(0);

export const fixedAmountKind: RelativeKind<FixedAmountAdjustment> = {
  type: 'fixedAmount',
  codec: described(
    withEnding(
      record(
        'FixedAmountAdjustment',
        { type: exactly('fixedAmount'), amount: signedAmountCodec },
        endingFields,
      ),
    ),
    {
      description: 'Changes a price by an amount of money. No price falls below 0.',
      examples: [{ type: 'fixedAmount', amount: -5 }],
    },
  ),
  columns: { fields: ['amount', ...ENDING] },
  inWords: (adjustment) =>
    `fixedAmount ${adjustment.amount > 0 ? '+' : ''}${String(adjustment.amount)}${endingInWords(adjustment)}`,
  change: ({ amount }, price) => {
    const changed = price.plus(amount);
    return changed.lt(ZERO) ? ZERO : changed;
  },
};
