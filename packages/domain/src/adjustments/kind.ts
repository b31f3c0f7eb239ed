import type { Either } from 'fp-ts/Either';
import type Big from 'big.js';
import type { Reader } from '../codecs/codecs';
import type { Whole } from '../whole-amounts';
import type { KindColumns } from './columns';
import type { PriceParameters, RowError } from './parameters';

/** The table row that gave a list price. */
export interface ChosenRow {
  /** The query parameter that chose it. */
  readonly property: string;
  /** What that parameter said. */
  readonly value: string | number;
  /** The row as entered. */
  readonly row: unknown;
}

/** What units of different prices cost together. */
interface GraduatedPrice {
  /** In the currency's major unit, exact and not rounded. */
  readonly total: Big;
  readonly quantity: Big;
  /** As many digits after the point as the prices of the units have. */
  readonly digits: number;
}

/** What an absolute adjustment says for one set of parameters. */
export interface ListPrice {
  /** In the currency's major unit, as entered. */
  readonly amount: number;
  readonly chosen?: ChosenRow;
  /** Where units have different prices: the price is their average, and `amount` that of the last unit. */
  readonly graduated?: GraduatedPrice;
}

/** What a price request says to be answered by a row of a table. */
export interface RowChoice {
  /** The query parameter that the table reads. */
  readonly property: string;
  readonly value: string;
}

interface Kind<A extends { readonly type: string }> {
  readonly type: A['type'];
  readonly codec: Reader<A>;
  /** How it stands in a price sheet. */
  readonly columns: KindColumns;
  /** What it says, on a line for people. */
  inWords(adjustment: A): string;
}

/** Says a price. */
export interface AbsoluteKind<A extends { readonly type: string }> extends Kind<A> {
  listPrice(adjustment: A, parameters: PriceParameters): Either<RowError, ListPrice>;
  /** The same with other prices: each as `of` answers for the one that it takes the place of. */
  withPrices(adjustment: A, of: (price: number) => number): A;
  /** What chooses each of its rows, in their order; none where it has no table. */
  choices(adjustment: A): readonly RowChoice[];
}

/** Changes a price. */
export interface RelativeKind<A extends { readonly type: string }> extends Kind<A> {
  /** The changed price, exact and not rounded. */
  change(adjustment: A, price: Big): Big;
  /** The same in whole numbers, which takes a fraction of the time; undefined where these are not exact. */
  changeWhole?(adjustment: A, price: Whole): Whole | undefined;
}

/** Takes away what stands. */
export type RemovalKind<A extends { readonly type: string }> = Kind<A>;
