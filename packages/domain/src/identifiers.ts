import * as E from 'fp-ts/Either';
import { type JsonCodec, refine, text } from './codecs/codecs';

/** The id of a price book: a UUID of version 7, in lower case. */
export type PriceBookId = string & { readonly PriceBookId: unique symbol };

/** The caller's id of a product: 1 to 256 code points without control characters; not `all`, `.` or `..`. */
export type ProductId = string & { readonly ProductId: unique symbol };

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Any letter case in, lower case out. */
export const priceBookIdCodec: JsonCodec<PriceBookId> = refine(
  'PriceBookId',
  text('PriceBookId', { min: 0, max: Infinity }),
  (id) => {
    const lower = id.toLowerCase();
    return uuidV7.test(lower)
      ? E.right(lower as PriceBookId)
      : E.left('is not the id of a price book, which is a UUID of version 7');
  },
  {
    format: 'uuid',
    description: 'A UUID of version 7. Any letter case is understood; answers have lower case.',
    examples: ['01a1fcf9-f25b-75a0-80fb-5049634a2f84'],
  },
);

export const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** `all` would be taken for the all-products request; URL parsers resolve `.` and `..` away. */
export const productIdCodec: JsonCodec<ProductId> = refine(
  'ProductId',
  text('ProductId', { min: 1, max: 256 }),
  (id) => {
    if (controlCharacter.test(id)) return E.left('must not hold control characters');
    if (id === '.' || id === '..') return E.left(`must not be ${JSON.stringify(id)}`);
    if (id.length === 3 && id.toLowerCase() === 'all')
      return E.left('must not be "all" in any letter case, which stands for all products');
    return E.right(id as ProductId);
  },
  {
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
    not: { pattern: '^([.]{1,2}|[Aa][Ll][Ll])$' },
    description:
      'Your own id of a product: any text without control characters, but not `all` in any letter case, `.` or `..`.',
    examples: ['lamp'],
  },
);
