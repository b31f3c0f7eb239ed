import { priceBookIdCodec } from '@pricebook/domain';
import * as t from 'io-ts';

/** What the names of streams begin with that say under which id a request creates a book. */
export const RESERVATIONS_PREFIX = 'priceBookReservation-';

export const priceBookIdReservedCodec = t.type({
  type: t.literal('PriceBookIdReserved'),
  data: t.type({ priceBookId: priceBookIdCodec }),
});

export type PriceBookIdReserved = t.TypeOf<typeof priceBookIdReservedCodec>;

/** By type, the version of the shape in which they are kept now. */
export const reservationVersions: Readonly<Record<PriceBookIdReserved['type'], number>> = {
  PriceBookIdReserved: 1,
};
