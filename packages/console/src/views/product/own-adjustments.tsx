/** What is set for the product in this book itself. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { bookHref } from '../../router';
import { mayWrite, useSession } from '../../session';
import { amountText, Dates, Name } from '../../ui/text';
import { CancelPlan } from '../edit/cancel-plan';
import { type Chain, ownAdjustments } from './chain';
import { adjustmentWords, type AnyAdjustment, InWords } from './in-words';
import type { Place } from './question';

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

interface OwnProps {
  readonly adjustment: AnyAdjustment;
  readonly currency: string;
  /** At the end of the line. */
  readonly children?: ComponentChildren;
}

const Own = ({ adjustment, currency, children }: OwnProps) => {
  const rows = rowsOf(adjustment);
  return (
    <li>
      <div class="planned">
        <p>
          {isDated(adjustment) && <span class="badge">Dated</span>}{' '}
          <InWords words={adjustmentWords(adjustment, currency)} />
          <span class="soft">
            <Dates validFrom={adjustment.validFrom} validUntil={adjustment.validUntil} />
          </span>
        </p>
        {children}
      </div>
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
  const [{ own }, base] = chain;
  const { priceBookId, productId, currency } = place;
  const found = ownAdjustments(own, currency);
  return (
    <section aria-labelledby={id} class="stack tight">
      <h2 id={id} ref={heading} tabIndex={-1}>
        Set in this book
      </h2>
      {found.length === 0 ? (
        <Inherited base={base?.book} />
      ) : (
        <ul class="own stack tight">
          {found.map((adjustment) => (
            <Own key={JSON.stringify(adjustment)} adjustment={adjustment} currency={currency}>
              {isDated(adjustment) && adjustment.type !== 'cancel' && mayWrite(key) && (
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
        </ul>
      )}
    </section>
  );
};
