import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../api/client';
import { useSession } from '../../session';
import { createPriceRows, type PriceRow, type PriceRows, type RowsQuestion } from './price-rows';

interface Shown {
  readonly of: RowsQuestion;
  readonly rows: readonly PriceRow[];
  readonly count: number;
  readonly isDone: boolean;
}

export interface LoadedRows {
  /** What was found last; it stays while its successor is on its way. Undefined before the first answer. */
  readonly shown: Shown | undefined;
  /** Whether `shown` is what is asked for. */
  readonly isCurrent: boolean;
  readonly problem: Problem | undefined;
  /** Asks for the next page, unless one is on its way or all are there. */
  readonly more: () => void;
  /** After the price of a product was set. */
  readonly refresh: (productId: string) => void;
  readonly retry: () => void;
}

/** So many rows are read at once; more of them only while the reader comes near. */
const MOST_AT_ONCE = 1_000;

/**
 * @param question undefined as long as it is not known.
 * @param count so many rows are read first, as far as that is reasonable.
 */
export const usePriceRows = (question: RowsQuestion | undefined, count: number): LoadedRows => {
  const { api } = useSession();
  const [shown, setShown] = useState<Shown>();
  const [problem, setProblem] = useState<Problem>();
  const [round, setRound] = useState(0);
  const source = useRef<PriceRows>(undefined);
  const isReading = useRef(false);
  const countToKeep = useRef(count);
  const { bookId, currency, prefix } = question ?? {};

  const read = (from: PriceRows, of: RowsQuestion, rows: number): void => {
    isReading.current = true;
    from.readTo(rows).then(
      (failure) => {
        if (source.current !== from) return;
        isReading.current = false;
        setProblem(failure);
        if (failure !== undefined && from.rows.length === 0) return;
        setShown({ of, rows: from.rows, count: from.rows.length, isDone: from.isDone() });
      },
      () => undefined,
    );
  };

  useEffect(() => {
    if (bookId === undefined || currency === undefined || prefix === undefined) return undefined;
    const aborter = new AbortController();
    const of = { bookId, currency, prefix };
    const from = createPriceRows(api, of, aborter.signal);
    source.current = from;
    read(from, of, Math.min(Math.max(1, countToKeep.current), MOST_AT_ONCE));
    countToKeep.current = 0;
    return () => {
      aborter.abort();
    };
  }, [api, bookId, currency, prefix, round]);

  const isCurrent =
    shown !== undefined &&
    shown.of.bookId === bookId &&
    shown.of.currency === currency &&
    shown.of.prefix === prefix;
  const goOn = (): void => {
    const { current } = source;
    if (current !== undefined && question !== undefined && !isReading.current && !current.isDone()) {
      read(current, question, current.rows.length + 1);
    }
  };
  return {
    shown,
    isCurrent,
    problem,
    more: () => {
      if (problem === undefined && isCurrent) goOn();
    },
    retry: goOn,
    refresh: (productId) => {
      const { current } = source;
      if (current === undefined || shown === undefined) return;
      const readAgain = (): void => {
        countToKeep.current = isCurrent ? shown.count : 0;
        setRound((before) => before + 1);
      };
      if (!current.rows.some((row) => row.productId === productId)) readAgain();
      else {
        current.refresh(productId).then(
          (failure) => {
            if (source.current !== current) return;
            if (failure === undefined) setShown({ ...shown, count: current.rows.length });
            else readAgain();
          },
          () => undefined,
        );
      }
    },
  };
};
