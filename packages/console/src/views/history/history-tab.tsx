/** What happened to a book, newest first, and what happens while one looks. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../../session';
import { SelectField, TextField } from '../../ui/form';
import { KeyNames } from '../../ui/key-names';
import { Empty, Loading, Notice, ProblemNotice } from '../../ui/notice';
import { useLoad } from '../../ui/use-load';
import { useSettled } from '../../ui/use-settled';
import type { BookTabProps } from '../book-tab-props';
import '../../styles/history.css';
import { type Kind, KINDS, kindOf } from './changes';
import { EntryItem } from './entry-item';
import type { Connection, Entry } from './follow';
import { loadOfProduct, ofProduct } from './of-product';
import { useHistory } from './use-history';

/** As many as fill a screen are looked for where a filter leaves few. */
const ENOUGH = 10;
/** Then people say whether the search goes on. */
const MAX_SEARCHED = 500;

/** How the book was called before each entry that is known, oldest first. */
const formerNames = (entries: readonly Entry[]): ReadonlyMap<number, string> => {
  const names = new Map<number, string>();
  let name: string | undefined;
  for (const { revision, data } of entries.toReversed()) {
    if (name !== undefined) names.set(revision, name);
    if ('name' in data && data.name !== undefined) ({ name } = data);
  }
  return names;
};

const ConnectionNotice = ({
  connection,
  onAgain,
}: {
  readonly connection: Connection;
  readonly onAgain: () => void;
}) => {
  switch (connection.state) {
    case 'live':
      return (
        <p class="history-live soft small" role="status">
          Live: new changes appear by themselves.
        </p>
      );
    case 'lost':
      return (
        <p class="history-live lost small" role="status">
          The connection is lost. New changes appear when it is back.
        </p>
      );
    case 'ended':
      return (
        <p class="history-live soft small" role="status">
          The book is deleted: no more changes follow.
        </p>
      );
    case 'refused':
      return <ProblemNotice problem={connection.problem} onRetry={onAgain} />;
  }
};

export const HistoryTab = ({ book, onChanged }: BookTabProps) => {
  const { api } = useSession();
  const history = useHistory(book, onChanged);
  const [kind, setKind] = useState<Kind>('');
  const [product, setProduct] = useState('');
  const productId = useSettled(product.trim(), 300);
  const found = useLoad(
    async (signal) => {
      if (productId === '') return { ok: true as const, data: undefined, response: new Response() };
      const answer = await loadOfProduct(api, book.id, productId, signal);
      return answer.ok ? { ...answer, data: { productId, entries: answer.data } } : answer;
    },
    [productId],
  );
  const ofOne = productId !== '' && found.data?.productId === productId ? found.data.entries : undefined;

  const merged = (): readonly Entry[] => {
    if (productId === '') return history.entries;
    const newest = ofOne?.[0]?.revision ?? -1;
    const since = history.entries
      .filter(({ revision }) => revision > newest)
      .flatMap((entry) => ofProduct(entry, productId) ?? []);
    return ofOne === undefined ? [] : [...since, ...ofOne];
  };
  const matching = merged().filter((entry) => kind === '' || kindOf(entry) === kind);

  // A user who has scrolled is reading: new changes wait above, and are counted.
  const top = useRef<HTMLDivElement>(null);
  const newest = history.entries[0]?.revision ?? -1;
  const [shownTo, setShownTo] = useState(book.revision);
  useEffect(() => {
    if (newest > shownTo && (top.current?.getBoundingClientRect().top ?? 0) >= 0) setShownTo(newest);
  }, [newest]);
  const shown = matching.filter(({ revision }) => revision <= shownTo);
  const waiting = matching.length - shown.length;
  const showNew = (): void => {
    setShownTo(newest);
    top.current?.scrollIntoView({ block: 'center' });
    top.current?.focus();
  };

  const isThere = productId === '' ? history.isThere : ofOne !== undefined;
  const canLoadOlder = productId === '' && history.hasOlder && history.isThere;
  const { isLoadingOlder, olderProblem, loadOlder } = history;
  useEffect(() => {
    const isShort = kind !== '' && shown.length < ENOUGH && history.entries.length < MAX_SEARCHED;
    if (canLoadOlder && isShort && !isLoadingOlder && olderProblem === undefined) loadOlder();
  }, [kind, history.entries.length, canLoadOlder, isLoadingOlder]);

  const former = formerNames(history.entries);
  const { connection } = history;
  return (
    <KeyNames>
      <div class="history-filters">
        <SelectField label="Kind of change" value={kind} options={KINDS} onChange={setKind} />
        <TextField
          label="Product"
          type="search"
          placeholder="Exact product id"
          value={product}
          onInput={setProduct}
        />
      </div>
      <div ref={top} tabIndex={-1} class="history-top">
        {connection === undefined ? (
          <p class="history-live soft small" role="status">
            Connecting …
          </p>
        ) : (
          <ConnectionNotice connection={connection} onAgain={history.followAgain} />
        )}
      </div>
      <div class="history-new" role="status">
        {waiting > 0 && (
          <button type="button" class="primary" onClick={showNew}>
            {waiting.toLocaleString()} new {waiting === 1 ? 'change' : 'changes'}
          </button>
        )}
      </div>
      {productId !== '' && found.problem !== undefined && (
        <ProblemNotice problem={found.problem} onRetry={found.reload} />
      )}
      {!isThere && found.problem === undefined && connection?.state !== 'refused' && (
        <Loading what="the history" />
      )}
      {isThere && shown.length === 0 && !canLoadOlder && (
        <Empty title="No such changes">
          <p class="soft">Nothing in the history of this book matches the filter.</p>
        </Empty>
      )}
      {isThere && shown.length > 0 && (
        <ol class="history-list" role="list" aria-label="History">
          {shown.map((entry) => (
            <EntryItem
              key={entry.revision}
              bookId={book.id}
              entry={entry}
              formerName={former.get(entry.revision)}
            />
          ))}
        </ol>
      )}
      {canLoadOlder && olderProblem !== undefined && (
        <ProblemNotice problem={olderProblem} onRetry={loadOlder} />
      )}
      {canLoadOlder && olderProblem === undefined && (
        <div class="row">
          <button type="button" disabled={isLoadingOlder} onClick={loadOlder}>
            Show older changes
          </button>
          {kind !== '' && shown.length === 0 && !isLoadingOlder && (
            <Notice>No such change among the latest {history.entries.length.toLocaleString()}.</Notice>
          )}
        </div>
      )}
    </KeyNames>
  );
};
