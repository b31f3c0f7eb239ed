/** A read model that other processes open while one commits: no commit is forgotten over that. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { changesOf } from '@pricebook/application';
import { succeed } from '@pricebook/contract-tests';
import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import { v7 } from 'uuid';
import { openEmbeddedReadModel } from './read-model';
import { newFolder, noReport, removeFolder } from './testing/folder';

const PROGRAM = path.join(__dirname, 'testing', 'open-often.js');
/** Without the lock the first is lost after some hundreds. */
const COMMITS = 2_000;

describe('a file that other processes open all the time', () => {
  let folder: string;
  const children: ChildProcessByStdio<null, Readable, null>[] = [];
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    removeFolder(folder);
  });

  const openOften = async (name: string, how: 'read' | 'write'): Promise<void> => {
    const args = [PROGRAM, path.join(folder, name), how];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout, 'data');
  };
  const othersAreWell = (): boolean =>
    children.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null);

  it('has everything that was applied to a read model', async () => {
    const source = { id: 'events', head: BigInt(COMMITS) };
    const readModel = await openEmbeddedReadModel(folder, source, noReport);
    await openOften(readModel.name, 'read');
    const ids: PriceBookId[] = [];
    for (let n = 0; n < COMMITS; n += 1) {
      const id = v7() as PriceBookId;
      ids.push(id);
      const occurredAt = '2026-01-01T00:00:00.000Z';
      const data = { name: 'A', description: '', basePriceBookIds: [] };
      const about = { revision: 0, occurredAt, actor: 'a' };
      await succeed(readModel.apply(changesOf(id, { type: 'PriceBookCreated', data }, about), BigInt(n + 1)));
    }
    expect(othersAreWell()).to.equal(true);
    for (const id of ids) expect(await succeed(readModel.findPriceBook(id))).to.include({ priceBookId: id });
    await readModel.close();
  }).timeout(120_000);
});
