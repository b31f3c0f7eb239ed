import type { PriceQuestion } from '@pricebook/application';
import type { QuoteLine, ResolvedPrice } from '@pricebook/domain';
import type { ProductPriceBody } from '../answers/product-price';
import type { ApiError } from '../api-error';

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

/** Why there is no price; of a time that was asked about it says so. */
export const noPriceOf = (
  error: ApiError,
  { productId, currency, at }: Pick<QuoteLine, 'productId' | 'currency' | 'at'>,
): ApiError =>
  error._tag === 'NoListPrice' && at !== undefined
    ? { _tag: 'NoListPriceThen', productId, currency, at }
    : error;
