/** What a write to prices would change, as the answer to a dry run shows it. */
import {
  currencyCodec,
  described,
  listOf,
  mapOf,
  orNull,
  priceBookIdCodec,
  productIdCodec,
  record,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { priceCodec } from './product-price';
import { anyTextCodec, booleanCodec, instantCodec, revisionCodec } from './values';

const hasMoreCodec = booleanCodec(
  'HasMoreChanges',
  'Whether other prices may change as well: only so many are looked at and shown.',
);

const changeCodec = described(
  record(
    'PreviewedChange',
    {
      productId: productIdCodec,
      currency: currencyCodec,
      before: orNull(priceCodec),
      after: orNull(priceCodec),
    },
    { at: instantCodec, parameters: mapOf(anyTextCodec, anyTextCodec, Infinity) },
  ),
  {
    description:
      'A price that would be another one: `before` is what Get Product Price answers now, `after` what it would answer; null ' +
      'where there is no price. `at` and `parameters` are its query parameters: `at` is an instant at which something planned ' +
      'begins or ends, and `parameters` choose a row of a table.',
    examples: [{ productId: 'lamp', currency: 'USD', before: 49.99, after: 54.99 }],
  },
);

export const previewCodec = described(
  record('PricesPreview', { changes: listOf(changeCodec), hasMore: hasMoreCodec }),
  {
    description: 'The prices that the write would change, at most 100 of them.',
    examples: [
      {
        changes: [
          { productId: 'lamp', currency: 'USD', before: 49.99, after: 54.99 },
          { productId: 'seat', currency: 'USD', parameters: { quantity: '10' }, before: 15, after: 16.5 },
        ],
        hasMore: false,
      },
    ],
  },
);

/** The answer of Delete Price Book Entries to a dry run. */
export const entriesPreviewCodec = described(
  record('EntriesPreview', {
    priceBookId: priceBookIdCodec,
    revision: revisionCodec,
    updatedAt: instantCodec,
    preview: previewCodec,
  }),
  {
    description: '`revision` and `updatedAt` are those of the book as it is.',
    examples: [
      {
        priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
        revision: 2,
        updatedAt: '2026-11-21T07:20:01.471Z',
        preview: {
          changes: [{ productId: 'lamp', currency: 'USD', before: 54.99, after: null }],
          hasMore: false,
        },
      },
    ],
  },
);

export type PreviewBody = t.TypeOf<typeof previewCodec>;
export type EntriesPreviewBody = t.TypeOf<typeof entriesPreviewCodec>;
