import * as t from 'io-ts';
import { type JsonCodec, makeCodec, mapOf, orNullSchema } from '../codecs/codecs';
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

export const adjustmentsCodec = mapOf(currencyCodec, adjustmentCodec, MAX_CURRENCIES);

export const allProductsAdjustmentsCodec = mapOf(currencyCodec, allProductsAdjustmentCodec, MAX_CURRENCIES);

/** A request takes all-products adjustments away by JSON null alone. */
const requestedForAllCodec: JsonCodec<AllProductsAdjustment> = makeCodec(
  `${relativeAdjustmentCodec.name} | null`,
  (u, c): t.Validation<AllProductsAdjustment> =>
    u === null ? t.success(nullAdjustment) : relativeAdjustmentCodec.validate(u, c),
  orNullSchema(relativeAdjustmentCodec.schema),
);

/** The same, as a request says it. */
export const requestedForAllProductsCodec = mapOf(currencyCodec, requestedForAllCodec, MAX_CURRENCIES);
