/** What the events of one small stream add up to, as one process knows it: reads what is new when it is asked to. */
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { hashAfter } from './hash-chain';
import { createOneAtATime } from './one-at-a-time';
import type { EventStore, RecordedEvent } from './ports/event-store';
import type { StoreError } from './ports/store-error';

const PAGE = 500;

/** The last event that was read, and the latest time of any. */
export interface RegisterEnd {
  readonly revision: number;
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
}

/** The end after the next event. @param occurredAt absent where the event cannot be read. */
export const endAfter = (
  last: RegisterEnd | undefined,
  recorded: RecordedEvent,
  occurredAt = '',
): RegisterEnd => {
  const before = last?.occurredAt ?? '';
  return {
    revision: recorded.revision,
    hash: hashAfter(last?.hash, recorded),
    occurredAt: occurredAt > before ? occurredAt : before,
  };
};

/** The id that the data of an event name, also where the event cannot be read; undefined where they name none. */
export const idNamedIn = ({ data }: RecordedEvent): string | undefined =>
  typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string'
    ? data.id
    : undefined;

export interface StreamRegister<State> {
  /** As of the last look. */
  readonly known: () => State;
  /** Reads all that was appended before it was called. Where that fails, what was known stays. */
  readonly look: TaskEither<StoreError, State>;
}

export const createStreamRegister = <State extends { readonly last: RegisterEnd | undefined }>(
  eventStore: Pick<EventStore, 'read'>,
  stream: string,
  none: State,
  afterEvents: (state: State, events: readonly RecordedEvent[]) => State,
): StreamRegister<State> => {
  let state = none;

  const readNew = async (): Promise<E.Either<StoreError, State>> => {
    for (;;) {
      const from = state.last === undefined ? 0 : state.last.revision + 1;
      const page = await eventStore.read(stream, { direction: 'forwards', from, limit: PAGE })();
      if (E.isLeft(page)) return page;
      state = afterEvents(state, page.right);
      if (page.right.length < PAGE) return E.right(state);
    }
  };

  // Looks take turns: one that is under way may have begun before what the next one is to find.
  const oneAtATime = createOneAtATime();
  return { known: () => state, look: () => oneAtATime(readNew) };
};
