import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4, v7 } from 'uuid';
import type { PriceBookId } from '@pricebook/domain';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import type { EventStore, Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import { replay } from './replay';

const append = async (eventStore: EventStore, name: string, schemaVersion = 1): Promise<Position> => {
  const metadata = {
    schemaVersion,
    occurredAt: '2026-01-01T00:00:00.000Z',
    actor: 'key-1',
    $correlationId: 'request-1',
    $causationId: 'command-1',
    commandId: 'command-1',
  };
  const data = { name, description: '', basePriceBookIds: [] };
  const event = { id: v4(), type: 'PriceBookCreated', data, metadata };
  const appended = await eventStore.append(`priceBook-${v7() as PriceBookId}`, 'noStream', [event])();
  if (E.isLeft(appended)) throw new Error('not appended');
  return appended.right.position;
};

const namesIn = async (readModel: ReadModel): Promise<readonly string[]> => {
  const books = await readModel.listPriceBooks()();
  return E.isRight(books) ? books.right.map(({ name }) => name) : [];
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

  it('stops at an event that cannot be read, after what stands before it', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    await append(eventStore, 'sound');
    await append(eventStore, 'of the future', 99);
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
});
