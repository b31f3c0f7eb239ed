/** What the contract does not say: that those who look at what is kept are told where the list of a product is wrong. */
import fs from 'node:fs';
import path from 'node:path';
import { changesOf, type ReadModelEntry } from '@pricebook/application';
import { succeed } from '@pricebook/contract-tests';
import type { PriceBookEvent, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import { v7 } from 'uuid';
import { openEnvironment } from './environment';
import { priceBookKey, productBookKey } from './keys';
import { liveFile } from './live-file';
import { openProductBooks } from './product-books';
import { openEmbeddedReadModel, VERSION } from './read-model';
import { openEmbeddedReadModelToRead } from './read-model-to-read';
import { newFolder, noReport, removeFolder } from './testing/folder';

const SOURCE = { id: 'events', head: 1n << 200n };
const id = v7() as PriceBookId;
const P = 'P' as ProductId;

const changes = (event: PriceBookEvent, revision: number) =>
  changesOf(id, event, { revision, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'a' });
const created = changes(
  { type: 'PriceBookCreated', data: { name: 'A', description: '', basePriceBookIds: [] } },
  0,
);
const priced = changes(
  {
    type: 'ProductPricesSet',
    data: { items: [{ productId: P, adjustments: { USD: { type: 'override', amount: 1 } } as never }] },
  },
  1,
);
const removed = changes({ type: 'PriceBookEntriesDeleted', data: { productIds: ['Q' as ProductId] } }, 2);

describe("the list of a product's books in an embedded read model", () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = newFolder();
    file = path.join(folder, liveFile(folder));
    const readModel = await openEmbeddedReadModel(folder, SOURCE, noReport);
    await succeed(readModel.apply([...created, ...priced, ...removed], 1n));
    await readModel.close();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  const change = async (
    act: (books: ReturnType<typeof openProductBooks>) => Promise<unknown>,
  ): Promise<void> => {
    const { held, close } = openEnvironment({ file, readOnly: false }, openProductBooks);
    await act(held);
    await close();
    const state = file.replace('.mdb', '.state');
    fs.writeFileSync(state, `version ${String(VERSION)} of the events ${SOURCE.id}, closed\n`);
  };

  const key = { _tag: 'Cell', priceBookId: id, productId: P, currency: 'USD' } as never;
  const look = async (): Promise<readonly (readonly [ReadModelEntry['_tag'], string | undefined])[]> => {
    const toRead = openEmbeddedReadModelToRead(folder, SOURCE.id);
    const found: ReadModelEntry[] = [...(await succeed(toRead.findEntries([key]))).values()];
    for await (const page of toRead.entries()) found.push(...page);
    await toRead.close();
    return found
      .filter(({ _tag }) => _tag === 'Cell' || _tag === 'Unknown')
      .map((entry) => [entry._tag, 'fault' in entry ? entry.fault : undefined]);
  };

  it('says nothing of its own where it is right, and holds no product that never held anything', async () => {
    expect(await look()).to.deep.equal([
      ['Cell', undefined],
      ['Cell', undefined],
    ]);
    await change((books) => {
      expect(books.has('Q', priceBookKey(id))).to.equal(false);
      return Promise.resolve();
    });
  });

  it('is a fault of what a product holds where it lacks the book', async () => {
    await change((books) => books.table.remove(productBookKey(P, priceBookKey(id))));
    const fault = 'is not found by its product';
    expect(await look()).to.deep.equal([
      ['Cell', fault],
      ['Cell', fault],
    ]);
  });

  it('is unknown where it names a book that holds nothing of the product', async () => {
    await change((books) => books.table.put(productBookKey('Q', priceBookKey(id)), Buffer.alloc(0)));
    expect((await look()).at(-1)).to.deep.equal(['Unknown', undefined]);
    await change((books) => books.table.put(Buffer.from('short'), Buffer.alloc(0)));
    expect((await look()).filter(([tag]) => tag === 'Unknown')).to.have.length(2);
  });
});
