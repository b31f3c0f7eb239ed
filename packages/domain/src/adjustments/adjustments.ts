import * as t from 'io-ts';
import { hinted, isJsonObject, type JsonCodec, makeCodec, mapOf, orNullSchema } from '../codecs/codecs';
import { refused } from '../codecs/faults';
import type { JsonSchema } from '../codecs/json-schema';
import { type ListRule, listOf } from '../codecs/lists';
import { type Currency, currencyCodec } from '../currency';
import {
  requestedAdjustmentCodec,
  type RequestedAdjustment,
  type RequestedForAll,
  requestedForAllCodec,
  roleOf,
} from './adjustment';
import { boundsInWords, isDated } from './bounds';
import { nullAdjustment } from './null';

const MAX_CURRENCIES = 200;
/** As many adjustments as a request may have for a product and currency. */
const MAX_ADJUSTMENTS = 100;

/** One, or several that are carried out in their order. */
export type OneOrMore<A> = A | readonly A[];

export const isSeveral = <A extends object>(given: OneOrMore<A>): given is readonly A[] =>
  Array.isArray(given);

export const listed = <A extends object>(given: OneOrMore<A>): readonly A[] =>
  isSeveral(given) ? given : [given];

/** By currency, what to do with the price of a product. */
export type Adjustments = Readonly<Partial<Record<Currency, OneOrMore<RequestedAdjustment>>>>;

/** By currency, what to do with all prices of a book; the null adjustment takes away what was set for all. */
export type AllProductsAdjustments = Readonly<Partial<Record<Currency, OneOrMore<RequestedForAll>>>>;

/** What tells an adjustment from others in an array. */
const placeOf = (adjustment: RequestedAdjustment): string =>
  isDated(adjustment) ? `dated${boundsInWords(adjustment)}` : `undated of the role ${roleOf(adjustment)}`;

/** One undated adjustment of each role, and dated ones with different bounds. */
const differentPlaces: ListRule<RequestedAdjustment> = {
  find: (_, items) => {
    const firstIndexes = new Map<string, number>();
    return items.flatMap((item, index) => {
      if (item === undefined) return [];
      const place = placeOf(item);
      const first = firstIndexes.get(place);
      if (first === undefined) {
        firstIndexes.set(place, index);
        return [];
      }
      const detail = isDated(item)
        ? `has the same validFrom and validUntil as item ${String(first)}`
        : `is undated like item ${String(first)}, and only one of the two can hold`;
      return [{ path: [String(index)], detail }];
    });
  },
  said: {
    minItems: 1,
    description:
      'Carried out in this order. At most one undated adjustment that sets a price, one that changes it and one that removes it; dated ones have different bounds.',
  },
};

/**
 * @param max limits what a request asks for; what was kept once stays readable. Its schema leaves that to words, so that
 *   requests and history share one name.
 * @param alone what its schema says of one by itself.
 */
const oneOrMore = <A extends RequestedAdjustment>(
  name: string,
  one: JsonCodec<A>,
  max: number,
  alone: readonly JsonSchema[] = [one.schema],
): JsonCodec<OneOrMore<A>> => {
  const many = listOf<A>(one, max, differentPlaces);
  return makeCodec<OneOrMore<A>>(
    name,
    (u, c) => {
      if (!Array.isArray(u)) return one.validate(u, c);
      if (u.length === 0) return refused(u, c, () => 'must have at least one adjustment');
      const read = many.validate(u, c);
      if (read._tag === 'Left') return read;
      const [first, ...others] = read.right;
      return first !== undefined && others.length === 0 ? t.success(first) : read;
    },
    {
      anyOf: [...alone, { type: 'array', items: one.schema, ...differentPlaces.said }],
      description: `One adjustment, or several: at most ${String(MAX_ADJUSTMENTS)} in a request.`,
    },
  );
};

/** All products are spoken of in another way, which is easily mistaken for that of one. */
const forAllAlone = `must be an object; null is for all products alone: to take away what one has, give ${JSON.stringify(nullAdjustment)}`;
const forOneCodec = hinted(requestedAdjustmentCodec, (u) => (u === null ? forAllAlone : undefined));

/** As events keep them. */
export const adjustmentsCodec = mapOf(
  currencyCodec,
  oneOrMore('RequestedAdjustments', requestedAdjustmentCodec, Infinity),
  Infinity,
);

/** As a request says them. */
export const requestedForProductCodec = mapOf(
  currencyCodec,
  oneOrMore('RequestedAdjustments', forOneCodec, MAX_ADJUSTMENTS),
  MAX_CURRENCIES,
);

export const allProductsAdjustmentsCodec = mapOf(
  currencyCodec,
  oneOrMore('AllProductsAdjustments', requestedForAllCodec, Infinity),
  Infinity,
);

/** A request takes away what all products have, undated, by JSON null alone. */
const fromRequestCodec: JsonCodec<RequestedForAll> = makeCodec(
  'AllProductsAdjustmentOrNull',
  (u, c): t.Validation<RequestedForAll> => {
    if (u === null) return t.success(nullAdjustment);
    return isJsonObject(u) && u['type'] === nullAdjustment.type && !isDated(u)
      ? refused(u, c, () => 'must be null itself, not an object, to take away what all products have')
      : requestedForAllCodec.validate(u, c);
  },
  orNullSchema(requestedForAllCodec.schema),
);

/** The same, as a request says it. */
export const requestedForAllProductsCodec = mapOf(
  currencyCodec,
  oneOrMore('AllProductsAdjustmentsOrNull', fromRequestCodec, MAX_ADJUSTMENTS, [
    requestedForAllCodec.schema,
    { type: 'null' },
  ]),
  MAX_CURRENCIES,
);
