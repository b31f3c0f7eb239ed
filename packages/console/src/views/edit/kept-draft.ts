/** What is typed into a form outlives the page, in this tab: a reload, or a look at another view. */
import { useEffect, useRef } from 'preact/hooks';
import type { Draft } from './draft';
import type { Base } from './own';

/** What was sent last, and the key by which the service knows that it is the same again. */
export interface Attempt {
  readonly body: string;
  readonly key: string;
}

export interface KeptDraft {
  readonly draft: Draft;
  /** The state that was edited: what others have changed since is seen when it is saved. */
  readonly base: Base;
  readonly attempt: Attempt;
  /** When something was typed last, in ms since 1970. */
  readonly typedAt: number;
}

/** Where storage is blocked or full, a draft is just not kept. */
export const readDraft = (name: string): KeptDraft | undefined => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '') as KeptDraft;
  } catch {
    return undefined;
  }
};

const keepDraft = (name: string, kept: KeptDraft): void => {
  try {
    sessionStorage.setItem(name, JSON.stringify(kept));
  } catch {
    // As above.
  }
};

export const forgetDraft = (name: string): void => {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // As above.
  }
};

/** Keeps a draft when the page or its view is left. */
export const useKeeping = (name: string, current: () => KeptDraft | undefined): void => {
  const latest = useRef({ name, current });
  const { name: before } = latest.current;
  // Another key has signed in: what it edits is kept under its own name.
  if (before !== name) forgetDraft(before);
  latest.current = { name, current };
  useEffect(() => {
    const keep = (): void => {
      const kept = latest.current.current();
      if (kept !== undefined) keepDraft(latest.current.name, kept);
    };
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
};
