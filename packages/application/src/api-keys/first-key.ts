import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { AppendError, EventStore } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import { newEvent } from '../recorded-event';
import { newApiKey, type NewApiKey } from './api-key';
import { issued } from './decide';
import { API_KEYS_STREAM } from './events';

/**
 * Issues the very first key, for all scopes.
 *
 * @returns the key to be shown; undefined where another process was first.
 */
export const issueFirstKey = (
  eventStore: Pick<EventStore, 'append'>,
  clock: Clock,
  ids: Ids,
): TE.TaskEither<AppendError, NewApiKey | undefined> => {
  const key = newApiKey(ids.randomBytes);
  const event = issued({ name: 'first key', scopes: ['admin'] }, key);
  const commandId = ids.newCommandId();
  const context = { commandId, actor: 'service', requestId: commandId };
  const place = { stream: API_KEYS_STREAM, after: undefined, index: 0 };
  return pipe(
    eventStore.append(API_KEYS_STREAM, 'noStream', [
      newEvent(event, { ...place, occurredAt: clock.now() }, context),
    ]),
    TE.map((): NewApiKey | undefined => key),
    TE.orElse((error) => (error._tag === 'WrongExpectedRevision' ? TE.right(undefined) : TE.left(error))),
  );
};
