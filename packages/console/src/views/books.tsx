/** All price books. */
import { useRef, useState } from 'preact/hooks';
import { v4 as newId } from 'uuid';
import { type Answer, answerOf, type Api, faultAt, type Problem, type Schemas } from '../api/client';
import { nextCursor } from '../api/next-cursor';
import { bookHref, goTo } from '../router';
import { mayWrite, useSession } from '../session';
import { Dialog } from '../ui/dialog';
import { Form, SelectField, TextField } from '../ui/form';
import { PageTitle } from '../ui/page-title';
import { Empty, Loading, ProblemNotice } from '../ui/notice';
import { Name, Time } from '../ui/text';
import { useLoad } from '../ui/use-load';
import { useSettled } from '../ui/use-settled';
import { BaseChain } from './base-chain';
import { TrySample } from './sandbox/try-sample';
import { Scroller } from '../ui/scroller';

type PriceBook = Schemas['PriceBook'];

const PAGE = 100;
/** As many as the service lists at once: books to choose a base from. */
const MOST = 1_000;

interface Page {
  readonly books: readonly PriceBook[];
  readonly cursor: string | undefined;
}

interface Asked {
  readonly name: string;
  readonly cursor?: string | undefined;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

const loadPage = async (api: Api, { name, cursor, limit = PAGE, signal }: Asked): Promise<Answer<Page>> => {
  const answer = await answerOf(
    api.GET('/v1/pricebooks', {
      params: {
        query: { limit, sort: 'name', ...(name !== '' && { name }), ...(cursor && { cursor }) },
      },
      ...(signal && { signal }),
    }),
  );
  if (!answer.ok) return answer;
  return { ...answer, data: { books: answer.data, cursor: nextCursor(answer.response) } };
};

const NewBook = ({ onClose }: { readonly onClose: () => void }) => {
  const { api } = useSession();
  const [name, setName] = useState('');
  const [base, setBase] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setSending] = useState(false);
  /** What was sent last, and its key: sent again after a lost answer, it is not done twice. */
  const attempt = useRef({ content: '', key: '' });
  const { data } = useLoad((signal) => loadPage(api, { name: '', limit: MOST, signal }), []);
  const create = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    const body = { name, ...(base !== '' && { basePriceBookId: base }) };
    const content = JSON.stringify(body);
    if (attempt.current.content !== content) attempt.current = { content, key: newId() };
    const answer = await answerOf(
      api.POST('/v1/pricebooks', {
        params: { header: { 'Idempotency-Key': attempt.current.key } },
        body,
      }),
    );
    setSending(false);
    if (answer.ok) goTo(bookHref(answer.data.id));
    else setProblem(answer.problem);
  };
  const nameFault = faultAt(problem, '/name');
  return (
    <Dialog title="New price book" onClose={onClose}>
      <Form
        onSubmit={() => {
          void create();
        }}
      >
        <TextField label="Name" value={name} onInput={setName} fault={nameFault} autoFocus />
        <SelectField
          label="Base book"
          hint="A book with a base answers the base's prices, changed by its own."
          value={base}
          options={[['', 'None'], ...(data?.books ?? []).map((book) => [book.id, book.name] as const)]}
          onChange={setBase}
          fault={faultAt(problem, '/basePriceBookId')}
        />
        {problem !== undefined && nameFault === undefined && <ProblemNotice problem={problem} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isSending}>
            Create
          </button>
        </div>
      </Form>
    </Dialog>
  );
};

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
