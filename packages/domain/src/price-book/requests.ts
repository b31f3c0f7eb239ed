/** Codecs of the JSON bodies that ask for commands. Each finds every fault that its body alone can have. */
import * as E from 'fp-ts/Either';
import type * as t from 'io-ts';
import { adjustmentsCodec, allProductsAdjustmentsCodec } from '../adjustments/adjustments';
import {
  exactly,
  findRepeated,
  type JsonCodec,
  listOf,
  type Reader,
  record,
  refine,
  text,
  withRules,
} from '../codecs/codecs';
import { priceBookIdCodec, type ProductId, productIdCodec } from '../identifiers';
import type { AdjustAllProducts, ProductItem, SetProductPrices } from './commands';

const MAX_ITEMS = 10_000;

/** 1 to 200 code points, trimmed. */
const nameCodec = text('Name', { min: 1, max: 200, trim: true });

/** To 2,000 code points. */
const descriptionCodec = text('Description', { min: 0, max: 2_000 });

const assigned = Object.fromEntries(
  ['id', 'createdAt', 'updatedAt'].map((field) => [field, 'is assigned by the service and cannot be given']),
);

/** The body of Create Price Book. */
export const createPriceBookCodec = record(
  'CreatePriceBook',
  { name: nameCodec },
  { description: descriptionCodec, basePriceBookId: priceBookIdCodec },
  assigned,
);

/** The body of Update Price Book. */
export const updatePriceBookCodec = record(
  'UpdatePriceBook',
  {},
  { name: nameCodec, description: descriptionCodec },
  { ...assigned, basePriceBookId: 'is given at creation and never changes' },
);

const itemCodec = refine(
  'Item',
  record('Item', { productId: productIdCodec }, { adjustments: adjustmentsCodec }),
  ({ productId, adjustments = {} }): E.Either<never, ProductItem> => E.right({ productId, adjustments }),
);

const itemsCodec: JsonCodec<readonly ProductItem[]> = withRules(listOf(itemCodec, MAX_ITEMS), (items) =>
  findRepeated(items, (item) => item.productId, 'productId'),
);

const allProductsCodec = record('AllProducts', {
  productId: exactly('all'),
  adjustments: allProductsAdjustmentsCodec,
});

/** The body of Set Product Prices: an array of products, or one object for all products. */
export const setProductPricesReader: Reader<SetProductPrices | AdjustAllProducts> = {
  name: 'SetProductPrices',
  validate: (u, c) =>
    Array.isArray(u)
      ? E.map((items: readonly ProductItem[]): SetProductPrices => ({ _tag: 'SetProductPrices', items }))(
          itemsCodec.validate(u, c),
        )
      : E.map(({ adjustments }: t.TypeOf<typeof allProductsCodec>): AdjustAllProducts => ({
          _tag: 'AdjustAllProducts',
          adjustments,
        }))(allProductsCodec.validate(u, c)),
  decode: (u) => setProductPricesReader.validate(u, [{ key: '', type: setProductPricesReader }]),
};

/** The body of Delete Price Book Entries: product ids. */
export const deleteEntriesCodec: JsonCodec<readonly ProductId[]> = listOf(productIdCodec, MAX_ITEMS);
