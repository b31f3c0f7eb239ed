/** The keys as one process knows them: reads what is new in their stream when it is asked to. */
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { EventStore } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import { createOneAtATime } from '../one-at-a-time';
import { API_KEYS_STREAM } from './events';
import { afterEvents, type ApiKeysState, noKeys } from './state';

const PAGE = 500;

export interface ApiKeyRegister {
  /** As of the last look. */
  readonly known: () => ApiKeysState;
  /** Reads all that was appended before it was called. Where that fails, what was known stays. */
  readonly look: TaskEither<StoreError, ApiKeysState>;
}

export const createApiKeyRegister = (eventStore: Pick<EventStore, 'read'>): ApiKeyRegister => {
  let state = noKeys;

  const readNew = async (): Promise<E.Either<StoreError, ApiKeysState>> => {
    for (;;) {
      const from = state.last === undefined ? 0 : state.last.revision + 1;
      const page = await eventStore.read(API_KEYS_STREAM, { direction: 'forwards', from, limit: PAGE })();
      if (E.isLeft(page)) return page;
      state = afterEvents(state, page.right);
      if (page.right.length < PAGE) return E.right(state);
    }
  };

  // Looks take turns: one that is under way may have begun before what the next one is to find.
  const oneAtATime = createOneAtATime();
  return { known: () => state, look: () => oneAtATime(readNew) };
};
