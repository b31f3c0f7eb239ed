/** What an entry of the history says, as a sentence. */
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/client';
import { bookHref, productHref } from '../../router';
import { adjustmentWords, type AnyAdjustment, Dates, InWords } from '../../ui/adjustment-words';
import { counted, Name } from '../../ui/text';
import { type Change, changesOf, onlyProductIn } from './changes';
import type { Entry } from './follow';

interface ProductLinkProps {
  readonly bookId: string;
  readonly productId: string;
  readonly currency?: string | undefined;
}

export const ProductLink = ({ bookId, productId, currency }: ProductLinkProps) => (
  <a href={productHref(bookId, productId, currency)}>
    <Name>{productId}</Name>
  </a>
);

interface ChangeSentenceProps {
  readonly bookId: string;
  readonly change: Change;
}

interface DoneProps {
  readonly adjustment: AnyAdjustment;
  readonly currency: string;
  /** The product; undefined for all of them. */
  readonly product: ComponentChildren;
}

const Done = ({ adjustment, currency, product }: DoneProps) => {
  const what = product ?? 'all products';
  const words = <InWords words={adjustmentWords(adjustment, currency)} />;
  switch (adjustment.type) {
    case 'null':
      return (
        <>
          Removed the {product === undefined ? 'change' : 'price'} of {what}
        </>
      );
    case 'percent':
    case 'fixedAmount':
      return (
        <>
          Changed {what} by {words}
        </>
      );
    case 'cancel':
      return <>Cancelled the planned change of {what}</>;
    case 'override':
    case 'enum':
    case 'range':
    case 'volume':
    case 'graduated':
      return (
        <>
          Set {words} for {what}
        </>
      );
  }
};

/** "Set $49.99 for lamp in USD", "Changed all products by +7.5% in EUR from Nov 27, 2026, 12:00 AM". */
const ChangeSentence = ({ bookId, change: { productId, currency, adjustment } }: ChangeSentenceProps) => {
  const product = productId === undefined ? undefined : <ProductLink {...{ bookId, productId, currency }} />;
  if (adjustment === undefined || currency === undefined) return <>Removed the prices of {product}</>;
  return (
    <>
      <Done {...{ adjustment, currency, product }} /> in {currency}
      <Dates {...adjustment} />
    </>
  );
};

interface SeveralProps {
  readonly bookId: string;
  readonly entry: Entry;
  readonly changes: readonly Change[];
}

const Several = ({ bookId, entry, changes }: SeveralProps) => {
  const only = onlyProductIn(changes);
  const products = new Set(changes.map(({ productId }) => productId)).size;
  const currencies = new Set(changes.map(({ currency }) => currency)).size;
  const within = counted(currencies, 'currency', 'currencies');
  if (entry.type === 'PriceBookEntriesDeleted') {
    return <>Removed the prices of {counted(products, 'product')}</>;
  }
  return entry.type === 'AllProductsAdjusted' ? (
    <>Changed all products in {within}</>
  ) : (
    <>
      Set prices of{' '}
      {only === undefined ? counted(products, 'product') : <ProductLink bookId={bookId} productId={only} />}{' '}
      in {within}
    </>
  );
};

const Updated = ({
  data,
  formerName,
}: {
  readonly data: Schemas['PriceBookUpdatedData'];
  readonly formerName: string | undefined;
}) => {
  const { name, key } = data;
  const others = [
    data.description !== undefined && 'description',
    key !== undefined && (key === null ? 'key (removed)' : 'key'),
    data.metadata !== undefined && 'metadata',
  ].filter((one) => one !== false);
  if (name === undefined || name === formerName) {
    return <>Changed the {others.length === 0 ? 'details' : others.join(' and ')} of the book</>;
  }
  return (
    <>
      Renamed the book{' '}
      {formerName !== undefined && (
        <>
          from <Name>{formerName}</Name>{' '}
        </>
      )}
      to <Name>{name}</Name>
      {others.length > 0 && `, and changed its ${others.join(' and ')}`}
    </>
  );
};

interface SentenceProps {
  readonly bookId: string;
  readonly entry: Entry;
  /** How the book was called before, where that is known. */
  readonly formerName: string | undefined;
}

export const Sentence = ({ bookId, entry, formerName }: SentenceProps) => {
  switch (entry.type) {
    case 'PriceBookCreated':
      return (
        <>
          Created the book as <Name>{entry.data.name}</Name>
        </>
      );
    case 'PriceBookCloned':
      return (
        <>
          Created the book as <Name>{entry.data.name}</Name>, a copy of{' '}
          <a href={bookHref(entry.data.clonedFrom.priceBookId)}>another book</a>
        </>
      );
    case 'PriceBookUpdated':
      return <Updated data={entry.data} formerName={formerName} />;
    case 'PriceBookDeleted':
      return <>Deleted the book</>;
    case 'PriceBookRestored':
      return <>Restored the book</>;
    case 'ProductPricesSet':
    case 'AllProductsAdjusted':
    case 'PriceBookEntriesDeleted': {
      const changes = changesOf(entry);
      const [first] = changes;
      return first !== undefined && changes.length === 1 ? (
        <ChangeSentence bookId={bookId} change={first} />
      ) : (
        <Several bookId={bookId} entry={entry} changes={changes} />
      );
    }
  }
};
