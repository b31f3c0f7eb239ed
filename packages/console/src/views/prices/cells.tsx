/** What the cells of a row show. */
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/client';
import { amountText, Name, percentText, Time } from '../../ui/text';
import type { PriceRow } from './price-rows';

type Adjustment = Schemas['StandingAdjustment'];

/** What the price of a table depends on, in a word. */
const tableText = (adjustment: Adjustment | undefined): string | undefined => {
  if (adjustment?.type === 'volume' || adjustment?.type === 'graduated') return 'by quantity';
  return adjustment?.type === 'enum' || adjustment?.type === 'range'
    ? `by ${adjustment.property}`
    : undefined;
};

const Word = ({ children }: { readonly children: ComponentChildren }) => <span class="soft">{children}</span>;

/** One that is finer than its column is wide is whole where the pointer rests on it. */
const Amount = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => {
  const text = amountText(amount, currency);
  return <span title={text}>{text}</span>;
};

/** A book with a base takes list prices from there, unless it has its own. */
export const ListPrice = ({
  row: { own, effective },
  isDerived,
}: {
  readonly row: PriceRow;
  readonly isDerived: boolean;
}) => {
  const adjustment = own?.adjustments[effective.currency];
  if (adjustment?.type === 'override')
    return <Amount amount={adjustment.amount} currency={effective.currency} />;
  const table = tableText(adjustment);
  if (table !== undefined) {
    return (
      <Word>
        <Name>{table}</Name>
      </Word>
    );
  }
  return <Word>{isDerived ? 'from the base' : '–'}</Word>;
};

/** What the book changes the product's price by. */
export const OwnChange = ({ row: { own, effective } }: { readonly row: PriceRow }) => {
  const { currency } = effective;
  const change = own?.percents[currency] ?? own?.adjustments[currency];
  if (change?.type === 'percent') return <>{percentText(change.amount)}</>;
  return change?.type === 'fixedAmount' ? (
    <Amount amount={change.amount} currency={currency} />
  ) : (
    <Word>–</Word>
  );
};

/** Where a table has no price for one piece and no properties, what it depends on. */
export const ResolvedPrice = ({ row: { own, effective } }: { readonly row: PriceRow }) => {
  const { price, currency, problem } = effective;
  if (price !== undefined) return <Amount amount={price} currency={currency} />;
  return (
    <span class="soft" title={problem?.detail}>
      <Name>{tableText(own?.adjustments[currency]) ?? 'by table'}</Name>
    </span>
  );
};

export const Since = ({ row: { effective } }: { readonly row: PriceRow }) =>
  effective.effectiveDate === undefined ? <Word>–</Word> : <Time at={effective.effectiveDate} />;
