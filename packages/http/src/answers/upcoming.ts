import { adjustmentCodec, currencyCodec, described, record, text } from '@pricebook/domain';
import type * as t from 'io-ts';
import { plannedChangeCodec } from './planned-change';
import { instantCodec } from './values';

const holderCodec = described(text('ProductIdOrAll', { min: 1, max: 256 }), {
  description: 'A product id, or `all` for all products of the book.',
  examples: ['lamp'],
});

export const upcomingCodec = described(
  record('UpcomingChange', {
    at: instantCodec,
    productId: holderCodec,
    currency: currencyCodec,
    change: plannedChangeCodec,
    adjustment: adjustmentCodec,
  }),
  {
    description: 'Something that begins or ends by itself at an instant, and the adjustment with its dates.',
    examples: [
      {
        at: '2026-11-27T00:00:00.000Z',
        productId: 'lamp',
        currency: 'USD',
        change: 'begins',
        adjustment: {
          type: 'percent',
          amount: -20,
          validFrom: '2026-11-27T00:00:00.000Z',
          validUntil: '2026-11-30T00:00:00.000Z',
        },
      },
    ],
  },
);

export type UpcomingBody = t.TypeOf<typeof upcomingCodec>;
