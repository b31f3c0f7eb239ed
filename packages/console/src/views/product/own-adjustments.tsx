/** What is set for the product in this book itself. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { bookHref } from '../../router';
import { mayWrite, useSession } from '../../session';
import {
  adjustmentWords,
  type AnyAdjustment,
  Dates,
  InWords,
  rowWords,
  tableOf,
} from '../../ui/adjustment-words';
import { amountText, Name } from '../../ui/text';
import { CancelPlan } from '../edit/cancel-plan';
import { type Chain, type Link, ownAdjustments } from '../edit/chain';
import type { Place } from './question';

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

interface LineProps extends OwnProps {
  /** The book, where it is for all of its products. */
  readonly forAllOf?: Schemas['PriceBook'];
  /** At the end of the line. */
  readonly children?: ComponentChildren;
}

const Own = ({ adjustment, currency, forAllOf, children }: LineProps) => (
  <li>
    <div class="planned">
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
      {children}
    </div>
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

interface OwnAdjustmentsProps {
  readonly chain: Chain;
  readonly place: Place;
  /** Called when something that was planned has been cancelled. */
  readonly onChanged: () => void;
}

export const OwnAdjustments = ({ chain, place, onChanged }: OwnAdjustmentsProps) => {
  const { key } = useSession();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isCancelled = useRef(false);
  useEffect(() => {
    // The button that had the focus is gone.
    if (isCancelled.current) heading.current?.focus();
    isCancelled.current = false;
  }, [chain]);
  const { priceBookId, productId, currency } = place;
  const [link, base] = chain;
  const own = ownAdjustments(link.product, currency);
  const ofAll = forAll(link, currency);
  return (
    <section aria-labelledby={id} class="stack tight">
      <h2 id={id} ref={heading} tabIndex={-1}>
        Set in this book
      </h2>
      {own.length + ofAll.length > 0 && (
        <ul class="own stack tight">
          {own.map((adjustment) => (
            <Own key={JSON.stringify(adjustment)} adjustment={adjustment} currency={currency}>
              {isDated(adjustment) && mayWrite(key) && (
                <CancelPlan
                  bookId={priceBookId}
                  productId={productId}
                  currency={currency}
                  adjustment={adjustment}
                  onCancelled={() => {
                    isCancelled.current = true;
                    onChanged();
                  }}
                />
              )}
            </Own>
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
