/** What the contract does not say: entries that this version cannot have written are reported. */
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

  const putUnknown = async (): Promise<void> => {
    const { held: table, close } = openEnvironment({ file, readOnly: false }, (environment) =>
      environment.openDB<unknown, Buffer>('boundaries', { keyEncoding: 'binary', encoding: 'json' }),
    );
    await table.put(Buffer.from('nothing of a boundary'), 1);
    await close();
    const state = file.replace('.mdb', '.state');
    fs.writeFileSync(state, `version ${String(VERSION)} of the events ${SOURCE.id}, closed\n`);
  };

  const entries = async (): Promise<readonly ReadModelEntry[]> => {
    const toRead = openEmbeddedReadModelToRead(folder, SOURCE.id);
    const found: ReadModelEntry[] = [];
    for await (const page of toRead.entries()) found.push(...page);
    await toRead.close();
    return found;
  };

  it('are reported as unknown where their keys say nothing', async () => {
    const readModel = await openEmbeddedReadModel(folder, SOURCE, noReport);
    await succeed(readModel.apply([...created, ...sale], 1n));
    await readModel.close();
    expect((await entries()).filter(({ _tag }) => _tag === 'Boundary')).to.have.length(1);
    await putUnknown();
    expect((await entries()).filter(({ _tag }) => _tag === 'Unknown')).to.have.length(1);
  });
});
