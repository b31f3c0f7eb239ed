/** How events of price books that were kept in an older shape are read. */
import { nullAdjustment } from '../adjustments/null';
import { isJsonObject } from '../codecs/codecs';
import type { Upcaster, Upcasters } from '../codecs/upcasting';
import type { PriceBookEvent } from './events';

/** Version 1 took an adjustment of all products away by a bare null; a product's was always an adjustment. */
const bareNullsToAdjustments: Upcaster = (data) => {
  if (!isJsonObject(data) || !isJsonObject(data['adjustments'])) return data;
  const adjustments = Object.entries(data['adjustments']).map(([currency, adjustment]) => [
    currency,
    adjustment === null ? nullAdjustment : adjustment,
  ]);
  return { ...data, adjustments: Object.fromEntries(adjustments) as unknown };
};

/** Later versions may hold dates, and several adjustments of a currency: what came before is read as it is. */
const undatedOnes: Upcaster = (data) => data;

/** Later versions may hold fixed amounts and price endings. */
const percentsAlone: Upcaster = (data) => data;

/** Later versions may hold a key and metadata. */
const plainOnes: Upcaster = (data) => data;

export const upcasters: Upcasters<PriceBookEvent['type']> = {
  PriceBookCreated: [plainOnes],
  PriceBookCloned: [],
  PriceBookUpdated: [plainOnes],
  ProductPricesSet: [undatedOnes, percentsAlone],
  AllProductsAdjusted: [bareNullsToAdjustments, undatedOnes, percentsAlone],
  PriceBookEntriesDeleted: [],
  PriceBookDeleted: [],
  PriceBookRestored: [],
};
