/** What the products of a book cost, in one currency at a time. */
import '../../styles/prices.css';
import { useRef, useState } from 'preact/hooks';
import { mayWrite, useSession } from '../../session';
import { bookHref, productHref } from '../../router';
import { changeText } from '../../ui/adjustment-words';
import { TextField } from '../../ui/form';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { Name } from '../../ui/text';
import { Toast } from '../../ui/toast';
import { useLoad } from '../../ui/use-load';
import { useSettled } from '../../ui/use-settled';
import type { BookTabProps } from '../book-tab-props';
import { PriceForm } from '../edit/price-form';
import { CurrencySelect } from './currency-select';
import { findCurrencies } from './find-currencies';
import { keepPlace, placeIn } from './place';
import { PriceGrid } from './price-grid';
import type { PriceRow, RowsQuestion } from './price-rows';
import { usePriceRows } from './use-price-rows';

/** Rows are there within 300 ms of the last key. */
const TYPING_PAUSE_MS = 80;
const MAX_PREFIX = 256;

interface Edited {
  readonly productId?: string;
  readonly currency?: string;
}

interface Saved extends Required<Edited> {
  /** In ms since 1970: the same price may be saved again. */
  readonly at: number;
}

const NothingFound = ({ bookId, prefix, currency }: RowsQuestion) =>
  prefix === '' ? (
    <Empty title={`No prices in ${currency} yet`}>
      <p class="soft">Set a price, import a file, or choose another currency.</p>
    </Empty>
  ) : (
    <Empty title="No product found">
      <p class="soft">
        No product with a price in {currency} begins with <Name>{prefix}</Name>. Upper and lower case differ.
      </p>
      <p class="soft">
        Products whose prices are planned or removed are not in the list:{' '}
        <a href={productHref(bookId, prefix, currency)}>
          open <Name>{prefix}</Name>
        </a>
        .
      </p>
    </Empty>
  );

/** By what the book changes the prices of products that have no change of their own, as far as the first rows show it. */
const changeForAllIn = (rows: readonly PriceRow[]): string | undefined => {
  const row = rows.slice(0, 50).find(({ changeForAll }) => changeForAll !== undefined);
  return row?.changeForAll && changeText(row.changeForAll, row.currency);
};

export const PricesTab = ({ book, onChanged }: BookTabProps) => {
  const { api, key } = useSession();
  const [place] = useState(() => placeIn(book.id));
  const [chosen, setChosen] = useState(place.currency);
  const [typed, setTyped] = useState(place.typed);
  const [edited, setEdited] = useState<Edited>();
  const [saved, setSaved] = useState<Saved>();
  const prefix = useSettled(Array.from(typed).slice(0, MAX_PREFIX).join(''), TYPING_PAUSE_MS);
  const found = useLoad((signal) => findCurrencies(api, book, signal), [book.id, book.revision]);
  const first = useRef<string>(undefined);
  if (found.data !== undefined) first.current ??= found.data[0] ?? 'USD';
  // Which is found first may change with each change of the book, but not before the reader's eyes.
  const currency = chosen ?? first.current;
  const { shown, isCurrent, problem, more, refresh, retry } = usePriceRows(
    currency === undefined ? undefined : { bookId: book.id, currency, prefix },
    place.row + 1,
  );
  const isWriter = mayWrite(key);
  const search = (text: string): void => {
    setTyped(text);
    keepPlace(book.id, { typed: text, row: 0 });
  };
  const choose = (code: string): void => {
    setChosen(code);
    keepPlace(book.id, { currency: code, row: 0 });
  };
  const count = shown?.count ?? 0;
  const changeForAll = changeForAllIn(shown?.rows ?? []);

  return (
    <>
      <div class="row apart find-prices">
        <div class="row">
          <TextField label="Find product" type="search" value={typed} onInput={search} />
          <CurrencySelect value={currency ?? ''} found={found.data ?? []} onChange={choose} />
        </div>
        {isWriter && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              setEdited(currency === undefined ? {} : { currency });
            }}
          >
            Set price
          </button>
        )}
      </div>
      {found.problem !== undefined && <ProblemNotice problem={found.problem} onRetry={found.reload} />}
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={retry} />}
      {shown === undefined && problem === undefined && found.problem === undefined && (
        <div class="prices waiting">
          <Loading what="prices" />
        </div>
      )}
      {shown !== undefined && (
        <>
          <PriceGrid
            key={`${shown.of.currency} ${shown.of.prefix}`}
            bookId={book.id}
            rows={shown.rows}
            count={count}
            isDone={shown.isDone}
            empty={<NothingFound {...shown.of} />}
            isStale={!isCurrent}
            onNearEnd={more}
            initialRow={placeIn(book.id).row}
            onMoved={(row) => {
              keepPlace(book.id, { row });
            }}
            onEdit={
              isWriter
                ? ({ productId }) => {
                    setEdited({ productId, currency: shown.of.currency });
                  }
                : undefined
            }
          />
          <p class="row apart small soft">
            <span>
              {count.toLocaleString()}
              {shown.isDone ? '' : '+'} {count === 1 && shown.isDone ? 'product' : 'products'}
              {changeForAll !== undefined && (
                <>
                  {' · all changed by '}
                  <a href={bookHref(book.id, 'all-products')}>{changeForAll}</a>
                </>
              )}
            </span>
            <span>
              <kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>Enter</kbd>{' '}
              {isWriter ? 'sets the price' : 'opens the product'}
            </span>
          </p>
        </>
      )}
      <div role="status">
        {saved !== undefined && (
          <Toast
            key={saved.at}
            onClose={() => {
              setSaved(undefined);
            }}
          >
            <span>
              Saved the price of <Name>{saved.productId}</Name>
            </span>
            <a href={productHref(book.id, saved.productId, saved.currency)}>Show</a>
          </Toast>
        )}
      </div>
      {edited !== undefined && (
        <PriceForm
          book={book}
          initial={edited}
          onClose={() => {
            setEdited(undefined);
          }}
          onSaved={(productId, code) => {
            setEdited(undefined);
            setSaved({ productId, currency: code, at: Date.now() });
            refresh(productId);
            onChanged();
          }}
        />
      )}
    </>
  );
};
