/** What is set for the product in this book itself. */
import { useId } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { bookHref } from '../../router';
import {
  adjustmentWords,
  type AnyAdjustment,
  Dates,
  InWords,
  rowWords,
  tableOf,
} from '../../ui/adjustment-words';
import { amountText, Name } from '../../ui/text';
import { type Chain, ownAdjustments } from '../edit/chain';

interface OwnProps {
  readonly adjustment: AnyAdjustment;
  readonly currency: string;
}

const Table = ({ adjustment, currency }: OwnProps) => {
  const table = tableOf(adjustment);
  return table === undefined ? null : (
    <details>
      <summary>Show the table</summary>
      <ul class="table-rows">
        {table.rows.map((row, place) => (
          <li key={place}>
            <InWords words={rowWords(row)} />
            <span class="number">{amountText(row.unitPrice, currency)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
};

const isDated = ({ validFrom, validUntil }: AnyAdjustment): boolean =>
  validFrom !== undefined || validUntil !== undefined;

const Own = ({ adjustment, currency }: OwnProps) => (
  <li>
    <p>
      {isDated(adjustment) && <span class="badge">Dated</span>}{' '}
      <InWords words={adjustmentWords(adjustment, currency, true)} />
      <span class="soft">
        <Dates validFrom={adjustment.validFrom} validUntil={adjustment.validUntil} />
      </span>
    </p>
    <Table adjustment={adjustment} currency={currency} />
  </li>
);

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
  const [{ product }, base] = chain;
  const found = ownAdjustments(product, currency);
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
