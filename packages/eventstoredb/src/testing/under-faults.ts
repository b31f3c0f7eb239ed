/** What the tests of faults have in common. They run on the stand-in, whatever EVENTSTOREDB_URL says. */
import { randomUUID } from 'node:crypto';
import type { Appended, EventStore, NewEvent, StoreUnavailable } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { type EventStoreDb, openEventStoreDb } from '../event-store';
import { toPosition } from '../positions';
import { type StandIn, startStandIn, type StandInOptions } from './stand-in/stand-in';

export const PREFIXES = ['priceBook-', 'apiKeys'];

/** A request has to be refused within this time where the server is silent. */
const REFUSED_WITHIN_MS = 2_000;

/** A stand-in for each test of a suite, and an event store on it. */
export const standInForEachTest = (
  options: StandInOptions & { readonly url?: string; readonly limitMs?: number } = {},
): { readonly standIn: StandIn; readonly eventStore: EventStoreDb } => {
  const its = {} as { standIn: StandIn; eventStore: EventStoreDb };
  beforeEach(async () => {
    its.standIn = await startStandIn(options);
    its.eventStore = openEventStoreDb(`${its.standIn.url}${options.url ?? ''}`, PREFIXES, options.limitMs);
  });
  afterEach(async () => {
    its.standIn.faults.heal();
    await its.eventStore.close();
    await its.standIn.stop();
  });
  return its;
};

type Events = readonly [NewEvent, ...NewEvent[]];

export const event = (data: unknown = {}): NewEvent => ({
  id: randomUUID(),
  type: 'SomethingHappened',
  data,
  metadata: { schemaVersion: 1 },
});

export const events = (count: number, data?: unknown): Events => [
  event(data),
  ...Array.from({ length: count - 1 }, () => event(data)),
];

export const streamNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `priceBook-${String(index)}`);

export const forwards = { direction: 'forwards', limit: 100 } as const;

/** What an append has to answer: where the last event of a stream stands. */
export const endOf = (standIn: StandIn, stream: string): Appended => {
  const { revision, position } = standIn.storedEvents(stream).at(-1) ?? { revision: -1n, position: -1n };
  return { lastRevision: Number(revision), position: toPosition({ commit: position, prepare: position }) };
};

/** All ways to ask an event store something. */
export const everyCall = (
  eventStore: EventStore,
  stream: string,
): readonly (() => Promise<E.Either<unknown, unknown>>)[] => [
  eventStore.append(stream, 'noStream', [event()]),
  eventStore.read(stream, forwards),
  eventStore.readAll(undefined, 10),
  eventStore.head(),
];

/** Runs tasks all at once; fails the test where one does not say in time that the store is not available. */
export const unavailable = async (
  tasks: readonly (TaskEither<unknown, unknown> | (() => Promise<E.Either<unknown, unknown>>))[],
): Promise<readonly string[]> => {
  const began = performance.now();
  const results = await Promise.all(tasks.map((task) => task()));
  expect(performance.now() - began).to.be.lessThan(REFUSED_WITHIN_MS);
  return results.map((result) => {
    if (E.isRight(result)) throw new Error('expected a failure, got a success');
    expect(result.left).to.have.property('_tag', 'StoreUnavailable');
    return (result.left as StoreUnavailable).reason;
  });
};
