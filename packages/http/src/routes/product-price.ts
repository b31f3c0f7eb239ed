import type { PriceQuestion } from '@pricebook/application';
import type { ResolvedPrice } from '@pricebook/domain';
import type { ProductPriceBody } from '../answers/product-price';

/** A ProductPrice as JSON, and how it came about where that is asked. */
export const productPriceOf = (
  { productId, currency }: Pick<PriceQuestion, 'productId' | 'currency'>,
  { price, effectiveDate, steps }: ResolvedPrice,
  explain: boolean,
): ProductPriceBody => ({
  productId,
  price,
  currency,
  effectiveDate,
  ...(explain && { explanation: { steps } }),
});
