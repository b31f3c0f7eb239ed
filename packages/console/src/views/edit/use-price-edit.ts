/** What happens to a draft: loaded, tried out, saved, and reconciled with what others saved meanwhile. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Fault, type Problem, type Schemas, UNREACHABLE } from '../../api/client';
import { useSession } from '../../session';
import { useLoad } from '../../ui/use-load';
import type * as CalculateModule from './calculate';
import { loadChain } from './chain';
import { bodyOf, currencyOf, type Draft, emptyDraft, type Scope, withAdjustment } from './draft';
import { noFaults, placed } from './faults';
import { type Base, type Held, loadHeld, type OtherChange } from './own';
import { save, tryOut, type Write } from './save';

type Calculate = typeof CalculateModule;

/** The service checks as well: where the code has not arrived, it alone does. */
const loadCalculate = (): Promise<Calculate | undefined> => import('./calculate').catch(() => undefined);

/** Whoever has typed something wants to know that it is still there. */
const inForm = (problem: Problem): Problem =>
  problem.status === UNREACHABLE.status
    ? {
        ...UNREACHABLE,
        title: 'The service does not answer',
        detail: 'What you typed is kept. Try again when the service or your connection is back.',
      }
    : problem;

interface Conflict {
  readonly held: Held;
  readonly changes: readonly OtherChange[];
}

/** What the form shows of what a product has: the one that sets its price before the one that changes it. */
const filled = (draft: Draft, { own }: Held): Draft => {
  const currency = currencyOf(draft);
  const found = own.adjustments[currency] ?? own.percents[currency];
  return found === undefined ? draft : withAdjustment(draft, found);
};

interface Editing {
  readonly book: Schemas['PriceBook'];
  readonly scope: Scope;
  readonly initial: { readonly productId: string; readonly currency: string };
  readonly onSaved: () => void;
}

export const usePriceEdit = ({ book, scope, initial, onSaved }: Editing) => {
  const { api } = useSession();
  const isNew = initial.currency === '' || (scope === 'product' && initial.productId === '');
  const [draft, setDraft] = useState(() =>
    emptyDraft(initial.productId, initial.currency, scope === 'all' ? 'percent' : 'override'),
  );
  const [setAside, setSetAside] = useState<Draft>();
  const isTouched = useRef(false);
  const loaded = useLoad(
    (signal) => loadHeld(api, { bookId: book.id, scope, productId: initial.productId, signal }),
    [],
  );
  const [held, setHeld] = useState<Held>();
  /** What others change since the book was opened is seen when it is saved, whatever is loaded here. */
  const base = useRef<Base>(book);
  const attempt = useRef({ body: '', key: '' });
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState(noFaults);
  const [failed, setFailed] = useState<{ readonly problem: Problem; readonly retry: () => void }>();
  const [preview, setPreview] = useState<Schemas['PricesPreview']>();
  const [conflict, setConflict] = useState<Conflict>();

  useEffect(() => {
    void loadCalculate();
  }, []);

  useEffect(() => {
    const { data } = loaded;
    if (data === undefined) return;
    setHeld(data);
    base.current = data.base;
    if (!isNew) setDraft((before) => filled(before, data));
  }, [loaded.data]);

  const change = useCallback((next: (draft: Draft) => Draft) => {
    isTouched.current = true;
    setDraft(next);
    setFaults(noFaults);
    setFailed(undefined);
    setPreview(undefined);
  }, []);

  const write: Write = {
    bookId: book.id,
    scope,
    productId: draft.productId,
    currency: currencyOf(draft),
    body: bodyOf(draft, scope),
  };

  const refuse = (found: readonly Fault[]): void => {
    setFaults(placed(found));
  };

  const fail = (problem: Problem, retry: () => void): void => {
    refuse(problem.errors);
    const isPlaced = problem.errors.length > 0 && placed(problem.errors).others.length === 0;
    setFailed(isPlaced ? undefined : { problem: { ...inForm(problem), errors: [] }, retry });
  };

  /** Runs one thing at a time, on content that can be right. */
  const run = async (action: (calculate: Calculate | undefined) => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFailed(undefined);
    setFaults(noFaults);
    try {
      const calculate = await loadCalculate();
      const found = calculate?.faultsIn(write.body) ?? [];
      if (found.length > 0) refuse(found);
      else await action(calculate);
    } finally {
      setBusy(false);
    }
  };

  const showPreview = (): Promise<void> =>
    run(async (calculate) => {
      const tried = await tryOut(api, write);
      const retry = () => void showPreview();
      if (!tried.ok) {
        fail(tried.problem, retry);
        return;
      }
      if (scope === 'all' || calculate === undefined) {
        setPreview(tried.data.preview);
        return;
      }
      const chain = await loadChain(api, book, draft.productId);
      if (chain.ok) setPreview(calculate.preview(chain.data, write.body, write.currency));
      else fail(chain.problem, retry);
    });

  const saveNow = (): Promise<void> =>
    run(async () => {
      if (attempt.current.body !== write.body) {
        attempt.current = { body: write.body, key: crypto.randomUUID() };
      }
      const outcome = await save(api, write, base.current, attempt.current.key).catch(() => ({
        _tag: 'Refused' as const,
        problem: UNREACHABLE,
      }));
      switch (outcome._tag) {
        case 'Saved':
          onSaved();
          return;
        case 'Conflict':
          setConflict(outcome);
          setPreview(undefined);
          return;
        case 'Refused':
          fail(outcome.problem, () => void saveNow());
      }
    });

  /** From here on their change has been seen. */
  const settle = ({ held: seen }: Conflict): void => {
    base.current = seen.base;
    setHeld(seen);
    setConflict(undefined);
  };

  return {
    draft,
    change,
    held,
    /** Why it is not known what is there now. */
    unknown: held === undefined && loaded.problem !== undefined ? inForm(loaded.problem) : undefined,
    loadAgain: loaded.reload,
    /** Whether the form may be filled in: one of a price that is there has it from the start. */
    isNew,
    isReady: held !== undefined || isNew,
    isBusy,
    isTouched: () => isTouched.current,
    faults,
    failed,
    preview,
    showPreview,
    save: saveNow,
    conflict: conflict && {
      ...conflict,
      takeTheirs: () => {
        settle(conflict);
        setSetAside(draft);
        setDraft(filled(emptyDraft(draft.productId, draft.currency, draft.kind), conflict.held));
      },
      keepOurs: () => {
        settle(conflict);
        void saveNow();
      },
      editOn: () => {
        settle(conflict);
      },
    },
    takeBack:
      setAside &&
      (() => {
        setDraft(setAside);
        setSetAside(undefined);
      }),
  };
};
