import type { CurrentPrice, PriceQuestion, QuotedLine } from '@pricebook/application';
import type { QuoteLine } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { ListedPriceBody } from '../answers/listed-price';
import type { ProductPriceBody } from '../answers/product-price';
import type { ApiError } from '../api-error';
import { problemOf } from '../problem';

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
  ...(explain && { explanation: { steps: steps() } }),
});

type Asked = Pick<PriceQuestion, 'productId' | 'currency' | 'at' | 'knownAt'>;

/** Why there is no price; of a time that was asked about it says so. */
export const noPriceOf = (error: ApiError, { productId, currency, at, knownAt }: Asked): ApiError =>
  error._tag === 'NoListPrice' && at !== undefined
    ? { _tag: 'NoListPriceThen', productId, currency, at, knownAt }
    : error;

type NoPriceBody = Required<Pick<ListedPriceBody, 'productId' | 'currency' | 'problem'>>;

/** The price of a product in a list of prices, or why there is none. */
export const listedPriceOf = (
  line: QuoteLine,
  quoted: QuotedLine,
  explain: boolean,
): ProductPriceBody | NoPriceBody =>
  E.isRight(quoted)
    ? productPriceOf(line, quoted.right, explain)
    : {
        productId: line.productId,
        currency: line.currency,
        problem: problemOf(noPriceOf(quoted.left, line)).problem,
      };
