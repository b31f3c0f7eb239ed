/** An import from the choice of a file to its end, as what the page shows at each moment. */
import type { SheetFault } from '@pricebook/domain';
import { useEffect, useRef, useState } from 'preact/hooks';
import { answerOf, type Problem, UNREACHABLE } from '../../api/client';
import { useSession } from '../../session';
import type { BookTabProps } from '../book-tab-props';
import type { CheckedFile } from './check-file';
import type { Comparison } from './compare';
import { newRun, sendImport } from './send-import';
import { forgetImport, loadImport, type StoredImport, storeImport } from './stored-import';

interface Chosen {
  readonly fileName: string;
  readonly file: Blob;
  readonly checked: CheckedFile;
}

interface Sending {
  readonly stored: StoredImport;
  readonly checked: CheckedFile;
  /** Whether it goes on after a reload. */
  readonly isKept: boolean;
}

export type ImportState =
  | { readonly step: 'loading' }
  | { readonly step: 'idle' }
  /** An import that was begun before, and can go on. */
  | { readonly step: 'interrupted'; readonly stored: StoredImport }
  | { readonly step: 'checking'; readonly fileName: string; readonly share: number }
  | { readonly step: 'unreadable'; readonly fileName: string }
  | {
      readonly step: 'faulty';
      readonly fileName: string;
      readonly faults: readonly SheetFault[];
      readonly rows: number;
    }
  | ({
      readonly step: 'ready';
      /** Undefined while the book is read. */
      readonly comparison: Comparison | undefined;
      readonly problem: Problem | undefined;
    } & Chosen)
  | ({ readonly step: 'sending'; readonly waitsFor: Problem | undefined } & Sending)
  | ({ readonly step: 'paused'; readonly problem: Problem | undefined } & Sending)
  | { readonly step: 'done'; readonly fileName: string; readonly checked: CheckedFile };

export interface Import {
  readonly state: ImportState;
  readonly choose: (file: File) => void;
  readonly compareAgain: () => void;
  readonly begin: () => void;
  readonly pause: () => void;
  /** Goes on after a pause, or with an import that was begun before. */
  readonly goOn: () => void;
  /** Gives up what is there: what has been sent stays. */
  readonly discard: () => void;
}

/** What only imports need is loaded with the first file. */
const engine = async () => {
  const [{ checkFile }, { compare }] = await Promise.all([import('./check-file'), import('./compare')]);
  return { checkFile, compare };
};

export const useImport = ({ book, onChanged }: BookTabProps): Import => {
  const { api } = useSession();
  const [state, setState] = useState<ImportState>({ step: 'loading' });
  /** Ends what goes on: a pause, another file, or the end of the view. */
  const current = useRef(new AbortController());
  /** The request that is on its way when a pause begins is finished before anything else is sent or forgotten. */
  const last = useRef<Promise<void>>(Promise.resolve());

  const restart = (): AbortSignal => {
    current.current.abort();
    current.current = new AbortController();
    return current.current.signal;
  };

  useEffect(() => {
    const signal = restart();
    void loadImport(book.id).then((stored) => {
      if (!signal.aborted)
        setState(stored === undefined ? { step: 'idle' } : { step: 'interrupted', stored });
    });
    return () => {
      current.current.abort();
    };
  }, [book.id]);

  const compareWith = async (chosen: Chosen, signal: AbortSignal): Promise<void> => {
    const show = (comparison: Comparison | undefined, problem: Problem | undefined): void => {
      if (!signal.aborted) setState({ step: 'ready', ...chosen, comparison, problem });
    };
    show(undefined, undefined);
    try {
      const { compare } = await engine();
      const answer = await answerOf(
        api.GET('/v1/pricebooks/{priceBookId}/prices', {
          params: { path: { priceBookId: book.id } },
          headers: { accept: 'text/csv' },
          parseAs: 'stream',
          signal,
        }) as Promise<{ readonly data?: ReadableStream<Uint8Array>; readonly response: Response }>,
      );
      if (!answer.ok) show(undefined, answer.problem);
      else {
        show(
          await compare(answer.data, chosen.checked.holders, book.basePriceBookId !== undefined),
          undefined,
        );
      }
    } catch {
      show(undefined, UNREACHABLE);
    }
  };

  /** The page is drawn again for each percent, not for each row. */
  const showShare = (fileName: string, signal: AbortSignal): ((share: number) => void) => {
    let shown = 0;
    return (share) => {
      if (signal.aborted || share < shown + 0.01) return;
      shown = share;
      setState({ step: 'checking', fileName, share });
    };
  };

  const check = async (file: File): Promise<void> => {
    const signal = restart();
    const fileName = file.name;
    setState({ step: 'checking', fileName, share: 0 });
    try {
      // Read once: what is sent is what was checked, whatever becomes of the file.
      const bytes = await file.arrayBuffer();
      const { checkFile } = await engine();
      const checked = await checkFile(new Uint8Array(bytes), showShare(fileName, signal));
      if (signal.aborted) return;
      if (checked.isFaulty)
        setState({ step: 'faulty', fileName, faults: checked.faults, rows: checked.rows });
      else await compareWith({ fileName, file: new Blob([bytes]), checked }, signal);
    } catch {
      if (!signal.aborted) setState({ step: 'unreadable', fileName });
    }
  };

  const sendFrom = async ({ stored, checked, isKept }: Sending, signal: AbortSignal): Promise<void> => {
    let known = stored;
    const show = (waitsFor: Problem | undefined): void => {
      if (!signal.aborted) setState({ step: 'sending', stored: known, checked, isKept, waitsFor });
    };
    show(undefined);
    const problem = await sendImport(api, checked.requests, {
      bookId: book.id,
      run: stored.run,
      from: stored.done,
      signal,
      onDone: async (done) => {
        known = { ...known, done };
        if (isKept) await storeImport(known);
        // After a pause, too: the request that was on its way is done.
        setState((before) => (before.step === 'paused' ? { ...before, stored: known } : before));
        show(undefined);
      },
      onWait: show,
    });
    if (known.done === checked.requests.length) {
      await forgetImport(book.id);
      setState((before) =>
        before.step === 'sending' || before.step === 'paused'
          ? { step: 'done', fileName: stored.fileName, checked }
          : before,
      );
    } else if (!signal.aborted) setState({ step: 'paused', stored: known, checked, isKept, problem });
    onChanged();
  };

  const send = (sending: Sending): Promise<void> => {
    const signal = restart();
    setState({ step: 'sending', ...sending, waitsFor: undefined });
    last.current = last.current.then(() => sendFrom(sending, signal));
    return last.current;
  };

  const begin = async ({ fileName, file, checked }: Chosen): Promise<void> => {
    const { length } = checked.requests;
    const stored = { bookId: book.id, run: newRun(), fileName, file, requests: length, done: 0 };
    // Before the first request: whatever is sent can be gone on with.
    const isKept = await storeImport(stored);
    await send({ stored, checked, isKept });
  };

  const resume = async (stored: StoredImport): Promise<void> => {
    const signal = restart();
    const { fileName } = stored;
    setState({ step: 'checking', fileName, share: 0 });
    try {
      const { checkFile } = await engine();
      const checked = await checkFile(
        new Uint8Array(await stored.file.arrayBuffer()),
        showShare(fileName, signal),
        // What has ended since it was begun was right then, and the service says what it says.
        '',
      );
      if (signal.aborted) return;
      if (checked.isFaulty)
        setState({ step: 'faulty', fileName, faults: checked.faults, rows: checked.rows });
      else await send({ stored, checked, isKept: true });
    } catch {
      if (!signal.aborted) setState({ step: 'unreadable', fileName });
    }
  };

  return {
    state,
    choose: (file) => {
      void check(file);
    },
    compareAgain: () => {
      if (state.step === 'ready') void compareWith(state, restart());
    },
    begin: () => {
      if (state.step === 'ready') void begin(state);
    },
    pause: () => {
      if (state.step !== 'sending') return;
      current.current.abort();
      const { stored, checked, isKept } = state;
      setState({ step: 'paused', stored, checked, isKept, problem: undefined });
    },
    goOn: () => {
      if (state.step === 'paused') void send(state);
      else if (state.step === 'interrupted') void resume(state.stored);
    },
    discard: () => {
      restart();
      last.current = last.current.then(() => forgetImport(book.id));
      setState({ step: 'idle' });
    },
  };
};
