/** What the cells of a row show. */
import type { ComponentChildren } from 'preact';
import { changeText } from '../../ui/adjustment-words';
import { amountText, Name, Time } from '../../ui/text';
import type { PriceRow } from './price-rows';

interface CellProps {
  readonly row: PriceRow;
}

const Word = ({ children }: { readonly children: ComponentChildren }) => <span class="soft">{children}</span>;

/** One that is finer than its column is wide is whole where the pointer rests on it. */
const Amount = ({ text }: { readonly text: string }) => <span title={text}>{text}</span>;

const NoPrice = ({ row: { problem } }: CellProps) => (
  <span class="soft" title={problem}>
    by table
  </span>
);

export const ListPrice = ({ row }: CellProps) => {
  const { listPrice, table, currency } = row;
  if (listPrice === undefined) return <NoPrice row={row} />;
  return table === undefined ? (
    <Amount text={amountText(listPrice, currency)} />
  ) : (
    <Word>
      by <Name>{table}</Name>
    </Word>
  );
};

export const OwnChange = ({ row: { ownChange, currency } }: CellProps) =>
  ownChange === undefined ? <Word>–</Word> : <Amount text={changeText(ownChange, currency)} />;

export const ResolvedPrice = ({ row }: CellProps) =>
  row.price === undefined ? <NoPrice row={row} /> : <Amount text={amountText(row.price, row.currency)} />;

export const Since = ({ row: { since } }: CellProps) =>
  since === undefined ? <Word>–</Word> : <Time at={since} />;
