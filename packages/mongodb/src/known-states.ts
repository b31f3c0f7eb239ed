/**
 * What this process wrote last of each document, so that it need not be read before the next change.
 *
 * It may be behind what another projector has written since: what is folded onto it is then what that one wrote
 * before, and is skipped by the guard. It is never ahead: only what was written is kept, and all is forgotten when
 * a batch fails.
 */
import { LRUCache } from 'lru-cache';
import type { BookState, CellState } from './documents';

type State = BookState | CellState;

export interface KnownStates {
  readonly get: (name: string) => State | undefined;
  readonly keep: (name: string, state: State) => void;
  readonly forget: (name: string) => void;
  readonly forgetAll: () => void;
}

/** In characters of JSON. */
const MAX_SIZE = 32 * 1024 * 1024;

export const createKnownStates = (): KnownStates => {
  const states = new LRUCache<string, State>({
    maxSize: MAX_SIZE,
    sizeCalculation: (state, name) => name.length + JSON.stringify(state).length,
  });
  return {
    get: (name) => states.get(name),
    keep: (name, state) => {
      states.set(name, state);
    },
    forget: (name) => {
      states.delete(name);
    },
    forgetAll: () => {
      states.clear();
    },
  };
};
