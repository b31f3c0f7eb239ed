/** Keeps the keys of a process up with their stream: what another one issues or revokes holds here within a second. */
import { setTimeout as delay } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type { StoreError } from '../ports/store-error';
import type { UndecodableEvent } from '../recorded-event';
import type { ApiKeyRegister } from './register';

/** How often it is looked for new events: one read of a stream, of nothing most of the time. */
const LOOK_MS = 300;
/** Keys that could not be looked at for so long are behind; a request that fails now and then is no news. */
const BEHIND_MS = 5_000;

export type KeysStatus =
  | { readonly _tag: 'Current' }
  /** The stream cannot be read: who was let in before is let in, and what was revoked since is not known. */
  | { readonly _tag: 'Behind'; readonly error: StoreError }
  /** An event cannot be read. The key that it names is refused; what else it may say is not known. */
  | { readonly _tag: 'Unreadable'; readonly error: UndecodableEvent };

export interface KeyFollower {
  readonly status: () => KeysStatus;
  readonly close: () => Promise<void>;
}

/**
 * Starts to follow.
 *
 * @param listener told of everything that an operator should know.
 */
export const followKeys = (
  register: ApiKeyRegister,
  listener: (status: KeysStatus) => void,
  { lookMs = LOOK_MS, behindMs = BEHIND_MS } = {},
): KeyFollower => {
  const stopping = new AbortController();
  let lookedAt = performance.now();
  let status: KeysStatus = { _tag: 'Current' };

  const become = (next: KeysStatus): void => {
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
