import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4, v7 } from 'uuid';
import type { PriceBookId } from '@pricebook/domain';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import type { EventStore, ExpectedRevision, NewEvent, Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import { replay } from './replay';

const METADATA = {
  occurredAt: '2026-01-01T00:00:00.000Z',
  actor: 'key-1',
  $correlationId: 'request-1',
  $causationId: 'command-1',
  commandId: 'command-1',
};

const appendTo = async (
  eventStore: EventStore,
  priceBookId: PriceBookId,
  expected: ExpectedRevision,
  event: Pick<NewEvent, 'type' | 'data'> & { readonly schemaVersion?: number },
): Promise<Position> => {
  const { type, data, schemaVersion = 1 } = event;
  const metadata = { ...METADATA, schemaVersion };
  const appended = await eventStore.append(`priceBook-${priceBookId}`, expected, [
    { id: v4(), type, data, metadata },
  ])();
  if (E.isLeft(appended)) throw new Error('not appended');
  return appended.right.position;
};

const append = (
  eventStore: EventStore,
  name: string,
  { schemaVersion = 1, priceBookId = v7() as PriceBookId } = {},
): Promise<Position> => {
  const data = { name, description: '', basePriceBookIds: [] };
  return appendTo(eventStore, priceBookId, 'noStream', { type: 'PriceBookCreated', data, schemaVersion });
};

const namesIn = async (readModel: ReadModel): Promise<readonly string[]> => {
  const books = await readModel.listPriceBooks(100)();
  return E.isRight(books) ? books.right.items.map(({ name }) => name) : [];
};

const running = new AbortController().signal;

describe('a replay', () => {
  it('applies everything up to a position and nothing after it, and goes on from there', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    await append(eventStore, 'first');
    const second = await append(eventStore, 'second');
    const third = await append(eventStore, 'third');
    const done = await replay(eventStore, readModel, { until: second, signal: running })();
    expect(done).to.deep.equal(E.right({ events: 2, position: second }));
    expect(await namesIn(readModel)).to.deep.equal(['first', 'second']);
    const rest = await replay(eventStore, readModel, { until: third, signal: running })();
    expect(rest).to.deep.equal(E.right({ events: 1, position: third }));
    expect(await namesIn(readModel)).to.deep.equal(['first', 'second', 'third']);
  });

  it('takes steps of as many changes as the read model likes, and tells of each', async () => {
    const [eventStore, inner] = [createInMemoryEventStore(), createInMemoryReadModel()];
    const positions: Position[] = [];
    for (let n = 0; n < 5; n += 1) positions.push(await append(eventStore, String(n)));
    const until = positions[4] ?? 0n;
    const told: unknown[] = [];
    const onProgress = (progress: unknown) => told.push(progress);
    await replay(eventStore, { ...inner, changesTogether: 2 }, { until, signal: running, onProgress })();
    expect(told).to.deep.equal([
      { events: 2, position: positions[1] },
      { events: 4, position: positions[3] },
      { events: 5, position: positions[4] },
    ]);
  });

  it('takes shorter steps where tables make them large', async () => {
    const [eventStore, inner] = [createInMemoryEventStore(), createInMemoryReadModel()];
    const priceBookId = v7() as PriceBookId;
    const tiers = Array.from({ length: 1_000 }, (_, n) => ({
      firstUnit: n,
      lastUnit: n,
      unitPrice: 1,
    }));
    const items = [{ productId: 'lamp', adjustments: { USD: { type: 'volume', tiers } } }];
    await append(eventStore, 'book', { priceBookId });
    let until: Position = 0n;
    for (let n = 0; n < 4; n += 1)
      until = await appendTo(eventStore, priceBookId, n, { type: 'ProductPricesSet', data: { items } });
    const told: number[] = [];
    const onProgress = ({ events }: { readonly events: number }) => told.push(events);
    await replay(eventStore, { ...inner, changesTogether: 200 }, { until, signal: running, onProgress })();
    expect(told).to.deep.equal([3, 5]);
  });

  it('stops at an event that cannot be read, after what stands before it', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    await append(eventStore, 'sound');
    await append(eventStore, 'of the future', { schemaVersion: 99 });
    const until = await append(eventStore, 'after');
    const done = await replay(eventStore, readModel, { until, signal: running })();
    expect(E.isLeft(done) && done.left._tag).to.equal('UndecodableEvent');
    expect(await namesIn(readModel)).to.deep.equal(['sound']);
  });

  it('ends where it is told to', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    const until = await append(eventStore, 'one');
    const done = await replay(eventStore, readModel, { until, signal: AbortSignal.abort() })();
    expect(done).to.deep.equal(E.left({ _tag: 'Interrupted' }));
  });

  it('reads more at once while events are small, and few where they are large', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    let until = 0n;
    for (let n = 0; n < 400; n += 1) until = await append(eventStore, String(n));
    const asked: number[] = [];
    const watched = {
      readAll: (after: Position | undefined, limit: number) => {
        asked.push(limit);
        return eventStore.readAll(after, limit);
      },
    };
    await replay(watched, readModel, { until, signal: running })();
    expect(asked).to.deep.equal([100, 200, 400]);

    const items = Array.from({ length: 1_000 }, (_, n) => ({
      productId: `P${String(n)}`,
      adjustments: { USD: { type: 'override', amount: n } },
    }));
    const priceBookId = v7() as PriceBookId;
    until = await append(eventStore, 'large', { priceBookId });
    for (let n = 0; n < 120; n += 1) {
      until = await appendTo(eventStore, priceBookId, n, { type: 'ProductPricesSet', data: { items } });
    }
    asked.length = 0;
    await replay(watched, readModel, { until, signal: running })();
    expect(asked[0]).to.equal(100);
    expect(Math.max(...asked.slice(1))).to.be.at.most(10);
  });
});
