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
import { type Chain, type Link, ownAdjustments } from '../edit/chain';

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

/** @param forAllOf the book, where it is for all of its products. */
const Own = ({ adjustment, currency, forAllOf }: OwnProps & { readonly forAllOf?: Schemas['PriceBook'] }) => (
  <li>
    <p>
      {isDated(adjustment) && <span class="badge">Dated</span>}{' '}
      <InWords words={adjustmentWords(adjustment, currency, true)} />
      {forAllOf !== undefined && (
        <>
          {' '}
          for <a href={bookHref(forAllOf.id, 'all-products')}>all products</a>
        </>
      )}
      <span class="soft">
        <Dates validFrom={adjustment.validFrom} validUntil={adjustment.validUntil} />
      </span>
    </p>
    <Table adjustment={adjustment} currency={currency} />
  </li>
);

interface InheritedProps {
  readonly base: Schemas['PriceBook'] | undefined;
  readonly isChanged: boolean;
}

const Inherited = ({ base, isChanged }: InheritedProps) =>
  base === undefined ? (
    <p class="soft">Nothing is set for this product in this currency.</p>
  ) : (
    <p class="soft">
      Nothing for this product itself. Its {isChanged ? 'list price' : 'price'} comes from{' '}
      <a href={bookHref(base.id)}>
        <Name>{base.name}</Name>
      </a>
      .
    </p>
  );

const CHANGES: readonly string[] = ['percent', 'fixedAmount'];

/** What the book has for all products, where it changes this one: a change of its own that stands comes first. */
const forAll = ({ product, all }: Link, currency: string): readonly AnyAdjustment[] =>
  [product.adjustments[currency], product.percents[currency]].some((own) => CHANGES.includes(own?.type ?? ''))
    ? []
    : ownAdjustments(all, currency);

export const OwnAdjustments = ({ chain, currency }: { readonly chain: Chain; readonly currency: string }) => {
  const id = useId();
  const [link, base] = chain;
  const own = ownAdjustments(link.product, currency);
  const ofAll = forAll(link, currency);
  return (
    <section aria-labelledby={id} class="stack tight">
      <h2 id={id}>Set in this book</h2>
      {own.length + ofAll.length > 0 && (
        <ul class="own stack tight">
          {own.map((adjustment) => (
            <Own key={JSON.stringify(adjustment)} adjustment={adjustment} currency={currency} />
          ))}
          {ofAll.map((adjustment) => (
            <Own
              key={`all ${JSON.stringify(adjustment)}`}
              adjustment={adjustment}
              currency={currency}
              forAllOf={link.book}
            />
          ))}
        </ul>
      )}
      {own.length === 0 && <Inherited base={base?.book} isChanged={ofAll.length > 0} />}
    </section>
  );
};
