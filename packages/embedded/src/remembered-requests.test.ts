/** What the contract does not say: that what is too old goes. */
import path from 'node:path';
import { changesOf } from '@pricebook/application';
import { succeed } from '@pricebook/contract-tests';
import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import { v7 } from 'uuid';
import { openEnvironment } from './environment';
import { liveFile } from './live-file';
import { openEmbeddedReadModel } from './read-model';
import { openRememberedRequests } from './remembered-requests';
import { newFolder, noReport, removeFolder } from './testing/folder';

const SOURCE = { id: 'events', head: 1n << 200n };
const HOUR_MS = 3_600_000;

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

const created = {
  type: 'PriceBookCreated',
  data: { name: 'A', description: '', basePriceBookIds: [] },
} as const;

const create = (key: string, occurredAt: string, priceBookId = v7() as PriceBookId) =>
  changesOf(priceBookId, created, { revision: 0, occurredAt, actor: 'a' }, { key, request: 'r' });

describe('the requests that an embedded read model remembers', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  /** As many as the file holds: by name, and by time. */
  const counts = async () => {
    const file = path.join(folder, liveFile(folder));
    const opened = openEnvironment({ file, readOnly: false }, openRememberedRequests);
    try {
      const { environment, held: kept } = opened;
      const byTime = environment.openDB('rememberedByTime', { keyEncoding: 'binary' });
      return [kept.table.getCount(), byTime.getCount()];
    } finally {
      await opened.close();
    }
  };

  const applyAll = async (...batches: readonly (readonly ReturnType<typeof create>[])[]): Promise<void> => {
    const readModel = await openEmbeddedReadModel(folder, SOURCE, noReport);
    for (const batch of batches) await succeed(readModel.apply(batch.flat(), 1n));
    await readModel.close();
  };

  it('are not those of two days ago, as a replay brings them', async () => {
    await applyAll([create('old', hoursAgo(49)), create('new', hoursAgo(47))]);
    expect(await counts()).to.deep.equal([1, 1]);
  });

  it('are kept once, however often their key is used and they are applied', async () => {
    const [first, second] = [create('k', hoursAgo(30)), create('k', hoursAgo(1))];
    await applyAll(
      [first],
      [second],
      [first, second],
      Array.from({ length: 20 }, () => second),
    );
    expect(await counts()).to.deep.equal([1, 1]);
  });

  it('do not grow without end: what has become too old goes, some with each batch', async () => {
    await applyAll(Array.from({ length: 400 }, (_, n) => create(String(n), hoursAgo(24))));
    expect(await counts()).to.deep.equal([400, 400]);
    const real = Date.now;
    Date.now = () => real() + 25 * HOUR_MS;
    try {
      await applyAll([create('a', hoursAgo(0))]);
      expect(await counts()).to.deep.equal([299, 299]);
      const used = create('399', hoursAgo(0));
      await applyAll([used], [used], [used], [used]);
      expect(await counts()).to.deep.equal([2, 2]);
    } finally {
      Date.now = real;
    }
  });
});
