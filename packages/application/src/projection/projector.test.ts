import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4, v7 } from 'uuid';
import type { PriceBookId } from '@pricebook/domain';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import type { EventStore, NewEvent } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import { type ProjectorStatus, startProjector } from './projector';

const metadata = (schemaVersion = 1, commandId = 'command-1') => ({
  schemaVersion,
  occurredAt: '2026-01-01T00:00:00.000Z',
  actor: 'key-1',
  $correlationId: 'request-1',
  $causationId: commandId,
  commandId,
});

const created = (name: string, schemaVersion = 1): NewEvent => ({
  id: v4(),
  type: 'PriceBookCreated',
  data: { name, description: '', basePriceBookIds: [] },
  metadata: metadata(schemaVersion),
});

const append = async (eventStore: EventStore, event: NewEvent, id = v7() as PriceBookId) => {
  const appended = await eventStore.append(`priceBook-${id}`, 'noStream', [event])();
  if (E.isLeft(appended)) throw new Error('not appended');
  return { id, position: appended.right.position };
};

const nameOf = async (readModel: ReadModel, id: PriceBookId): Promise<string | undefined> => {
  const found = await readModel.findPriceBook(id)();
  return E.isRight(found) ? found.right?.name : undefined;
};

describe('the projector', () => {
  it('brings the read model to where the events are, and keeps it there', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    const before = await append(eventStore, created('before'));
    const projector = startProjector(eventStore, readModel, () => undefined);
    expect(await projector.waitFor(before.position, 1_000)).to.equal(true);
    const after = await append(eventStore, created('after'));
    expect(await projector.waitFor(after.position, 1_000)).to.equal(true);
    expect([await nameOf(readModel, before.id), await nameOf(readModel, after.id)]).to.deep.equal([
      'before',
      'after',
    ]);
    await projector.close();
    expect(projector.status()).to.deep.equal({ _tag: 'Closed', position: after.position });
  });

  it('takes up where the read model is', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    const { position } = await append(eventStore, created('known'));
    await readModel.apply([], position)();
    const seen: bigint[] = [];
    const watched: ReadModel = {
      ...readModel,
      apply: (changes, checkpoint) => {
        seen.push(checkpoint);
        return readModel.apply(changes, checkpoint);
      },
    };
    const projector = startProjector(eventStore, watched, () => undefined);
    const next = await append(eventStore, created('next'));
    await projector.waitFor(next.position, 1_000);
    await projector.close();
    expect(seen).to.deep.equal([next.position]);
  });

  it('applies a long catch-up in steps of whole requests, most of which are one event', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    const id = v7() as PriceBookId;
    const items = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        productId: `P${String(i)}`,
        adjustments: { USD: { type: 'override', amount: i } },
      }));
    const event = (count: number, commandId: string): NewEvent => ({
      id: v4(),
      type: 'ProductPricesSet',
      data: { items: items(count) },
      metadata: metadata(1, commandId),
    });
    const appended = await eventStore.append(`priceBook-${id}`, 'noStream', [
      created('A'),
      ...[600, 600, 2_500, 1, 1].map((count, place) => event(count, String(place))),
      event(1_500, 'one'),
      event(1_500, 'one'),
      event(1, 'another'),
    ])();
    if (E.isLeft(appended)) throw new Error('not appended');
    const steps: number[] = [];
    const watched: ReadModel = {
      ...readModel,
      apply: (changes, checkpoint) => {
        steps.push(changes.filter(({ _tag }) => _tag === 'HoldingsChange').length);
        return readModel.apply(changes, checkpoint);
      },
    };
    const projector = startProjector(eventStore, watched, () => undefined);
    expect(await projector.waitFor(appended.right.position, 5_000)).to.equal(true);
    expect(steps).to.deep.equal([1_200, 2_500, 3_002, 1]);
    await projector.close();
  });

  it('goes on where the read model is, where that has gone back behind what was applied', async () => {
    const [eventStore, brought] = [createInMemoryEventStore(), createInMemoryReadModel()];
    let readModel = createInMemoryReadModel();
    const first = await append(eventStore, created('first'));
    await brought.apply([], first.position)();
    const served: ReadModel = {
      ...readModel,
      checkpoint: () => readModel.checkpoint(),
      apply: (changes, checkpoint, after) => readModel.apply(changes, checkpoint, after),
    };
    const projector = startProjector(eventStore, served, () => undefined);
    const second = await append(eventStore, created('second'));
    expect(await projector.waitFor(second.position, 1_000)).to.equal(true);
    readModel = brought;
    while ((await nameOf(brought, second.id)) === undefined) await delay(10);
    expect(await projector.waitFor(second.position, 1_000)).to.equal(true);
    await projector.close();
  });

  it('lets go of who waits for too long', async () => {
    const projector = startProjector(createInMemoryEventStore(), createInMemoryReadModel(), () => undefined);
    expect(await projector.waitFor(1n, 20)).to.equal(false);
    await projector.close();
  });

  it('tries again when a store fails, and loses nothing', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    let failures = 3;
    const flaky: ReadModel = {
      ...readModel,
      apply: (changes, checkpoint) => {
        if (failures === 0) return readModel.apply(changes, checkpoint);
        failures -= 1;
        return TE.left({ _tag: 'StoreUnavailable', reason: 'down' });
      },
    };
    let cuts = 2;
    const cutting: EventStore = {
      ...eventStore,
      subscribe: async function* (after, signal) {
        for await (const batch of eventStore.subscribe(after, signal)) {
          cuts -= 1;
          // One subscription fails and one just ends.
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- as the port says
          if (cuts === 1) throw { _tag: 'StoreUnavailable', reason: 'cut' };
          if (cuts === 0) return;
          yield batch;
        }
      },
    };
    const heard: string[] = [];
    const projector = startProjector(cutting, flaky, ({ _tag }: ProjectorStatus) => heard.push(_tag));
    const { id, position } = await append(eventStore, created('kept'));
    expect(await projector.waitFor(position, 5_000)).to.equal(true);
    expect(await nameOf(readModel, id)).to.equal('kept');
    expect(heard).to.deep.equal(['Retrying', 'Running']);
    await projector.close();
  });

  for (const [what, event] of [
    ['an event of an unknown type', { ...created('x'), type: 'PriceBookPainted' }],
    ['an event of a later schema version', created('x', 99)],
    ['an event with data that cannot be', { ...created('x'), data: { name: 7 } }],
    ['an event without metadata', { ...created('x'), metadata: {} }],
  ] as const) {
    it(`stops at ${what}, names it, and has applied what stands before`, async () => {
      const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
      const before = await append(eventStore, created('before'));
      const { id } = await append(eventStore, event);
      const after = await append(eventStore, created('after'));
      const heard: ProjectorStatus[] = [];
      const projector = startProjector(eventStore, readModel, (status) => heard.push(status));
      expect(await projector.waitFor(after.position, 50)).to.equal(false);
      expect(heard).to.have.length(1);
      expect(heard[0]).to.have.nested.include({
        _tag: 'Stopped',
        'error.stream': `priceBook-${id}`,
        'error.revision': 0,
      });
      expect(projector.status().position).to.equal(before.position);
      expect(await nameOf(readModel, before.id)).to.equal('before');
      expect(await nameOf(readModel, after.id)).to.equal(undefined);
      await projector.close();
    });
  }

  it('passes over streams that are not of a book', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    await eventStore.append('apiKeys', 'noStream', [created('key')])();
    const { id, position } = await append(eventStore, created('book'));
    const projector = startProjector(eventStore, readModel, () => undefined);
    expect(await projector.waitFor(position, 1_000)).to.equal(true);
    expect(await nameOf(readModel, id)).to.equal('book');
    await projector.close();
  });
});
