/** One product in a book: its price, what is set for it, why it costs that, and what it cost and will cost. */
import { useMemo, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { bookHref, booksHref, goOnTo, productHref } from '../../router';
import { mayWrite, useSession } from '../../session';
import { SelectField } from '../../ui/form';
import { KeyNames } from '../../ui/key-names';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { PageTitle } from '../../ui/page-title';
import { Name } from '../../ui/text';
import { useLoad } from '../../ui/use-load';
import '../../styles/product.css';
import { type Chain, loadChain } from '../edit/chain';
import { PriceForm } from '../edit/price-form';
import { currenciesOf, formerCurrencies } from './currencies';
import { CurrentPrice } from './current-price';
import { Explanation } from './explanation';
import { OwnAdjustments } from './own-adjustments';
import { loadHistory, loadPrice, noQuestion, type Place } from './question';
import { askedProperties, tablesOf } from './properties';
import { Timeline } from './timeline';

interface PricesProps {
  readonly chain: Chain;
  readonly place: Place;
  /** Another one after each write. */
  readonly round: number;
}

const NONE: readonly Schemas['PricePeriod'][] = [];

/** Everything about the price in one currency. */
const Prices = ({ chain, place, round }: PricesProps) => {
  const { api } = useSession();
  const { priceBookId, productId, currency } = place;
  const [question, setQuestion] = useState(noQuestion);
  const inputs = [priceBookId, productId, currency, round, question];
  const price = useLoad((signal) => loadPrice(api, place, question, signal), inputs);
  const history = useLoad((signal) => loadHistory(api, place, question, signal), inputs);
  const periods = history.data?.currency === currency ? history.data.periods : NONE;
  const properties = useMemo(
    () => askedProperties(tablesOf(chain, currency, periods)),
    [chain, currency, periods],
  );
  const bookNames = useMemo(() => new Map(chain.map(({ book }) => [book.id, book.name])), [chain]);
  return (
    <>
      <div class="overview">
        <CurrentPrice load={price} properties={properties} />
        <OwnAdjustments chain={chain} currency={currency} />
      </div>
      <Explanation load={price} properties={properties} onAsk={setQuestion} bookNames={bookNames} />
      <Timeline load={history} {...{ currency, properties, bookNames }} />
    </>
  );
};

interface HeadProps {
  readonly book: Schemas['PriceBook'];
  readonly productId: string;
  readonly currencies: readonly string[];
  readonly currency: string | undefined;
  readonly onCurrency: (currency: string) => void;
  readonly onEdit: () => void;
}

const Head = ({ book, productId, currencies, currency, onCurrency, onEdit }: HeadProps) => {
  const { key } = useSession();
  return (
    <div class="stack tight">
      <nav class="crumbs" aria-label="Path">
        <a href={booksHref}>Price books</a>
        <span aria-hidden="true">/</span>
        <a href={bookHref(book.id)}>
          <Name>{book.name}</Name>
        </a>
      </nav>
      <div class="product-head">
        <PageTitle title={productId}>
          <Name>{productId}</Name>
        </PageTitle>
        <div class="actions">
          {currency !== undefined && (
            <SelectField
              label="Currency"
              value={currency}
              options={currencies.map((one) => [one, one] as const)}
              onChange={onCurrency}
            />
          )}
          {mayWrite(key) && (
            <button type="button" onClick={onEdit}>
              Set price
            </button>
          )}
        </div>
      </div>
    </div>
  );
};

const Unknown = ({ book }: { readonly book: Schemas['PriceBook'] }) => (
  <Empty title="This book does not know the product">
    <p class="soft">
      Neither <Name>{book.name}</Name> nor a book it is based on has ever had a price for it. Check the
      product id.
    </p>
    <a href={bookHref(book.id)}>
      All prices of <Name>{book.name}</Name>
    </a>
  </Empty>
);

interface ProductViewProps {
  readonly bookId: string;
  readonly productId: string;
  /** The currency that is chosen, if one is. */
  readonly chosen: string | undefined;
}

export const ProductView = ({ bookId, productId, chosen }: ProductViewProps) => {
  const { api } = useSession();
  const [isEditing, setEditing] = useState(false);
  const [round, setRound] = useState(0);
  const loaded = useLoad((signal) => loadChain(api, bookId, productId, signal), [bookId, productId, round]);
  const former = useLoad(
    (signal) => formerCurrencies(api, bookId, productId, signal),
    [bookId, productId, round],
  );
  const chain = loaded.data;
  const [link] = chain ?? [];
  const present = useMemo(() => (chain === undefined ? [] : currenciesOf(chain)), [chain]);
  if (chain === undefined || link === undefined) {
    return loaded.problem === undefined ? (
      <Loading what="the product" />
    ) : (
      <>
        <ProblemNotice problem={loaded.problem} onRetry={loaded.reload} />
        <p>
          <a href={booksHref}>All price books</a>
        </p>
      </>
    );
  }
  const currencies = [...new Set([...present, ...(former.data ?? [])])];
  // One that is chosen may be known from the history alone.
  const isWaiting = chosen !== undefined && former.data === undefined && former.problem === undefined;
  const first = isWaiting ? undefined : currencies[0];
  const currency = chosen !== undefined && currencies.includes(chosen) ? chosen : first;
  return (
    <KeyNames>
      <Head
        book={link.book}
        productId={productId}
        currencies={currencies}
        currency={currency}
        onCurrency={(code) => {
          goOnTo(productHref(bookId, productId, code));
        }}
        onEdit={() => {
          setEditing(true);
        }}
      />
      {currency !== undefined && (
        <Prices chain={chain} round={round} place={{ priceBookId: link.book.id, productId, currency }} />
      )}
      {currency === undefined &&
        (former.isLoading ? <Loading what="the history" /> : <Unknown book={link.book} />)}
      {isEditing && (
        <PriceForm
          book={link.book}
          initial={{ productId, ...(currency !== undefined && { currency }) }}
          onClose={() => {
            setEditing(false);
          }}
          onSaved={() => {
            setEditing(false);
            setRound(round + 1);
          }}
        />
      )}
    </KeyNames>
  );
};
