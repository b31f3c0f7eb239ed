import { described, exactly, record } from '../codecs/codecs';
import type { RemovalKind } from './kind';

/** Removes what a product has in a currency. */
export interface NullAdjustment {
  readonly type: 'null';
  readonly amount: null;
}

/** The one null adjustment that there is. */
export const nullAdjustment: NullAdjustment = { type: 'null', amount: null };

export const nullKind: RemovalKind<NullAdjustment> = {
  type: 'null',
  codec: described(record('NullAdjustment', { type: exactly('null'), amount: exactly(null) }), {
    description: 'Takes away what stands for the product in the currency.',
    examples: [{ type: 'null', amount: null }],
  }),
  columns: { fields: [], fixed: { amount: null } },
  inWords: () => 'removed',
};
