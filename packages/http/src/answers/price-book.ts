import {
  described,
  metadataCodec,
  orNull,
  priceBookIdCodec,
  priceBookKeyCodec,
  record,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { previewCodec } from './preview';
import { anyTextCodec, countCodec, instantCodec, revisionCodec } from './values';

const clonedFromCodec = described(
  record('ClonedFrom', { priceBookId: priceBookIdCodec, revision: revisionCodec }),
  { description: 'The book that was cloned, and at which revision.' },
);

export const priceBookCodec = described(
  record(
    'PriceBook',
    {
      id: priceBookIdCodec,
      name: anyTextCodec,
      description: anyTextCodec,
      metadata: metadataCodec,
      revision: revisionCodec,
      createdAt: instantCodec,
      updatedAt: instantCodec,
    },
    { basePriceBookId: priceBookIdCodec, clonedFrom: clonedFromCodec, key: priceBookKeyCodec },
  ),
  {
    description:
      '`basePriceBookId`, `clonedFrom` and `key` are there only in a book that has one. `updatedAt` and `revision` move with every change of the book, its ' +
      'prices included.',
    examples: [
      {
        id: '01a1fcf9-f7af-76ce-a6a1-d11b0487fa60',
        name: 'Retail',
        description: '',
        basePriceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
        key: 'retail-eu',
        metadata: { erpId: '4711' },
        revision: 0,
        createdAt: '2026-11-21T07:20:02.735Z',
        updatedAt: '2026-11-21T07:20:02.735Z',
      },
    ],
  },
);

export type PriceBookBody = t.TypeOf<typeof priceBookCodec>;

/** The answer of Set Product Prices. */
export const pricesSetCodec = described(
  record(
    'PricesSet',
    {
      priceBookId: priceBookIdCodec,
      revision: revisionCodec,
      updatedAt: instantCodec,
      productsSet: orNull(countCodec('count', 'The items that hold adjustments.', 1)),
    },
    { preview: previewCodec },
  ),
  {
    description:
      '`productsSet` counts the items that hold adjustments; it is null for a request about all products. `preview` is there ' +
      'in the answer to a dry run alone, whose `revision` and `updatedAt` are those of the book as it is.',
    examples: [
      {
        priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
        revision: 2,
        updatedAt: '2026-11-21T07:20:01.471Z',
        productsSet: 1,
      },
    ],
  },
);

export type PricesSetBody = t.TypeOf<typeof pricesSetCodec>;
