/** How a price came about, in words: `explanation.steps` of Get Product Price in, a sentence for each book out. */
import { type AppliedChange, type Currency, minorUnitOf, type PriceStep } from '@pricebook/domain';

/** What the sentences say of a book beside its steps. */
export interface BookInWords {
  readonly name: string;
  /** Whether it has no base: what is entered there is a list price, elsewhere a special price. */
  readonly isRoot: boolean;
}

type Entered = NonNullable<PriceStep['entered']>;

/** The most that a number format shows; what a price says beyond that no reader needs. */
const MOST_DIGITS = 20;

/** Takes text, which the format reads digit by digit, where a number would go through a double. */
const inDigits = (value: string, minorUnit: number): string =>
  new Intl.NumberFormat('en-US', {
    minimumFractionDigits: minorUnit,
    maximumFractionDigits: MOST_DIGITS,
  }).format(value as `${number}`);

/** An amount to read, such as `11,000 JPY` or `0.00035 USD`: at least the digits of the currency's minor unit. */
const money = (amount: number | string, currency: Currency): string =>
  `${inDigits(String(amount), minorUnitOf(currency))} ${currency}`;

interface UnitRow {
  readonly firstUnit: number;
  readonly lastUnit: number | null;
}

/** Rows are as entered; those of tables over a number have bounds. */
const isUnitRow = (row: unknown): row is UnitRow =>
  typeof row === 'object' && row !== null && 'firstUnit' in row && 'lastUnit' in row;

const boundsOf = ({ firstUnit, lastUnit }: UnitRow): string => {
  const first = inDigits(String(firstUnit), 0);
  return lastUnit === null ? `${first} and more` : `${first} to ${inDigits(String(lastUnit), 0)}`;
};

/** For what the row of a table was chosen; empty where no table was asked. */
const rowOf = ({ chosen }: Entered): string => {
  if (chosen === undefined) return '';
  const { property, value, row } = chosen;
  return ` for ${property} ${String(value)}${isUnitRow(row) ? ` (${boundsOf(row)})` : ''}`;
};

const changeOf = ({ adjustment, of }: AppliedChange): string => {
  const sign = adjustment.amount < 0 ? '-' : '+';
  const amount = inDigits(String(Math.abs(adjustment.amount)), 0);
  return ` ${sign} ${amount}${adjustment.type === 'percent' ? ' %' : ''} of ${of === 'product' ? 'the product' : 'the book'}`;
};

const roundingOf = (price: string, change: AppliedChange, currency: Currency): string => {
  const exact = money(change.exact, currency);
  return exact === price ? '' : `, rounded from ${exact}`;
};

/**
 * One sentence for each book that had a part in the price, such as
 * `11,000 JPY = 10,000 JPY list price + 10 % of the book`: first the book that was asked, last the one where the
 * price was entered.
 *
 * @param steps as the service answers them, which is the other way round
 */
export const explain = (
  currency: Currency,
  steps: readonly PriceStep[],
  bookOf: (priceBookId: string) => BookInWords,
): readonly string[] =>
  steps
    .map(({ priceBookId, price, listPrice, entered, change, removed }, place) => {
      const answered = money(price, currency);
      const base = steps[place - 1];
      const source =
        entered !== undefined || base === undefined
          ? `${bookOf(priceBookId).isRoot ? 'list' : 'special'} price`
          : `in "${bookOf(base.priceBookId).name}"`;
      const row = entered === undefined ? '' : rowOf(entered);
      const before = change === undefined ? '' : `${money(listPrice, currency)} `;
      const changed = change === undefined ? '' : changeOf(change) + roundingOf(answered, change, currency);
      const after = removed === undefined ? '' : ', after a removal';
      return `${answered} = ${before}${source}${row}${changed}${after}`;
    })
    .reverse();
