/** Codecs of the JSON bodies that ask for commands. Each finds every fault that its body alone can have. */
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import { requestedForAllProductsCodec, requestedForProductCodec } from '../adjustments/adjustments';
import {
  assignedByService,
  boolean,
  described,
  exactly,
  hinted,
  isJsonObject,
  type JsonCodec,
  orNull,
  type Reader,
  record,
  refine,
  text,
} from '../codecs/codecs';
import { refused } from '../codecs/faults';
import { inWords } from '../codecs/in-words';
import { named } from '../codecs/json-schema';
import { listOf, noRepeated } from '../codecs/lists';
import { controlCharacter, priceBookIdCodec, type ProductId, productIdCodec } from '../identifiers';
import type { AdjustAllProducts, ProductItem, SetProductPrices } from './commands';
import { metadataCodec, priceBookKeyCodec } from './details';

/** As many products as a request can name. */
export const MAX_ITEMS = 10_000;

/** 1 to 200 code points, trimmed. */
export const nameCodec = described(text('Name', { min: 1, max: 200, trim: true }), { examples: ['Retail'] });

/** Why a write is done: 1 to 200 code points without control characters, trimmed. */
export const changeReasonCodec = refine(
  'ChangeReason',
  text('ChangeReason', { min: 1, max: 200, trim: true }),
  (reason) => (controlCharacter.test(reason) ? E.left('must not hold control characters') : E.right(reason)),
);

/** To 2,000 code points. */
const descriptionCodec = text('Description', { min: 0, max: 2_000 });

const assigned = assignedByService('id', 'revision', 'createdAt', 'updatedAt');

/** The body of Create Price Book. */
export const createPriceBookCodec = described(
  record(
    'CreatePriceBook',
    { name: nameCodec },
    {
      description: descriptionCodec,
      basePriceBookId: priceBookIdCodec,
      key: priceBookKeyCodec,
      metadata: metadataCodec,
    },
    assigned,
  ),
  { examples: [{ name: 'Retail' }] },
);

/** The body of Clone Price Book. */
export const clonePriceBookCodec = described(
  record(
    'ClonePriceBook',
    { name: nameCodec },
    {
      description: descriptionCodec,
      key: priceBookKeyCodec,
      metadata: metadataCodec,
      flattenBase: described(boolean('FlattenBase'), {
        description:
          'True makes the clone a book without a base, in which each product has the price that the source answers as its own.',
        examples: [true],
      }),
    },
    { ...assigned, basePriceBookId: 'is that of the source; flattenBase makes a clone without a base' },
  ),
  { examples: [{ name: 'Retail 2027' }] },
);

/** The body of Update Price Book. */
export const updatePriceBookCodec = described(
  record(
    'UpdatePriceBook',
    {},
    {
      name: nameCodec,
      description: descriptionCodec,
      key: orNull(priceBookKeyCodec),
      metadata: metadataCodec,
    },
    { ...assigned, basePriceBookId: 'is given at creation and never changes' },
  ),
  { examples: [{ name: 'Retail 2026' }] },
);

/** The body of Restore Price Book. */
export const restorePriceBookCodec = described(
  record('RestorePriceBook', {}, { key: orNull(priceBookKeyCodec) }),
  { examples: [{ key: 'retail-2026' }] },
);

const isAll = (u: unknown): boolean => typeof u === 'string' && u.toLowerCase() === 'all';

const listedProductIdCodec = hinted(productIdCodec, (u) =>
  isAll(u)
    ? 'must not be "all" in an array, in any letter case: for all products send an object instead, {"productId":"all","adjustments":{...}}'
    : undefined,
);

const itemCodec = refine(
  'ProductItem',
  record('ProductItem', { productId: listedProductIdCodec }, { adjustments: requestedForProductCodec }),
  ({ productId, adjustments = {} }): E.Either<never, ProductItem> => E.right({ productId, adjustments }),
);

const itemsCodec: JsonCodec<readonly ProductItem[]> = listOf(itemCodec, MAX_ITEMS, noRepeated('productId'));

const allProductsCodec = record('AllProducts', {
  productId: hinted(exactly('all'), (u) =>
    typeof u === 'string' && !isAll(u)
      ? () => `must be "all", not ${inWords(u)}: products are sent in an array, also a single one`
      : undefined,
  ),
  adjustments: requestedForAllProductsCodec,
});

/** The body of Set Product Prices: an array of products, or one object for all products. */
export const setProductPricesReader: Reader<SetProductPrices | AdjustAllProducts> = {
  name: 'SetProductPrices',
  validate: (u, c) => {
    if (Array.isArray(u)) {
      return pipe(
        itemsCodec.validate(u, c),
        E.map((items) => ({ _tag: 'SetProductPrices', items })),
      );
    }
    if (!isJsonObject(u)) {
      return refused(
        u,
        c,
        () => `must be an array of products, or an object for all products, not ${inWords(u)}`,
      );
    }
    return pipe(
      allProductsCodec.validate(u, c),
      E.map(({ adjustments }) => ({ _tag: 'AdjustAllProducts', adjustments })),
    );
  },
  decode: (u) => setProductPricesReader.validate(u, [{ key: '', type: setProductPricesReader }]),
  schema: named('SetProductPrices', {
    oneOf: [itemsCodec.schema, allProductsCodec.schema],
    description: 'An array of products, or an object for all products.',
    examples: [
      [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount: 49.99 } } }],
      { productId: 'all', adjustments: { USD: { type: 'percent', amount: 10 } } },
    ],
  }),
};

/** The body of Delete Price Book Entries: product ids. */
export const deleteEntriesCodec: JsonCodec<readonly ProductId[]> = listOf(productIdCodec, MAX_ITEMS);
