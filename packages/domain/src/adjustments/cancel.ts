import { described, exactly, record } from '../codecs/codecs';
import { type Bounds, withSomeBound } from './bounds';

/** Takes away the dated adjustment with exactly these bounds; where there is none, nothing changes. */
export interface Cancellation extends Bounds {
  readonly type: 'cancel';
}

export const cancellationCodec = described(
  withSomeBound(record('Cancellation', { type: exactly('cancel') })),
  {
    description:
      'Takes away the dated adjustment with exactly these bounds, before it began or while it holds.',
    examples: [{ type: 'cancel', validFrom: '2026-11-27T00:00:00Z', validUntil: '2026-11-30T00:00:00Z' }],
  },
);
