/**
 * Whether a request was done before, as the read side knows it. It is asked after the read side has come as far as
 * counts, so whatever was done by then is found, whichever instance did it.
 */
import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import {
  type FoundRequest,
  type IdempotentRequest,
  isRemembered,
  rememberedName,
} from './idempotent-request';

export type RecallError =
  | StoreError
  | { readonly _tag: 'ReadSideBehind' }
  /** Another request was done under the key. */
  | { readonly _tag: 'IdempotencyKeyReused' };

/** Who has sent a request, and under which key. */
export interface KeyedRequest {
  readonly actor: string;
  readonly idempotency: IdempotentRequest;
}

/** What a request has done, or why it must not act; undefined where it is not known to have done anything. */
export type Known = (request: KeyedRequest) => E.Either<RecallError, FoundRequest> | undefined;

/**
 * Finds out what requests have done in the last 24 hours.
 *
 * @param upTo the last event that counts; absent for the end of all events.
 */
export type Recall = (requests: readonly KeyedRequest[], upTo?: Position) => Promise<Known>;

/** @param done by the names that requests are remembered by; what is too long ago does not count. */
export const knownOf =
  (done: ReadonlyMap<string, FoundRequest>, now: string): Known =>
  ({ actor, idempotency }) => {
    const found = done.get(rememberedName(actor, idempotency));
    if (found === undefined || !isRemembered(found.occurredAt, now)) return undefined;
    return found.request === idempotency.request
      ? E.right(found)
      : E.left({ _tag: 'IdempotencyKeyReused' as const });
  };

interface RecallParts {
  /** Waits until the read side has come to a position, or to the end of the events. */
  readonly catchUp: (upTo?: Position) => TE.TaskEither<RecallError, void>;
  readonly readModel: Pick<ReadModel, 'findRemembered'>;
  readonly clock: Clock;
}

export const createRecall =
  ({ catchUp, readModel, clock }: RecallParts): Recall =>
  async (requests, upTo) => {
    const caughtUp = await catchUp(upTo)();
    if (E.isLeft(caughtUp)) return () => caughtUp;
    const names = requests.map(({ actor, idempotency }) => rememberedName(actor, idempotency));
    const found = await Promise.all(names.map((name) => readModel.findRemembered(name)()));
    const done = new Map<string, FoundRequest>();
    for (const [index, name] of names.entries()) {
      const one = found[index];
      if (one === undefined) continue;
      if (E.isLeft(one)) return () => one;
      if (one.right !== undefined) done.set(name, one.right);
    }
    return knownOf(done, clock.now());
  };
