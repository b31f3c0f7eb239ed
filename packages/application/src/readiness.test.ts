import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import { createInMemoryEventStore } from './in-memory/event-store';
import { createInMemoryReadModel } from './in-memory/read-model';
import type { EventStore, NewEvent } from './ports/event-store';
import { checkReadiness } from './readiness';
import { createWaitingTime } from './waiting-time';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

const event = (second: number): NewEvent => ({
  id: `00000000-0000-4000-8000-${String(second).padStart(12, '0')}`,
  type: 'PriceBookUpdated',
  data: {},
  metadata: {
    schemaVersion: 1,
    occurredAt: at(second),
    actor: 'a',
    $correlationId: 'r',
    $causationId: 'c',
    commandId: 'c',
  },
});

/** A store that holds so many events, a second apart. */
const holding = async (count: number): Promise<EventStore> => {
  const eventStore = createInMemoryEventStore();
  for (let n = 0; n < count; n += 1) {
    await eventStore.append('priceBook-x', n === 0 ? 'noStream' : n - 1, [event(n)])();
  }
  return eventStore;
};

describe('readiness', () => {
  const parts = async (events: number, applied: number) => {
    const eventStore = await holding(events);
    const readModel = createInMemoryReadModel();
    if (applied > 0) await readModel.apply([], BigInt(applied))();
    return {
      eventStore,
      readModel,
      projector: undefined,
      start: undefined,
      clock: { now: () => at(100) },
      waitingTime: createWaitingTime(BigInt(events)),
    };
  };

  it('says how many events wait, and for how long the first of them', async () => {
    const { projection } = await checkReadiness(await parts(12, 4));
    expect(projection.lag).to.deep.equal({ events: 8, seconds: 96 });
    expect((await checkReadiness(await parts(12, 12))).projection.lag).to.deep.equal({
      events: 0,
      seconds: 0,
    });
    expect((await checkReadiness(await parts(0, 0))).projection.lag).to.deep.equal({ events: 0, seconds: 0 });
  });

  it('says how long also where the first of them is of a version that cannot be read', async () => {
    const found = await parts(0, 0);
    const later = { ...event(1), metadata: { ...(event(1).metadata as object), schemaVersion: 1_000 } };
    await found.eventStore.append('priceBook-x', 'noStream', [later])();
    const waitingTime = createWaitingTime(1n);
    expect((await checkReadiness({ ...found, waitingTime })).projection.lag).to.deep.equal({
      events: 1,
      seconds: 99,
    });
  });

  it('says how long by what was seen, where the clock was set meanwhile', async () => {
    const found = await parts(12, 12);
    await checkReadiness(found);
    await found.eventStore.append('priceBook-x', 11, [event(12)])();
    const { lag } = (await checkReadiness({ ...found, clock: { now: () => at(3_612) } })).projection;
    expect(lag?.events).to.equal(1);
    expect(lag?.seconds).to.be.within(0, 2);
  });

  it('counts them also where the store answers with few at a time', async () => {
    const found = await parts(30, 3);
    const eventStore: EventStore = {
      ...found.eventStore,
      readAll: (after, limit) => found.eventStore.readAll(after, Math.min(limit, 4)),
    };
    expect((await checkReadiness({ ...found, eventStore })).projection.lag).to.deep.equal({
      events: 27,
      seconds: 97,
    });
  });

  it('is not given before the read side has come to where the events were at the start', async () => {
    const behind = await parts(12, 4);
    expect((await checkReadiness({ ...behind, start: 5n })).isReady).to.equal(false);
    expect((await checkReadiness({ ...behind, start: 4n })).isReady).to.equal(true);
    expect((await checkReadiness(await parts(12, 0))).isReady).to.equal(true);
  });

  it('is not given while nothing is applied of what waits, however little that is', async () => {
    let ms = 0;
    const found = { ...(await parts(12, 4)), waitingTime: createWaitingTime(12n, () => ms) };
    const isReadyAfter = async (seconds: number): Promise<boolean> => {
      ms += seconds * 1_000;
      return (await checkReadiness(found)).isReady;
    };
    expect([await isReadyAfter(0), await isReadyAfter(9), await isReadyAfter(2)]).to.deep.equal([
      true,
      true,
      false,
    ]);
    await found.readModel.apply([], 5n)();
    expect([await isReadyAfter(1), await isReadyAfter(9), await isReadyAfter(2)]).to.deep.equal([
      true,
      true,
      false,
    ]);
    await found.readModel.apply([], 12n)();
    expect(await isReadyAfter(60)).to.equal(true);
  });

  it('is not given while the event store takes no events, and says why; the lag is known', async () => {
    const found = await parts(3, 1);
    for (const why of ['full', 'failing'] as const) {
      const stuck: EventStore = {
        ...found.eventStore,
        obstacle: () => ({ _tag: 'StoreReadsOnly', why, reason: 'x' }),
      };
      const { isReady, eventStore, projection } = await checkReadiness({ ...found, eventStore: stuck });
      expect({ isReady, eventStore, events: projection.lag?.events }).to.deep.equal({
        isReady: false,
        eventStore: why,
        events: 2,
      });
    }
  });

  it('knows no lag while a store is down', async () => {
    const found = await parts(3, 1);
    const down: EventStore = {
      ...found.eventStore,
      head: () => TE.left({ _tag: 'StoreUnavailable', reason: 'away' }),
    };
    const { isReady, eventStore, projection } = await checkReadiness({ ...found, eventStore: down });
    expect({ isReady, eventStore, lag: projection.lag }).to.deep.equal({
      isReady: false,
      eventStore: 'down',
      lag: null,
    });
  });

  it('is not given while the keys are not known as they are, and says why', async () => {
    const unavailable = { _tag: 'StoreUnavailable', reason: 'away' } as const;
    const undecodable = { _tag: 'UndecodableEvent', stream: 'apiKeys', revision: 3, reason: 'r' } as const;
    for (const [status, isReady, keys] of [
      [{ _tag: 'Current' }, true, { state: 'current' }],
      [{ _tag: 'Behind', error: unavailable }, false, { state: 'behind' }],
      [
        { _tag: 'Unreadable', error: undecodable },
        false,
        { state: 'unreadable', unreadable: { stream: 'apiKeys', revision: 3 } },
      ],
    ] as const) {
      const found = await checkReadiness({ ...(await parts(1, 1)), keys: () => status });
      expect([found.isReady, found.keys]).to.deep.equal([isReady, keys]);
    }
    expect(await checkReadiness(await parts(1, 1))).not.to.have.property('keys');
  });
});
