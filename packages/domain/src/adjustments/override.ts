import * as E from 'fp-ts/Either';
import { amountCodec } from '../amounts';
import { exactly, record } from '../codecs/codecs';
import type { AbsoluteKind } from './kind';

/** One price, whatever the quantity. */
export interface OverrideAdjustment {
  readonly type: 'override';
  readonly amount: number;
}

export const overrideKind: AbsoluteKind<OverrideAdjustment> = {
  type: 'override',
  codec: record('Override', { type: exactly('override'), amount: amountCodec }),
  inWords: ({ amount }) => `override ${String(amount)}`,
  listPrice: ({ amount }) => E.right({ amount }),
};
