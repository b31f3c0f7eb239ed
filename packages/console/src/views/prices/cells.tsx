/** What the cells of a row show. */
import type { ComponentChildren } from 'preact';
import { tableOf } from '../../ui/adjustment-words';
import { amountText, Name, percentText, signedAmountText, Time } from '../../ui/text';
import type { PriceRow } from './price-rows';

const Word = ({ children }: { readonly children: ComponentChildren }) => <span class="soft">{children}</span>;

/** One that is finer than its column is wide is whole where the pointer rests on it. */
const Amount = ({ text }: { readonly text: string }) => <span title={text}>{text}</span>;

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
    return <Amount text={amountText(adjustment.amount, effective.currency)} />;
  const table = adjustment && tableOf(adjustment);
  if (table === undefined) return <Word>{isDerived ? 'from the base' : '–'}</Word>;
  return (
    <Word>
      by <Name>{table.property}</Name>
    </Word>
  );
};

/** What the book changes the product's price by. */
export const OwnChange = ({ row: { own, effective } }: { readonly row: PriceRow }) => {
  const { currency } = effective;
  const change = own?.percents[currency] ?? own?.adjustments[currency];
  if (change?.type === 'percent') return <>{percentText(change.amount)}</>;
  return change?.type === 'fixedAmount' ? (
    <Amount text={signedAmountText(change.amount, currency)} />
  ) : (
    <Word>–</Word>
  );
};

/** Where a table has no price for one piece and no properties, what it depends on. */
export const ResolvedPrice = ({ row: { own, effective } }: { readonly row: PriceRow }) => {
  const { price, currency, problem } = effective;
  if (price !== undefined) return <Amount text={amountText(price, currency)} />;
  const adjustment = own?.adjustments[currency];
  const table = adjustment && tableOf(adjustment);
  return (
    <span class="soft" title={problem?.detail}>
      by {table === undefined ? 'table' : <Name>{table.property}</Name>}
    </span>
  );
};

export const Since = ({ row: { effective } }: { readonly row: PriceRow }) =>
  effective.effectiveDate === undefined ? <Word>–</Word> : <Time at={effective.effectiveDate} />;
