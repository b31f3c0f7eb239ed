import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4, v7 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import { changesOfRecorded } from '../projection/recorded-changes';
import type { Finding } from './differences';
import { verify } from './verify';

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

describe('verify, of keys', () => {
  it('reports two books that exist with one key, and no others', async () => {
    const eventStore = createInMemoryEventStore();
    const readModel = createInMemoryReadModel();
    const append = async (id: PriceBookId, revision: number, type: string, data: object): Promise<void> => {
      const occurredAt = new Date(Date.UTC(2026, 0, 1)).toISOString();
      const ids = { $correlationId: 'r', $causationId: 'c', commandId: 'c' };
      const schemaVersion = type === 'PriceBookDeleted' ? 1 : 2;
      const metadata = { schemaVersion, occurredAt, actor: 'tests', ...ids };
      const expected = revision === 0 ? 'noStream' : revision - 1;
      right(await eventStore.append(`priceBook-${id}`, expected, [{ id: v4(), type, data, metadata }])());
    };
    const create = async (key?: string): Promise<PriceBookId> => {
      const id = v7() as PriceBookId;
      const data = { name: 'A', description: '', basePriceBookIds: [], ...(key !== undefined && { key }) };
      await append(id, 0, 'PriceBookCreated', data);
      return id;
    };
    const findings = async (): Promise<readonly Finding[]> => {
      const events = right(await eventStore.readAll(undefined, 100)());
      await readModel.apply(
        events.flatMap((event) => right(changesOfRecorded(event))),
        events.at(-1)?.position ?? 0n,
      )();
      const told: Finding[] = [];
      const parts = { eventStore, live: readModel, scratch: createInMemoryReadModel() };
      const onDifference = (finding: Finding) => told.push(finding);
      right(await verify(parts, { signal: new AbortController().signal, onDifference })());
      return told;
    };
    const [first, second] = [await create('retail'), await create()];
    await create('Retail');
    const gone = await create('b2b');
    await append(gone, 1, 'PriceBookDeleted', {});
    await create('b2b');
    expect(await findings()).to.deep.equal([]);
    await append(second, 1, 'PriceBookUpdated', { key: 'retail' });
    const shared = { kind: 'key shared', key: 'retail', priceBookIds: [first, second] };
    expect(await findings()).to.deep.equal([shared]);
    await append(first, 1, 'PriceBookUpdated', { key: null });
    expect(await findings()).to.deep.equal([]);
  });
});
