import * as t from 'io-ts';
import { hinted, isJsonObject, type JsonCodec, makeCodec, mapOf, orNullSchema } from '../codecs/codecs';
import { type Currency, currencyCodec } from '../currency';
import {
  type Adjustment,
  adjustmentCodec,
  type AllProductsAdjustment,
  allProductsAdjustmentCodec,
  relativeAdjustmentCodec,
} from './adjustment';
import { nullAdjustment } from './null';

const MAX_CURRENCIES = 200;

/** By currency, what to do with the price of a product. */
export type Adjustments = Readonly<Partial<Record<Currency, Adjustment>>>;

/** By currency, what to do with all prices of a book; the null adjustment takes away what was set for all. */
export type AllProductsAdjustments = Readonly<Partial<Record<Currency, AllProductsAdjustment>>>;

/** All products are spoken of in another way, which is easily mistaken for that of one. */
const forAllAlone = `must be an object; null is for all products alone: to take away what one has, give ${JSON.stringify(nullAdjustment)}`;
const forOneCodec = hinted(adjustmentCodec, (u) => (u === null ? forAllAlone : undefined));

export const adjustmentsCodec = mapOf(currencyCodec, forOneCodec, MAX_CURRENCIES);

export const allProductsAdjustmentsCodec = mapOf(currencyCodec, allProductsAdjustmentCodec, MAX_CURRENCIES);

/** A request takes all-products adjustments away by JSON null alone. */
const requestedForAllCodec: JsonCodec<AllProductsAdjustment> = hinted(
  makeCodec(
    `${relativeAdjustmentCodec.name} | null`,
    (u, c): t.Validation<AllProductsAdjustment> =>
      u === null ? t.success(nullAdjustment) : relativeAdjustmentCodec.validate(u, c),
    orNullSchema(relativeAdjustmentCodec.schema),
  ),
  (u) =>
    isJsonObject(u) && u['type'] === nullAdjustment.type
      ? 'must be null itself, not an object, to take away what all products have'
      : undefined,
);

/** The same, as a request says it. */
export const requestedForAllProductsCodec = mapOf(currencyCodec, requestedForAllCodec, MAX_CURRENCIES);
