/** What is set for the product in this book itself. */
import { useId } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { bookHref } from '../../router';
import { amountText, Dates, Name } from '../../ui/text';
import { type Chain, ownAdjustments } from './chain';
import { adjustmentWords, type AnyAdjustment, InWords } from './in-words';

interface TableRow {
  readonly label: string;
  readonly unitPrice: number;
}

const bounds = (firstUnit: number, lastUnit: number | null | undefined): string =>
  lastUnit === null || lastUnit === undefined
    ? `${firstUnit.toLocaleString()} and more`
    : `${firstUnit.toLocaleString()} to ${lastUnit.toLocaleString()}`;

const rowsOf = (adjustment: AnyAdjustment): readonly TableRow[] => {
  switch (adjustment.type) {
    case 'enum':
      return adjustment.values.map(({ value, unitPrice }) => ({ label: value, unitPrice }));
    case 'range':
      return adjustment.values.map(({ firstUnit, lastUnit, unitPrice }) => ({
        label: bounds(firstUnit, lastUnit),
        unitPrice,
      }));
    case 'volume':
    case 'graduated':
      return adjustment.tiers.map(({ firstUnit, lastUnit, unitPrice }) => ({
        label: bounds(firstUnit, lastUnit),
        unitPrice,
      }));
    case 'override':
    case 'percent':
    case 'fixedAmount':
    case 'null':
    case 'cancel':
      return [];
  }
};

const Rows = ({ rows, currency }: { readonly rows: readonly TableRow[]; readonly currency: string }) => (
  <details>
    <summary>Show the table</summary>
    <ul class="table-rows">
      {rows.map(({ label, unitPrice }) => (
        <li key={label}>
          <Name>{label}</Name>
          <span class="number">{amountText(unitPrice, currency)}</span>
        </li>
      ))}
    </ul>
  </details>
);

const isDated = ({ validFrom, validUntil }: AnyAdjustment): boolean =>
  validFrom !== undefined || validUntil !== undefined;

const Own = ({ adjustment, currency }: { readonly adjustment: AnyAdjustment; readonly currency: string }) => {
  const rows = rowsOf(adjustment);
  return (
    <li>
      <p>
        {isDated(adjustment) && <span class="badge">Dated</span>}{' '}
        <InWords words={adjustmentWords(adjustment, currency)} />
        <span class="soft">
          <Dates validFrom={adjustment.validFrom} validUntil={adjustment.validUntil} />
        </span>
      </p>
      {rows.length > 0 && <Rows rows={rows} currency={currency} />}
    </li>
  );
};

const Inherited = ({ base }: { readonly base: Schemas['PriceBook'] | undefined }) =>
  base === undefined ? (
    <p class="soft">Nothing is set for this product in this currency.</p>
  ) : (
    <p class="soft">
      Nothing. The price comes from{' '}
      <a href={bookHref(base.id)}>
        <Name>{base.name}</Name>
      </a>
      .
    </p>
  );

export const OwnAdjustments = ({ chain, currency }: { readonly chain: Chain; readonly currency: string }) => {
  const id = useId();
  const [{ own }, base] = chain;
  const found = ownAdjustments(own, currency);
  return (
    <section aria-labelledby={id} class="stack tight">
      <h2 id={id}>Set in this book</h2>
      {found.length === 0 ? (
        <Inherited base={base?.book} />
      ) : (
        <ul class="own stack tight">
          {found.map((adjustment) => (
            <Own key={JSON.stringify(adjustment)} adjustment={adjustment} currency={currency} />
          ))}
        </ul>
      )}
    </section>
  );
};
