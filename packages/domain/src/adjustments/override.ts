import * as E from 'fp-ts/Either';
import { amountCodec } from '../amounts';
import { described, exactly, record } from '../codecs/codecs';
import type { AbsoluteKind } from './kind';

/** One price, whatever the quantity. */
export interface OverrideAdjustment {
  readonly type: 'override';
  readonly amount: number;
}

export const overrideKind: AbsoluteKind<OverrideAdjustment> = {
  type: 'override',
  codec: described(record('OverrideAdjustment', { type: exactly('override'), amount: amountCodec }), {
    description: 'One price, whatever the quantity.',
    examples: [{ type: 'override', amount: 49.99 }],
  }),
  columns: { fields: ['amount'] },
  inWords: ({ amount }) => `override ${String(amount)}`,
  withPrices: ({ amount, ...others }, of) => ({ ...others, amount: of(amount) }),
  choices: () => [],
  listPrice: ({ amount }) => E.right({ amount }),
};
