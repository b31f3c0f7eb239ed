/** Where a draft comes from: what is set now, or what was typed before the page was left. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { useSession } from '../../session';
import { useLoad } from '../../ui/use-load';
import { currencyOf, type Draft, emptyDraft, type Scope, withAdjustment } from './draft';
import { type Attempt, forgetDraft, readDraft, useKeeping } from './kept-draft';
import { type Base, type Held, loadHeld } from './own';

/** What the form shows of what a product has: the one that sets its price before the one that changes it. */
export const filled = (draft: Draft, { own }: Held): Draft => {
  const currency = currencyOf(draft);
  const found = own.adjustments[currency] ?? own.percents[currency];
  return found === undefined ? draft : withAdjustment(draft, found);
};

export interface Editing {
  readonly book: Schemas['PriceBook'];
  readonly scope: Scope;
  readonly initial: { readonly productId: string; readonly currency: string };
}

const NO_ATTEMPT: Attempt = { body: '', key: '' };

export const useDraft = ({ book, scope, initial: { productId, currency } }: Editing) => {
  const { api, key } = useSession();
  const isNew = currency === '' || (scope === 'product' && productId === '');
  const name = `pricebook.draft.${JSON.stringify([key.id, book.id, scope, productId, currency])}`;
  const [kept, setKept] = useState(() => readDraft(name));
  const empty = (): Draft => emptyDraft(productId, currency, scope === 'all' ? 'percent' : 'override');
  // A later version of this page may have more fields.
  const [draft, setDraft] = useState(() => ({ ...empty(), ...kept?.draft }));
  const loaded = useLoad((signal) => loadHeld(api, { bookId: book.id, scope, productId, signal }), []);
  const [held, setHeld] = useState<Held>();
  /** The state that is edited: what others have changed since is seen when it is saved. */
  const base = useRef<Base>(kept?.base ?? book);
  const attempt = useRef(kept?.attempt ?? NO_ATTEMPT);
  const typedAt = useRef(kept?.typedAt);

  const start = (from: Held | undefined): void => {
    base.current = from?.base ?? book;
    if (!isNew && from !== undefined) setDraft((before) => filled(before, from));
  };

  useEffect(() => {
    if (loaded.data === undefined) return;
    setHeld(loaded.data);
    if (kept === undefined) start(loaded.data);
  }, [loaded.data]);

  useKeeping(name, () =>
    typedAt.current === undefined
      ? undefined
      : { draft, base: base.current, attempt: attempt.current, typedAt: typedAt.current },
  );

  /** Nothing that was typed is kept any longer. */
  const forget = (): void => {
    forgetDraft(name);
    typedAt.current = undefined;
  };

  return {
    draft,
    setDraft,
    type: useCallback((next: (draft: Draft) => Draft) => {
      typedAt.current = Date.now();
      setDraft(next);
    }, []),
    isTouched: () => typedAt.current !== undefined,
    base,
    attempt,
    /** What is set now, as far as it is known. */
    held,
    see: (seen: Held): void => {
      base.current = seen.base;
      setHeld(seen);
    },
    /** Why it is not known. */
    unknown: held === undefined ? loaded.problem : undefined,
    loadAgain: loaded.reload,
    isNew,
    /** Whether the form may be filled in: one of a price that is there has it from the start. */
    isReady: held !== undefined || isNew || kept !== undefined,
    /** When it was typed, where it was before the page was left. */
    restoredFrom: kept?.typedAt,
    startOver: (): void => {
      forget();
      setKept(undefined);
      attempt.current = NO_ATTEMPT;
      setDraft(empty());
      start(held);
    },
    forget,
  };
};
