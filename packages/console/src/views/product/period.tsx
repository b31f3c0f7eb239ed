/** What timeline and table say of a period. */
import type { Schemas } from '../../api/client';
import { bookHref } from '../../router';
import { amountText, Name } from '../../ui/text';
import { missingProperty } from './question';

export type Period = Schemas['PricePeriod'];

export interface PeriodProps {
  readonly bookNames: ReadonlyMap<string, string>;
  readonly period: Period;
  readonly currency: string;
}

/** The property without which there is no price in a period. */
const missingIn = ({ problem }: Period): string | undefined =>
  problem === undefined ? undefined : missingProperty({ detail: problem });

export const priceText = (period: Period, currency: string): string => {
  if (period.price !== null) return amountText(period.price, currency);
  return missingIn(period) === undefined ? 'No price' : 'Depends';
};

export const Why = ({ period }: { readonly period: Period }) => {
  const missing = missingIn(period);
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
