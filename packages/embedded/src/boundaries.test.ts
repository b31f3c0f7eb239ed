/** What the contract does not say: that files of before are opened, and what is not of this version is told of. */
import fs from 'node:fs';
import path from 'node:path';
import { changesOf, type ReadModelEntry } from '@pricebook/application';
import { succeed } from '@pricebook/contract-tests';
import type { PriceBookEvent, PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import { v7 } from 'uuid';
import { openEnvironment } from './environment';
import { liveFile } from './live-file';
import { openEmbeddedReadModel, VERSION } from './read-model';
import { openEmbeddedReadModelToRead } from './read-model-to-read';
import { newFolder, noReport, removeFolder } from './testing/folder';

const SOURCE = { id: 'events', head: 1n << 200n };
const id = v7() as PriceBookId;
const first = { at: '0000-01-01T00:00:00.000Z' };

const changes = (event: PriceBookEvent, revision: number) =>
  changesOf(id, event, { revision, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'a' });
const created = changes(
  { type: 'PriceBookCreated', data: { name: 'A', description: '', basePriceBookIds: [] } },
  0,
);
const sale = changes(
  {
    type: 'AllProductsAdjusted',
    data: {
      adjustments: { USD: { type: 'percent', amount: -5, validFrom: '2027-01-01T00:00:00.000Z' } } as never,
    },
  },
  1,
);

describe('the boundaries of an embedded read model', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = path.join(folder, liveFile(folder));
  });
  afterEach(() => {
    removeFolder(folder);
  });

  const change = async (act: (table: ReturnType<typeof tableOf>) => Promise<unknown>): Promise<void> => {
    const { environment, close } = openEnvironment({ file, readOnly: false }, () => undefined);
    await act(tableOf(environment));
    await close();
    const state = file.replace('.mdb', '.state');
    fs.writeFileSync(state, `version ${String(VERSION)} of the events ${SOURCE.id}, closed\n`);
  };
  const tableOf = (environment: ReturnType<typeof openEnvironment>['environment']) =>
    environment.openDB<unknown, Buffer>('boundaries', { keyEncoding: 'binary', encoding: 'json' });

  const entries = async (): Promise<readonly ReadModelEntry[]> => {
    const toRead = openEmbeddedReadModelToRead(folder, SOURCE.id);
    const found: ReadModelEntry[] = [];
    for await (const page of toRead.entries()) found.push(...page);
    await toRead.close();
    return found;
  };

  it('are none in a file of before, also where that is only read, and are kept there from then on', async () => {
    const old = await openEmbeddedReadModel(folder, SOURCE, noReport);
    await succeed(old.apply(created, 1n));
    await old.close();
    await change((table) => table.drop());
    expect((await entries()).map(({ _tag }) => _tag)).to.deep.equal(['PriceBook']);
    const toRead = openEmbeddedReadModelToRead(folder, SOURCE.id);
    const key = { _tag: 'Boundary', priceBookId: id, holder: 'all', currency: 'USD', ...first } as never;
    expect([...(await succeed(toRead.findEntries([key])))]).to.deep.equal([]);
    await toRead.close();

    const readModel = await openEmbeddedReadModel(folder, SOURCE, noReport);
    expect((await succeed(readModel.listBoundaries(id, 9, first))).items).to.deep.equal([]);
    await succeed(readModel.apply(sale, 2n));
    expect((await succeed(readModel.listBoundaries(id, 9, first))).items).to.have.length(1);
    await readModel.close();
  });

  it('are told of as unknown where their keys say nothing', async () => {
    const readModel = await openEmbeddedReadModel(folder, SOURCE, noReport);
    await succeed(readModel.apply([...created, ...sale], 1n));
    await readModel.close();
    expect((await entries()).filter(({ _tag }) => _tag === 'Boundary')).to.have.length(1);
    await change((table) => table.put(Buffer.from('nothing of a boundary'), 1));
    expect((await entries()).filter(({ _tag }) => _tag === 'Unknown')).to.have.length(1);
  });
});
