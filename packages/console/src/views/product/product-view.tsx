/** One product in a book: its price, what is set for it, why it costs that, and what it cost and will cost. */
import { useMemo, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { bookHref, booksHref } from '../../router';
import { mayWrite, useSession } from '../../session';
import { SelectField } from '../../ui/form';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { Name } from '../../ui/text';
import { useLoad } from '../../ui/use-load';
import '../../styles/product.css';
import { PriceForm } from '../edit/price-form';
import { askedProperties, type Chain, currenciesOf, formerCurrencies, loadChain } from './chain';
import { CurrentPrice } from './current-price';
import { Explanation } from './explanation';
import { OwnAdjustments } from './own-adjustments';
import { loadHistory, loadPrice, noQuestion, type Place } from './question';
import { Timeline } from './timeline';

interface PricesProps {
  readonly chain: Chain;
  readonly place: Place;
  /** Another one after each write. */
  readonly round: number;
  readonly onChanged: () => void;
}

/** Everything about the price in one currency. */
const Prices = ({ chain, place, round, onChanged }: PricesProps) => {
  const { api, key } = useSession();
  const { priceBookId, productId, currency } = place;
  const [question, setQuestion] = useState(noQuestion);
  const inputs = [priceBookId, productId, currency, round, question];
  const price = useLoad((signal) => loadPrice(api, place, question, signal), inputs);
  const history = useLoad((signal) => loadHistory(api, place, question, signal), inputs);
  const properties = useMemo(() => askedProperties(chain, currency), [chain, currency]);
  const bookNames = useMemo(() => new Map(chain.map(({ book }) => [book.id, book.name])), [chain]);
  const names = { bookNames, ownKeyId: key.id };
  return (
    <>
      <div class="overview">
        <CurrentPrice load={price} />
        <OwnAdjustments chain={chain} place={place} onChanged={onChanged} />
      </div>
      <Explanation load={price} properties={properties} onAsk={setQuestion} {...names} />
      <Timeline load={history} currency={currency} {...names} />
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
        <h1>
          <Name>{productId}</Name>
        </h1>
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
}

export const ProductView = ({ bookId, productId }: ProductViewProps) => {
  const { api } = useSession();
  const [chosen, setChosen] = useState<string>();
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
  const currency = chosen !== undefined && currencies.includes(chosen) ? chosen : currencies[0];
  return (
    <>
      <Head
        book={link.book}
        productId={productId}
        currencies={currencies}
        currency={currency}
        onCurrency={setChosen}
        onEdit={() => {
          setEditing(true);
        }}
      />
      {currency !== undefined && (
        <Prices
          chain={chain}
          round={round}
          place={{ priceBookId: link.book.id, productId, currency }}
          onChanged={() => {
            setRound(round + 1);
          }}
        />
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
    </>
  );
};
