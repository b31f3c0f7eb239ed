/** The projector itself brings a read model to the end, while what it applies fails now and then. */
import { setImmediate } from 'node:timers/promises';
import {
  type EventStore,
  type Position,
  type ReadModel,
  startProjector,
  type StoreError,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { Random } from '../random';

const AWAY: E.Either<StoreError, never> = E.left({ _tag: 'StoreUnavailable', reason: 'interrupted' });
/** The projector waits for a moment after a failure. */
const WITHIN_MS = 60_000;
const MOST_FAILURES = 2;

/** Fails before, in the middle of, or after what it applies, at most so many times. */
const flaky = (readModel: ReadModel, random: Random, failures: number): ReadModel => {
  let left = failures;
  return {
    ...readModel,
    apply: (changes, checkpoint) => async () => {
      if (left === 0 || random.chance(0.4)) return readModel.apply(changes, checkpoint)();
      left -= 1;
      const before = await readModel.checkpoint()();
      if (E.isLeft(before)) return before;
      const part = changes.slice(0, random.below(changes.length + 1));
      const applied = await readModel.apply(part, before.right ?? 0n)();
      await setImmediate();
      return E.isLeft(applied) ? applied : AWAY;
    },
  };
};

/** @param isFlaky whether anything fails at all. */
export const projectToTheEnd = async (
  eventStore: EventStore,
  readModel: ReadModel,
  head: Position,
  random: Random,
  isFlaky: boolean,
): Promise<void> => {
  const projector = startProjector(
    eventStore,
    isFlaky ? flaky(readModel, random, 1 + random.below(MOST_FAILURES)) : readModel,
    () => undefined,
  );
  const reached = await projector.waitFor(head, WITHIN_MS);
  const status = projector.status();
  await projector.close();
  if (!reached) throw new Error(`the projector did not come to the end: ${status._tag}`);
};
