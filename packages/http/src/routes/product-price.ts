import type { CurrentPrice, PriceQuestion } from '@pricebook/application';
import type { ProductPriceBody } from '../answers/product-price';
import type { ApiError } from '../api-error';

/** A ProductPrice as JSON, and how it came about where that is asked. */
export const productPriceOf = (
  { productId, currency }: Pick<PriceQuestion, 'productId' | 'currency'>,
  { price, effectiveDate, validUntil, steps }: CurrentPrice,
  explain: boolean,
): ProductPriceBody => ({
  productId,
  price,
  currency,
  effectiveDate,
  ...(validUntil !== undefined && { validUntil }),
  ...(explain && validUntil === undefined && { validUntil: null }),
  ...(explain && { explanation: { steps } }),
});

type Asked = Pick<PriceQuestion, 'productId' | 'currency' | 'at' | 'knownAt'>;

/** Why there is no price; of a time that was asked about it says so. */
export const noPriceOf = (error: ApiError, { productId, currency, at, knownAt }: Asked): ApiError =>
  error._tag === 'NoListPrice' && at !== undefined
    ? { _tag: 'NoListPriceThen', productId, currency, at, knownAt }
    : error;
