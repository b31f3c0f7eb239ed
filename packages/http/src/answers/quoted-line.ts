import {
  currencyCodec,
  described,
  isJsonObject,
  type JsonCodec,
  makeCodec,
  productIdCodec,
  record,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { lineProblemCodec } from './problem';
import { type ProductPriceBody, productPriceCodec } from './product-price';

const unpricedCodec = described(
  record('UnpricedLine', { productId: productIdCodec, currency: currencyCodec, problem: lineProblemCodec }),
  { description: 'Why there is no price for the line.' },
);

export type QuotedLineBody = ProductPriceBody | t.TypeOf<typeof unpricedCodec>;

export const quotedLineCodec: JsonCodec<QuotedLineBody> = makeCodec<QuotedLineBody>(
  'QuotedLine',
  (u, c) =>
    isJsonObject(u) && Object.hasOwn(u, 'problem')
      ? unpricedCodec.validate(u, c)
      : productPriceCodec.validate(u, c),
  { oneOf: [productPriceCodec.schema, unpricedCodec.schema] },
);
