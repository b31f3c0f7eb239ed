/** The ending of a computed price, such as .99 or full 5 cents: the rule is `docs/prices.md`, "Price endings". */
import Big from 'big.js';
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { digitsAfterPoint, divideHalfUp } from '../amounts';
import {
  below,
  described,
  isJsonObject,
  type JsonCodec,
  makeCodec,
  numberBetween,
  refine,
} from '../codecs/codecs';
import { errorOf } from '../codecs/faults';

/** In the currency's major unit. A price is a whole number of times `roundTo`, plus `ending`. */
export interface PriceEnding {
  /** Above 0; absent where prices are rounded to the currency's minor unit. */
  readonly roundTo?: number;
  /** 0 or more and below `roundTo`; 0 where it is absent. */
  readonly ending?: number;
}

const roundToCodec: JsonCodec<number> = refine(
  'RoundTo',
  numberBetween('RoundTo', 0, 1e15),
  (roundTo) => (roundTo > 0 ? E.right(roundTo) : E.left('must be above 0')),
  {
    description: 'The price is rounded to a multiple of this, half up: 0.05 for full 5 cents.',
    examples: [1],
  },
);

const endingCodec = described(numberBetween('Ending', 0, 1e15), {
  description:
    'Needs `roundTo`, and is below it: it is added to the multiple. 0.99, with 1 as `roundTo`, gives 19.99.',
  examples: [0.99],
});

/** The fields of a kind that computes a price. */
export const endingFields = { roundTo: roundToCodec, ending: endingCodec };

export const ENDING = ['roundTo', 'ending'] as const;

/** What `codec` accepts, where the fields of the ending agree. */
export const withEnding = <A extends PriceEnding>(codec: JsonCodec<A>): JsonCodec<A> =>
  makeCodec(
    codec.name,
    (u, c) => {
      const read = codec.validate(u, c);
      if (!isJsonObject(u) || E.isLeft(read)) return read;
      const { roundTo, ending } = read.right;
      if (ending === undefined || (roundTo !== undefined && ending < roundTo)) return read;
      const detail = roundTo === undefined ? 'needs roundTo' : `must be below roundTo, ${String(roundTo)}`;
      return t.failures([errorOf(ending, below(c, 'ending', t.unknown), () => detail)]);
    },
    codec.schema,
  );

/** ` to 1 ending 0.99`; nothing where it has no ending. */
export const endingInWords = ({ roundTo, ending }: PriceEnding): string =>
  `${roundTo === undefined ? '' : ` to ${String(roundTo)}`}${ending === undefined ? '' : ` ending ${String(ending)}`}`;

/** A price with an ending, and the digits after the point that such prices have. */
export interface EndedPrice {
  readonly price: Big;
  readonly digits: number;
}

/**
 * The nearest price that has the ending, the greater one of two as near. Only 0 becomes 0.
 *
 * @param exact 0 or more, not rounded.
 * @returns undefined where no ending is asked for.
 */
export const endedPrice = ({ roundTo, ending = 0 }: PriceEnding, exact: Big): EndedPrice | undefined => {
  if (roundTo === undefined) return undefined;
  const step = new Big(roundTo);
  const end = new Big(ending);
  const digits = Math.max(digitsAfterPoint(step), digitsAfterPoint(end));
  if (exact.eq(0)) return { price: exact, digits };
  if (exact.lte(end)) return { price: end, digits };
  const nearest = divideHalfUp(exact.minus(end), step, 0).times(step).plus(end);
  return { price: nearest.eq(0) ? step : nearest, digits };
};
