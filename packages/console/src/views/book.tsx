/** One price book: its name and base, and a tab for each side of it. */
import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { answerOf, type Problem } from '../api/client';
import { BOOK_TABS, bookHref, booksHref, type BookTab, goTo } from '../router';
import { mayWrite, useSession } from '../session';
import { Empty, Loading, ProblemNotice } from '../ui/notice';
import { PageTitle } from '../ui/page-title';
import { RenameDialog } from '../ui/rename-dialog';
import { Name, Time } from '../ui/text';
import { useLoad } from '../ui/use-load';
import { BaseChain } from './base-chain';
import { DeleteBook } from './delete-book';
import { BaseOf } from './derived-books';
import { AllProductsTab } from './all-products/all-products-tab';
import { HistoryTab } from './history/history-tab';
import type { BookTabProps } from './book-tab-props';
import { ImportExportTab } from './import-export/import-export-tab';
import { PricesTab } from './prices/prices-tab';

const TABS: Readonly<
  Record<BookTab, { readonly label: string; readonly Panel: FunctionComponent<BookTabProps> }>
> = {
  prices: { label: 'Prices', Panel: PricesTab },
  'all-products': { label: 'All products', Panel: AllProductsTab },
  history: { label: 'History', Panel: HistoryTab },
  'import-export': { label: 'Import and export', Panel: ImportExportTab },
};

interface ActionProps extends BookTabProps {
  readonly onClose: () => void;
}

const Rename = ({ book, onChanged, onClose }: ActionProps) => {
  const { api } = useSession();
  return (
    <RenameDialog
      title="Rename the book"
      name={book.name}
      rename={(name) =>
        answerOf(
          api.PATCH('/v1/pricebooks/{priceBookId}', {
            params: { path: { priceBookId: book.id } },
            body: { name },
          }),
        )
      }
      onRenamed={onChanged}
      onClose={onClose}
    />
  );
};

const Tabs = ({ bookId, tab }: { readonly bookId: string; readonly tab: BookTab }) => {
  const select = (place: number): void => {
    const to = BOOK_TABS[(place + BOOK_TABS.length) % BOOK_TABS.length] ?? 'prices';
    goTo(bookHref(bookId, to));
    document.getElementById(`tab-${to}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="The book">
      {BOOK_TABS.map((one, place) => (
        <button
          key={one}
          id={`tab-${one}`}
          type="button"
          role="tab"
          aria-selected={one === tab}
          aria-controls="book-panel"
          tabIndex={one === tab ? 0 : -1}
          onClick={() => {
            select(place);
          }}
          onKeyDown={({ key }) => {
            if (key === 'ArrowRight') select(place + 1);
            if (key === 'ArrowLeft') select(place - 1);
          }}
        >
          {TABS[one].label}
        </button>
      ))}
    </div>
  );
};

interface MissingProps {
  readonly problem: Problem;
  readonly onRetry: () => void;
}

/** In place of a book: an id that is none is that of no book. */
const Missing = ({ problem, onRetry }: MissingProps) =>
  problem.status === 404 || problem.status === 400 ? (
    <Empty title="There is no such price book">
      <p class="soft">It may have been deleted.</p>
      <a href={booksHref}>All price books</a>
    </Empty>
  ) : (
    <ProblemNotice problem={problem} onRetry={onRetry} />
  );

export const BookView = ({ bookId, tab }: { readonly bookId: string; readonly tab: BookTab }) => {
  const { api, key } = useSession();
  const [action, setAction] = useState<'rename' | 'delete'>();
  const {
    data: book,
    problem,
    reload,
  } = useLoad(
    (signal) =>
      answerOf(
        api.GET('/v1/pricebooks/{priceBookId}', { params: { path: { priceBookId: bookId } }, signal }),
      ),
    [bookId],
  );
  if (book === undefined) {
    return problem === undefined ? (
      <Loading what="the book" />
    ) : (
      <Missing problem={problem} onRetry={reload} />
    );
  }
  const { Panel } = TABS[tab];
  const close = (): void => {
    setAction(undefined);
  };
  const props = { book, onChanged: reload, onClose: close };
  return (
    <>
      <div class="stack tight">
        <nav class="crumbs" aria-label="Path">
          <a href={booksHref}>Price books</a>
        </nav>
        <div class="row apart">
          <PageTitle title={book.name}>
            <Name>{book.name}</Name>
          </PageTitle>
          {mayWrite(key) && (
            <div class="row">
              <button
                type="button"
                onClick={() => {
                  setAction('rename');
                }}
              >
                Rename
              </button>
              <button
                type="button"
                class="danger"
                onClick={() => {
                  setAction('delete');
                }}
              >
                Delete
              </button>
            </div>
          )}
        </div>
        <p class="soft small">
          {book.basePriceBookId !== undefined && (
            <>
              Based on <BaseChain key={book.basePriceBookId} bookId={book.basePriceBookId} isLinked /> ·{' '}
            </>
          )}
          <BaseOf bookId={book.id} />
          Changed <Time at={book.updatedAt} />
        </p>
      </div>
      <Tabs bookId={book.id} tab={tab} />
      <section id="book-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} class="stack">
        <Panel book={book} onChanged={reload} />
      </section>
      {action === 'rename' && <Rename {...props} />}
      {action === 'delete' && <DeleteBook {...props} />}
    </>
  );
};
