/** Keeps a register of a process up with its stream: what another process writes holds here within a second. */
import { setTimeout as delay } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type { StoreError } from './ports/store-error';
import type { UndecodableEvent } from './recorded-event';
import type { StreamRegister } from './stream-register';

/** How often it is looked for new events: one read of a stream, of nothing most of the time. */
const LOOK_MS = 300;
/** A register that could not be read for so long is behind; a request that fails now and then is no news. */
const BEHIND_MS = 5_000;

export type RegisterStatus =
  | { readonly _tag: 'Current' }
  /** The stream cannot be read: what was known holds, and what was written since is not known. */
  | { readonly _tag: 'Behind'; readonly error: StoreError }
  /** An event cannot be read, so what it says is not known. */
  | { readonly _tag: 'Unreadable'; readonly error: UndecodableEvent };

export interface RegisterFollower {
  readonly status: () => RegisterStatus;
  readonly close: () => Promise<void>;
}

/**
 * Starts to follow.
 *
 * @param listener told of everything that an operator should know.
 */
export const followRegister = (
  register: StreamRegister<{ readonly unreadable: readonly UndecodableEvent[] }>,
  listener: (status: RegisterStatus) => void,
  { lookMs = LOOK_MS, behindMs = BEHIND_MS } = {},
): RegisterFollower => {
  const stopping = new AbortController();
  let lookedAt = performance.now();
  let status: RegisterStatus = { _tag: 'Current' };

  const become = (next: RegisterStatus): void => {
    const isNews = next._tag !== status._tag;
    status = next;
    if (isNews) listener(next);
  };

  const seen = (): void => {
    const [error] = register.known().unreadable;
    become(error === undefined ? { _tag: 'Current' } : { _tag: 'Unreadable', error });
  };

  const look = async (): Promise<void> => {
    const began = performance.now();
    const looked = await register.look();
    if (E.isRight(looked)) {
      lookedAt = began;
      seen();
      return;
    }
    const error = looked.left;
    // Damage does not go away by itself.
    if (error._tag === 'StoreDamaged' || performance.now() - lookedAt > behindMs) {
      become({ _tag: 'Behind', error });
    }
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look();
      await delay(lookMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  seen();
  const running = run();
  return {
    status: () => status,
    close: async () => {
      stopping.abort();
      await running;
    },
  };
};
