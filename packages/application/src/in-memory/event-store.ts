/** An event store in memory, for tests. */
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { createSignal } from '../change-signal';
import type { EventStore, Position, RecordedEvent } from '../ports/event-store';

/** As many events as come in one batch of a subscription. */
const BATCH = 100;

export const createInMemoryEventStore = (): EventStore => {
  const log: RecordedEvent[] = [];
  const appended = createSignal();

  const eventsOf = (stream: string): readonly RecordedEvent[] =>
    log.filter((event) => event.stream === stream);
  const positionOf = (index: number): Position => BigInt(index + 1);

  return {
    // The work is done when the task runs, not when it is made.
    append: (stream, expected, events) => async () => {
      await Promise.resolve();
      const existing = eventsOf(stream);
      const actual = existing.at(-1)?.revision ?? 'noStream';
      const first = expected === 'noStream' ? 0 : expected + 1;
      if (actual !== expected) {
        const again = existing.slice(first, first + events.length);
        const last = again.at(-1);
        const isResend = again.length === events.length && events.every(({ id }, i) => again[i]?.id === id);
        return isResend && last !== undefined
          ? E.right({ lastRevision: last.revision, position: last.position })
          : E.left({ _tag: 'WrongExpectedRevision', actual });
      }
      events.forEach((event, index) => {
        // A copy, as a real store would keep.
        const copy = structuredClone(event);
        log.push({ ...copy, stream, revision: first + index, position: positionOf(log.length) });
      });
      appended.raise();
      return E.right({ lastRevision: first + events.length - 1, position: positionOf(log.length - 1) });
    },

    read:
      (stream, { direction, from, limit }) =>
      async () => {
        await Promise.resolve();
        const events = eventsOf(stream);
        const selected =
          direction === 'forwards'
            ? events.filter(({ revision }) => revision >= (from ?? 0))
            : events.filter(({ revision }) => revision <= (from ?? Infinity)).reverse();
        return E.right(selected.slice(0, limit));
      },

    readAll: (after, limit) => TE.fromIO(() => log.slice(Number(after ?? 0n), Number(after ?? 0n) + limit)),

    subscribe: async function* (after, signal) {
      let next = after === undefined ? 0 : Number(after);
      while (!signal.aborted) {
        while (next < log.length) {
          const events = log.slice(next, next + BATCH);
          next += events.length;
          yield { events, checkpoint: positionOf(next - 1) };
        }
        // Nothing can be appended between the look and the wait: both happen in one turn.
        await appended.next(signal);
      }
    },

    last: TE.fromIO(() => log.at(-1)),

    head: () => TE.fromIO(() => (log.length === 0 ? undefined : positionOf(log.length - 1))),
  };
};
