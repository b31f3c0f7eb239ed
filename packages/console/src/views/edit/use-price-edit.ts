/** What happens to a draft: loaded, tried out, saved, and reconciled with what others saved meanwhile. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { v4 as newId } from 'uuid';
import { type Fault, type Problem, type Schemas, UNREACHABLE } from '../../api/client';
import { useSession } from '../../session';
import type * as CalculateModule from './calculate';
import { loadChain } from './chain';
import { bodyOf, currencyOf, type Draft, emptyDraft } from './draft';
import { noFaults, placed } from './faults';
import type { Held, OtherChange } from './own';
import { save, tryOut, type Write } from './save';
import { type Editing, filled, useDraft } from './use-draft';

type Calculate = typeof CalculateModule;

/** The service checks as well: where the code has not arrived, it alone does. */
const loadCalculate = (): Promise<Calculate | undefined> => import('./calculate').catch(() => undefined);

/** In the form it also says that nothing that was typed is lost. */
const inForm = (problem: Problem): Problem =>
  problem.status === UNREACHABLE.status
    ? {
        ...UNREACHABLE,
        title: 'The service does not answer',
        detail: 'What you typed is kept. Try again when the service or your connection is back.',
      }
    : problem;

export type OnSaved = (productId: string, currency: string) => void;

interface Conflict {
  readonly held: Held;
  readonly changes: readonly OtherChange[];
}

export const usePriceEdit = ({ onSaved, ...editing }: Editing & { readonly onSaved: OnSaved }) => {
  const { api } = useSession();
  const { book, scope } = editing;
  const typed = useDraft(editing);
  const { draft, type, setDraft, base, attempt } = typed;
  const [setAside, setSetAside] = useState<Draft>();
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState(noFaults);
  const [failed, setFailed] = useState<{ readonly problem: Problem; readonly retry: () => void }>();
  const [preview, setPreview] = useState<Schemas['PricesPreview']>();
  const [conflict, setConflict] = useState<Conflict>();

  useEffect(() => {
    void loadCalculate();
  }, []);

  const clear = (): void => {
    setFaults(noFaults);
    setFailed(undefined);
    setPreview(undefined);
  };

  const change = useCallback((next: (draft: Draft) => Draft) => {
    type(next);
    clear();
  }, []);

  const write: Write = {
    bookId: book.id,
    scope,
    productId: draft.productId,
    currency: currencyOf(draft),
    body: bodyOf(draft, scope),
    reason: draft.reason,
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
      const chain = await loadChain(api, book.id, draft.productId);
      if (chain.ok)
        setPreview(calculate.preview(chain.data, write.body, write.currency) ?? tried.data.preview);
      else fail(chain.problem, retry);
    });

  const saveNow = (): Promise<void> =>
    run(async () => {
      if (attempt.current.body !== write.body) {
        attempt.current = { body: write.body, key: newId() };
      }
      const outcome = await save(api, write, base.current, attempt.current.key).catch(() => ({
        _tag: 'Refused' as const,
        problem: UNREACHABLE,
      }));
      switch (outcome._tag) {
        case 'Saved':
          typed.forget();
          onSaved(write.productId, write.currency);
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
    typed.see(seen);
    setConflict(undefined);
  };

  return {
    ...typed,
    change,
    startOver: () => {
      typed.startOver();
      clear();
      setSetAside(undefined);
      setConflict(undefined);
    },
    unknown: typed.unknown && inForm(typed.unknown),
    isBusy,
    faults,
    failed,
    preview,
    showPreview,
    save: saveNow,
    conflict: conflict && {
      ...conflict,
      takeTheirs: () => {
        settle(conflict);
        clear();
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
        clear();
        setSetAside(undefined);
      }),
  };
};
