/**
 * How events that were kept in an older shape are read. An upcaster makes of the data of one version those of the
 * next, and the codec of the current version reads what comes out. What is kept is never rewritten.
 */
import { nullAdjustment } from '../adjustments/null';
import { isJsonObject } from '../codecs/codecs';
import type { PriceBookEvent } from './events';

/**
 * JSON in, JSON out, and pure. The data come from a store and may hold anything: an upcaster never throws, and
 * passes on what it does not know, which the codec then refuses.
 */
export type Upcaster = (data: unknown) => unknown;

/** Version 1 took an adjustment of all products away by a bare null; a product's was always an adjustment. */
const bareNullsToAdjustments: Upcaster = (data) => {
  if (!isJsonObject(data) || !isJsonObject(data['adjustments'])) return data;
  const adjustments = Object.entries(data['adjustments']).map(([currency, adjustment]) => [
    currency,
    adjustment === null ? nullAdjustment : adjustment,
  ]);
  return { ...data, adjustments: Object.fromEntries(adjustments) as unknown };
};

/** By type, what leads from version 1 to 2, from 2 to 3 and so on: the current version is one more than there are. */
export const upcasters: Readonly<Record<PriceBookEvent['type'], readonly Upcaster[]>> = {
  PriceBookCreated: [],
  PriceBookUpdated: [],
  ProductPricesSet: [],
  AllProductsAdjusted: [bareNullsToAdjustments],
  PriceBookEntriesDeleted: [],
  PriceBookDeleted: [],
};
