/** Short ways to the domain's checked values, for tests. */
import * as E from 'fp-ts/Either';
import type { Reader } from '../codecs/codecs';
import { type Fault, faultsOf } from '../codecs/faults';
import { type Currency, currencyCodec } from '../currency';
import { type PriceBookId, priceBookIdCodec, type ProductId, productIdCodec } from '../identifiers';

/** What a reader makes of an input that it must accept. */
export const read = <A>(reader: Reader<A>, input: unknown): A => {
  const result = reader.decode(input);
  if (E.isLeft(result)) {
    throw new Error(`${JSON.stringify(input)} was refused: ${JSON.stringify(faultsOf(result.left))}`);
  }
  return result.right;
};

/** The faults that a reader finds in an input; none if it accepts it. */
export const faultsIn = (reader: Reader<unknown>, input: unknown): readonly Fault[] => {
  const result = reader.decode(input);
  return E.isLeft(result) ? faultsOf(result.left) : [];
};

/** Where those faults are, as JSON Pointers. */
export const pointersIn = (reader: Reader<unknown>, input: unknown): readonly string[] =>
  faultsIn(reader, input).map(({ pointer }) => pointer);

export const currency = (code: string): Currency => read(currencyCodec, code);

export const product = (id: string): ProductId => read(productIdCodec, id);

/** The id of the book with this number. */
export const book = (number: number): PriceBookId =>
  read(priceBookIdCodec, `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`);

/** The instant so many milliseconds after the start of 2026: below one day. */
export const instant = (milliseconds: number): string => {
  const part = (unit: number, count: number, digits: number): string =>
    String(Math.floor(milliseconds / unit) % count).padStart(digits, '0');
  const time = `${part(3_600_000, 24, 2)}:${part(60_000, 60, 2)}:${part(1_000, 60, 2)}`;
  return `2026-01-01T${time}.${part(1, 1_000, 3)}Z`;
};
