/** Appends to the stream of a register what is decided on its state. */
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { createOneAtATime } from './one-at-a-time';
import type { Clock } from './ports/clock';
import type { AppendError, EventStore } from './ports/event-store';
import type { Ids } from './ports/ids';
import type { StoreError } from './ports/store-error';
import { type CommandContext, newEvent } from './recorded-event';
import type { RegisterEnd, StreamRegister } from './stream-register';

/** How often decisions are taken again because another process wrote first. */
const MAX_ATTEMPTS = 10;

/** Who asks. */
export type RegisterCaller = Pick<CommandContext, 'actor' | 'requestId' | 'reason'>;

export type RegisterWriteError =
  Exclude<AppendError, { readonly _tag: 'WrongExpectedRevision' }> | { readonly _tag: 'TooManyConflicts' };

/** Decides on what the stream holds, and appends; where another process was first, decides again. */
export type RegisterWriter<State> = <Refusal>(
  decide: (state: State, now: string) => E.Either<Refusal, Parameters<typeof newEvent>[0] | undefined>,
  caller: RegisterCaller,
) => TaskEither<Refusal | RegisterWriteError | StoreError, { readonly occurredAt: string }>;

interface RegisterWriterParts<State> {
  readonly eventStore: Pick<EventStore, 'append'>;
  readonly stream: string;
  readonly register: StreamRegister<State>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'newCommandId'>;
}

export const createRegisterWriter = <State extends { readonly last: RegisterEnd | undefined }>({
  eventStore,
  stream,
  register,
  clock,
  ids,
}: RegisterWriterParts<State>): RegisterWriter<State> => {
  // Those of one process do not get in each other's way.
  const oneAtATime = createOneAtATime();

  return (decide, { actor, requestId, reason }) => {
    const context = { actor, requestId, reason, commandId: ids.newCommandId() };
    return () =>
      oneAtATime(async () => {
        for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
          const looked = await register.look();
          if (E.isLeft(looked)) return looked;
          const { last } = looked.right;
          const now = clock.now();
          const decided = decide(looked.right, now);
          if (E.isLeft(decided)) return decided;
          if (decided.right === undefined) return E.right({ occurredAt: now });
          // Times never go back within a stream, whatever the clock does.
          const occurredAt = last !== undefined && last.occurredAt > now ? last.occurredAt : now;
          const place = { stream, after: last, occurredAt, index: 0 };
          const appended = await eventStore.append(stream, last?.revision ?? 'noStream', [
            newEvent(decided.right, place, context),
          ])();
          if (E.isRight(appended)) {
            // It is done: where the look fails, the next one finds it.
            await register.look();
            return E.right({ occurredAt });
          }
          if (appended.left._tag !== 'WrongExpectedRevision') return E.left(appended.left);
        }
        return E.left({ _tag: 'TooManyConflicts' });
      });
  };
};
