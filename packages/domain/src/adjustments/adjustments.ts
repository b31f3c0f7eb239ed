import { mapOf, orNull } from '../codecs/codecs';
import { type Currency, currencyCodec } from '../currency';
import {
  type Adjustment,
  adjustmentCodec,
  type RelativeAdjustment,
  relativeAdjustmentCodec,
} from './adjustment';

const MAX_CURRENCIES = 200;

/** By currency, what to do with the price of a product. */
export type Adjustments = Readonly<Partial<Record<Currency, Adjustment>>>;

/** By currency, what to do with all prices of a book; null takes away what was set for all. */
export type AllProductsAdjustments = Readonly<Partial<Record<Currency, RelativeAdjustment | null>>>;

export const adjustmentsCodec = mapOf(currencyCodec, adjustmentCodec, MAX_CURRENCIES);

export const allProductsAdjustmentsCodec = mapOf(
  currencyCodec,
  orNull(relativeAdjustmentCodec),
  MAX_CURRENCIES,
);
