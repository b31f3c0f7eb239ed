/** All price books. */
import { useState } from 'preact/hooks';
import { type Problem, type Schemas } from '../api/client';
import { bookHref } from '../router';
import { mayWrite, useSession } from '../session';
import { TextField } from '../ui/form';
import { Empty, Loading, ProblemNotice } from '../ui/notice';
import { PageTitle } from '../ui/page-title';
import { Scroller } from '../ui/scroller';
import { Name, Time } from '../ui/text';
import { useLoad } from '../ui/use-load';
import { useSettled } from '../ui/use-settled';
import { BaseChain } from './base-chain';
import { loadPage, type Page } from './load-books';
import { NewBook } from './new-book';
import { TrySample } from './sandbox/try-sample';

type PriceBook = Schemas['PriceBook'];

const BooksTable = ({ books }: { readonly books: readonly PriceBook[] }) => {
  const known = new Map(books.map((book) => [book.id, book]));
  return (
    <Scroller label="List of price books">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Based on</th>
            <th scope="col">Last change</th>
          </tr>
        </thead>
        <tbody>
          {books.map((book) => (
            <tr key={book.id}>
              <td>
                <a href={bookHref(book.id)}>
                  <Name>{book.name}</Name>
                </a>
              </td>
              <td class="soft">
                {book.basePriceBookId !== undefined && (
                  <BaseChain bookId={book.basePriceBookId} known={known} />
                )}
              </td>
              <td class="soft">
                <Time at={book.updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
};

export const BooksView = () => {
  const { api, key } = useSession();
  const [filter, setFilter] = useState('');
  const name = useSettled(filter.trim());
  const [isCreating, setCreating] = useState(false);
  const first = useLoad((signal) => loadPage(api, { name, signal }), [name]);
  const [more, setMore] = useState<Page & { readonly of: Page }>();
  const [moreProblem, setMoreProblem] = useState<Problem>();
  const page = more !== undefined && more.of === first.data ? more : first.data;
  const books =
    page === undefined
      ? []
      : page === first.data
        ? page.books
        : [...(first.data?.books ?? []), ...page.books];

  const loadMore = async (): Promise<void> => {
    if (first.data === undefined) return;
    const answer = await loadPage(api, { name, cursor: page?.cursor });
    setMoreProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    const before = page === first.data ? [] : (page?.books ?? []);
    setMore({ books: [...before, ...answer.data.books], cursor: answer.data.cursor, of: first.data });
  };

  return (
    <>
      <div class="row apart">
        <PageTitle title="Price books">Price books</PageTitle>
        {mayWrite(key) && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              setCreating(true);
            }}
          >
            New price book
          </button>
        )}
      </div>
      <div class="filter">
        <TextField label="Filter by name" type="search" value={filter} onInput={setFilter} />
      </div>
      {first.problem !== undefined && <ProblemNotice problem={first.problem} onRetry={first.reload} />}
      {first.data === undefined && first.isLoading && <Loading what="price books" />}
      {first.data !== undefined && books.length === 0 && (
        <Empty title={name === '' ? 'No price books yet' : 'No price book has such a name'}>
          <p class="soft">
            {name === ''
              ? 'A price book holds prices of products, by currency.'
              : 'Try another part of the name.'}
          </p>
          {name === '' && mayWrite(key) && <TrySample />}
        </Empty>
      )}
      {books.length > 0 && <BooksTable books={books} />}
      {moreProblem !== undefined && <ProblemNotice problem={moreProblem} />}
      {page?.cursor !== undefined && (
        <div>
          <button
            type="button"
            onClick={() => {
              void loadMore();
            }}
          >
            Load more
          </button>
        </div>
      )}
      {isCreating && (
        <NewBook
          onClose={() => {
            setCreating(false);
          }}
        />
      )}
    </>
  );
};
