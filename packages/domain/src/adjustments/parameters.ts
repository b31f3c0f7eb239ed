import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

/** The query parameters of a price request: every value that was given for a name, in order. */
export type PriceParameters = ReadonlyMap<string, readonly string[]>;

export const noParameters: PriceParameters = new Map();

/** The parameter that volume tiers read; 1 where it is not given. */
export const QUANTITY = 'quantity';

/** Names that the price request itself uses: no table may ask for them. */
export const RESERVED_PARAMETERS: readonly string[] = ['at', 'knownAt', 'explain'];

/** Why the parameters choose no row of a table. */
export type RowError =
  | { readonly _tag: 'ParameterMissing'; readonly name: string; readonly allowed: readonly string[] }
  | { readonly _tag: 'ParameterRepeated'; readonly name: string }
  | {
      readonly _tag: 'ParameterMalformed';
      readonly name: string;
      readonly expected: string;
      readonly given: string;
    }
  | {
      readonly _tag: 'NoMatchingRow';
      readonly name: string;
      readonly value: string;
      readonly rows: readonly string[];
    };

/** As many rows or values as an error lists: the design's bound. */
export const LISTED_ROWS = 20;

/** What is given for a parameter: a quantity that is not given is 1. */
export const givenFor = (parameters: PriceParameters, name: string): readonly string[] =>
  parameters.get(name) ?? (name === QUANTITY ? ['1'] : []);

/**
 * The one value of a parameter. A quantity that is not given is 1.
 *
 * @param allowed what would be right, where that can be listed.
 */
const readText = (
  parameters: PriceParameters,
  name: string,
  allowed: () => readonly string[] = () => [],
): E.Either<RowError, string> => {
  const given = givenFor(parameters, name);
  const [value] = given;
  if (value === undefined) {
    return E.left({ _tag: 'ParameterMissing', name, allowed: allowed().slice(0, LISTED_ROWS) });
  }
  return given.length > 1 ? E.left({ _tag: 'ParameterRepeated', name }) : E.right(value);
};

const decimal = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const expectedOf = (name: string, found: number): string => {
  if (found === Infinity) return 'a number up to 1e308';
  if (name === QUANTITY) return 'a number above 0';
  return found === -Infinity ? 'a number from -1e308 up' : 'a number';
};

/** The text of a number as a decimal, written as in JSON; NaN where it is none. */
export const numberIn = (text: string): number => (decimal.test(text) ? Number(text) : NaN);

/** The one value of a numeric parameter: a decimal number as in JSON; a quantity is above 0. */
export const readNumber = (parameters: PriceParameters, name: string): E.Either<RowError, number> =>
  pipe(
    readText(parameters, name),
    E.chain((value): E.Either<RowError, number> => {
      const number = numberIn(value);
      return Number.isFinite(number) && (name !== QUANTITY || number > 0)
        ? E.right(number)
        : E.left({ _tag: 'ParameterMalformed', name, expected: expectedOf(name, number), given: value });
    }),
  );

/** The quantity of a price request: 1 where it is not given. It is checked whenever it is given, whatever needs it. */
export const readQuantity = (parameters: PriceParameters): E.Either<RowError, number> =>
  parameters.has(QUANTITY) ? readNumber(parameters, QUANTITY) : E.right(1);

/**
 * What a table of texts is asked for. A quantity is a number in such a table as well: 2.0 is 2, in the table too.
 *
 * @param allowed what would be right.
 * @returns the text, and whether a text of the table is the same.
 */
export const readComparable = (
  parameters: PriceParameters,
  name: string,
  allowed: () => readonly string[],
): E.Either<RowError, { readonly value: string; readonly isSame: (text: string) => boolean }> =>
  name === QUANTITY
    ? pipe(
        readQuantity(parameters),
        E.map((number) => ({ value: String(number), isSame: (text) => numberIn(text) === number })),
      )
    : pipe(
        readText(parameters, name, allowed),
        E.map((value) => ({ value, isSame: (text) => text === value })),
      );
