/** The newest entries of a book, which grow at the top by themselves and at the bottom when asked for. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem, Schemas } from '../../api/client';
import { useSession } from '../../session';
import { type Connection, type Entry, follow, loadEntries } from './follow';

const PAGE = 25;

type Entries = ReadonlyMap<number, Entry>;

/** Each revision once: after a reconnection the same may come again. */
const joined = (known: Entries, more: readonly Entry[]): Entries =>
  new Map([...known, ...more.map((entry) => [entry.revision, entry] as const)]);

export interface History {
  /** Newest first. */
  readonly entries: readonly Entry[];
  /** Whether the newest ones that were there at the beginning have come. */
  readonly isThere: boolean;
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  readonly olderProblem: Problem | undefined;
  readonly loadOlder: () => void;
  readonly connection: Connection | undefined;
  readonly followAgain: () => void;
}

/** @param onNews called with entries that came after the beginning. */
export const useHistory = (book: Schemas['PriceBook'], onNews: () => void): History => {
  const { api } = useSession();
  const [entries, setEntries] = useState<Entries>(new Map());
  const [connection, setConnection] = useState<Connection>();
  const [older, setOlder] = useState<{ readonly isLoading: boolean; readonly problem?: Problem }>({
    isLoading: false,
  });
  const [round, setRound] = useState(0);
  // The book is read again while it is followed: what counts is where it was at the beginning.
  const [start] = useState(book.revision);
  const [oldest, setOldest] = useState(Math.max(0, start - PAGE + 1));
  const known = useRef<Entries>(entries);
  known.current = entries;
  const news = useRef(onNews);
  news.current = onNews;
  const left = useRef(new AbortController());

  useEffect(() => {
    const aborter = new AbortController();
    const newest = Math.max(oldest - 1, ...known.current.keys());
    void follow(
      api,
      book.id,
      newest,
      {
        onEntries: (more) => {
          setEntries((before) => joined(before, more));
          if (more.some(({ revision }) => revision > start)) news.current();
        },
        onConnection: setConnection,
      },
      aborter.signal,
    );
    return () => {
      aborter.abort();
    };
  }, [api, book.id, round]);

  useEffect(() => {
    left.current = new AbortController();
    return () => {
      left.current.abort();
    };
  }, []);

  const loadOlder = (): void => {
    if (older.isLoading || oldest === 0) return;
    setOlder({ isLoading: true });
    const from = Math.max(0, oldest - PAGE);
    loadEntries(api, book.id, { from, to: oldest - 1 }, left.current.signal).then(
      (answer) => {
        setOlder({ isLoading: false, ...(!answer.ok && { problem: answer.problem }) });
        if (!answer.ok) return;
        setEntries((before) => joined(before, answer.data));
        setOldest(from);
      },
      () => undefined,
    );
  };

  return {
    entries: [...entries.values()].sort((a, b) => b.revision - a.revision),
    isThere: entries.has(start),
    hasOlder: oldest > 0,
    isLoadingOlder: older.isLoading,
    olderProblem: older.problem,
    loadOlder,
    connection,
    followAgain: () => {
      setRound((before) => before + 1);
    },
  };
};
