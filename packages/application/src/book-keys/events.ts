import { priceBookIdCodec } from '@pricebook/domain';
import * as t from 'io-ts';

/** What the names of streams begin with in which books claim a key; the key comes after it. */
export const BOOK_KEYS_PREFIX = 'priceBookKey-';

/** A book is to be given the key: for a while no other book can claim it. */
const priceBookKeyClaimedCodec = t.type({
  type: t.literal('PriceBookKeyClaimed'),
  data: t.type({ priceBookId: priceBookIdCodec }),
});

/** The write for which a key was claimed is done or refused: whether the book has the key, the book says. */
const priceBookKeySettledCodec = t.type({
  type: t.literal('PriceBookKeySettled'),
  data: t.type({
    /** The revision of the claim in its stream. */
    claim: t.number,
  }),
});

export const bookKeyEventCodec = t.union([priceBookKeyClaimedCodec, priceBookKeySettledCodec]);

export type BookKeyEvent = t.TypeOf<typeof bookKeyEventCodec>;

/** By type, the version of the shape in which they are kept now. */
export const bookKeyVersions: Readonly<Record<BookKeyEvent['type'], number>> = {
  PriceBookKeyClaimed: 1,
  PriceBookKeySettled: 1,
};
