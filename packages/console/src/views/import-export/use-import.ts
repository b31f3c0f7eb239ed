/** An import from the choice of a file to its end. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { v4 as newId } from 'uuid';
import { answerOf, type Problem, UNREACHABLE } from '../../api/client';
import { useSession } from '../../session';
import type { BookTabProps } from '../book-tab-props';
import { planOf, whyAgain } from './begun-before';
import type { CheckedFile } from './check-file';
import type { Comparison } from './compare';
import { loadEngine } from './engine';
import type { Chosen, ImportState, Sending } from './import-state';
import { sendImport } from './send-import';
import { forgetImport, loadImport, storeImport, storeProgress } from './stored-import';

export interface Import {
  readonly state: ImportState;
  readonly choose: (file: File) => void;
  readonly compareAgain: () => void;
  readonly begin: (reason: string) => void;
  readonly pause: () => void;
  /** Goes on after a pause, or with an import that was begun before. */
  readonly goOn: () => void;
  /** Gives up what is there: what has been sent stays. */
  readonly discard: () => void;
}

const NOT_COMPARED: Problem = {
  ...UNREACHABLE,
  title: 'The file could not be compared with the book',
  detail: 'Nothing was sent. Try again.',
};

export const useImport = ({ book, onChanged }: BookTabProps): Import => {
  const { api, key } = useSession();
  const [state, setState] = useState<ImportState>({ step: 'loading' });
  /** What is the case: a second click comes before the page is drawn again. */
  const latest = useRef(state);
  /** Ends what goes on: a pause, another file, or the end of the view. */
  const current = useRef(new AbortController());
  /** The run that the browser keeps for this view. */
  const kept = useRef<string>(undefined);

  const show = (next: ImportState): void => {
    latest.current = next;
    setState(next);
  };

  const restart = (): AbortSignal => {
    current.current.abort();
    current.current = new AbortController();
    return current.current.signal;
  };

  useEffect(() => {
    const signal = restart();
    void loadImport(book.id).then((stored) => {
      if (signal.aborted) return;
      kept.current = stored?.run;
      show(stored === undefined ? { step: 'idle' } : { step: 'interrupted', stored });
    });
    return () => {
      current.current.abort();
    };
  }, [book.id]);

  const compareWith = async (chosen: Chosen): Promise<void> => {
    const signal = restart();
    const showThat = (comparison: Comparison | undefined, problem: Problem | undefined): void => {
      if (!signal.aborted) show({ ...chosen, step: 'ready', comparison, problem });
    };
    showThat(undefined, undefined);
    try {
      const answer = await answerOf(
        api.GET('/v1/pricebooks/{priceBookId}/prices', {
          params: { path: { priceBookId: book.id } },
          headers: { accept: 'text/csv' },
          parseAs: 'stream',
          signal,
        }) as Promise<{ readonly data?: ReadableStream<Uint8Array>; readonly response: Response }>,
      );
      if (!answer.ok) showThat(undefined, answer.problem);
      else {
        const asked = chosen.checked.requests.slice(chosen.from).flatMap(({ holders }) => holders);
        const { compare } = await import('./compare');
        showThat(await compare(answer.data, asked, book.basePriceBookId === undefined), undefined);
      }
    } catch {
      showThat(undefined, NOT_COMPARED);
    }
  };

  /** @param now undefined to leave to the service which times have passed. */
  const check = async (
    fileName: string,
    file: Blob,
    now: string | undefined,
    next: (checked: CheckedFile, file: Blob) => Promise<void>,
  ): Promise<void> => {
    const signal = restart();
    const isOver = (): boolean => signal.aborted;
    let shown = 0;
    const showShare = (share: number): void => {
      // The page is drawn again for each percent, not for each row.
      if (isOver() || share < shown + 0.01) return;
      shown = share;
      show({ step: 'checking', fileName, share });
    };
    show({ step: 'checking', fileName, share: 0 });
    try {
      // Read once: what is sent is what was checked, whatever becomes of the file.
      const bytes = await file.arrayBuffer();
      const engine = await loadEngine();
      if (isOver()) return;
      if (engine === undefined) {
        show({ step: 'outdated' });
        return;
      }
      const checked = await engine.checkFile(new Uint8Array(bytes), showShare, now);
      if (isOver()) return;
      if (checked.isFaulty) show({ step: 'faulty', fileName, faults: checked.faults, rows: checked.rows });
      else await next(checked, new Blob([bytes]));
    } catch {
      if (!isOver()) show({ step: 'unreadable', fileName });
    }
  };

  const send = async (sending: Sending, signal: AbortSignal): Promise<void> => {
    const { checked, stored } = sending;
    const isOver = (): boolean => signal.aborted;
    let known = sending;
    const showThat = (waitsFor: Problem | undefined): void => {
      if (!isOver()) show({ ...known, step: 'sending', waitsFor });
    };
    showThat(undefined);
    const refusal = await sendImport(api, checked.requests, {
      bookId: book.id,
      run: stored.run,
      reason: stored.reason,
      from: stored.done,
      signal,
      mayRepeat: () => whyAgain(known.stored, checked, key.id) === undefined,
      onDone: async (done) => {
        const progress = { run: stored.run, done, at: Date.now() };
        const isKept = known.isKept && (await storeProgress(progress));
        known = { ...known, isKept, stored: { ...stored, ...progress } };
        showThat(undefined);
      },
      onWait: showThat,
    });
    if (known.stored.done === checked.requests.length) {
      await forgetImport(stored.run);
      // Also where it was paused at the very end.
      const { current: now } = latest;
      if ((now.step === 'sending' || now.step === 'paused') && now.stored.run === stored.run)
        show({ step: 'done', fileName: stored.fileName, checked });
    } else if (refusal === undefined && !isOver()) {
      // It waited for so long that the service may have forgotten the last request.
      await goOn(known);
      return;
    } else if (refusal !== undefined && !isOver()) {
      const { problem, request } = refusal;
      const faults = (await (await loadEngine())?.faultsInFile(stored.file, request, problem.errors)) ?? [];
      if (!isOver()) show({ ...known, step: 'paused', refused: { problem, faults } });
    }
    onChanged();
  };

  const begin = async ({ fileName, file, checked, from }: Chosen, reason: string): Promise<void> => {
    const signal = restart();
    const run = newId();
    const plan = planOf(checked);
    const stored = {
      ...{ run, bookId: book.id, fileName, file, plan, keyId: key.id, reason },
      ...{ done: from, at: Date.now() },
    };
    show({ step: 'sending', stored, checked, isKept: true, waitsFor: undefined });
    const { current: before } = kept;
    kept.current = run;
    // Before the first request: whatever is sent can be gone on with.
    const isKept = await storeImport(stored);
    if (before !== undefined) await forgetImport(before);
    if (!signal.aborted) await send({ stored, checked, isKept }, signal);
  };

  const goOn = async (sending: Sending): Promise<void> => {
    const { stored, checked } = sending;
    const again = whyAgain(stored, checked, key.id);
    if (again === undefined) await send(sending, restart());
    else {
      const { fileName, file, done, reason } = stored;
      await compareWith({ fileName, file, checked, from: again === 'plan' ? 0 : done, again, reason });
    }
  };

  return {
    state,
    choose: (file) => {
      void check(file.name, file, new Date().toISOString(), (checked, read) =>
        compareWith({ fileName: file.name, file: read, checked, from: 0, again: undefined, reason: '' }),
      );
    },
    compareAgain: () => {
      if (latest.current.step === 'ready') void compareWith(latest.current);
    },
    begin: (reason) => {
      if (latest.current.step === 'ready') void begin(latest.current, reason);
    },
    pause: () => {
      if (latest.current.step !== 'sending') return;
      current.current.abort();
      const { stored, checked, isKept } = latest.current;
      show({ step: 'paused', stored, checked, isKept, refused: undefined });
    },
    goOn: () => {
      const { current: now } = latest;
      if (now.step === 'paused') void goOn(now);
      if (now.step !== 'interrupted') return;
      const { stored } = now;
      // What has ended since it was begun was right then, and the service says what it says.
      void check(stored.fileName, stored.file, undefined, (checked) =>
        goOn({ stored, checked, isKept: true }),
      );
    },
    discard: () => {
      restart();
      if (kept.current !== undefined) void forgetImport(kept.current);
      kept.current = undefined;
      show({ step: 'idle' });
    },
  };
};
