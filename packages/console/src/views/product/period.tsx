/** What timeline and table say of a period. */
import type { Schemas } from '../../api/client';
import { bookHref } from '../../router';
import { amountText, Name } from '../../ui/text';
import { type AskedProperty, askedProperties, missingIn } from './properties';
import type { PriceHistory } from './question';

export type Period = Schemas['PricePeriod'] & {
  /** The property without which there is no price in it. */
  readonly missing?: string | undefined;
};

export interface PeriodProps {
  readonly bookNames: ReadonlyMap<string, string>;
  readonly period: Period;
  readonly currency: string;
}

/** What began a period is asked for before what else is known to be asked for. */
export const periodsOf = (
  { periods, question }: PriceHistory,
  properties: readonly AskedProperty[],
): readonly Period[] =>
  periods.map((period) => {
    if (period.problem === undefined) return period;
    const { adjustment } = period.cause;
    const own = adjustment === undefined ? [] : askedProperties([adjustment]);
    return { ...period, missing: missingIn(question, [...own, ...properties]) };
  });

export const priceText = (period: Period, currency: string): string => {
  if (period.price !== null) return amountText(period.price, currency);
  return period.missing === undefined ? 'No price' : 'Depends';
};

export const Why = ({ period }: { readonly period: Period }) => {
  const { missing } = period;
  if (period.problem === undefined) return null;
  return missing === undefined ? (
    <> · {period.problem}</>
  ) : (
    <>
      {' · '}The price depends on <Name>{missing}</Name>: enter it under Explanation.
    </>
  );
};

export const Book = ({ period: { cause }, bookNames }: Pick<PeriodProps, 'period' | 'bookNames'>) => (
  <a href={bookHref(cause.priceBookId)}>
    <Name>{bookNames.get(cause.priceBookId) ?? cause.priceBookId}</Name>
  </a>
);
