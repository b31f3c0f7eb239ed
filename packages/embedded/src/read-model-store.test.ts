import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describeReadModelStore, succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { embeddedReadModels } from './read-model-store';
import { readModelsIn } from './testing/dump';
import { newFolder, noReport, removeFolder } from './testing/folder';

/** The suite makes up its positions: no read model of it is ahead. */
const SOURCE = { id: 'events', end: () => Promise.resolve(1n << 200n) };

/** Begins a read model in a process of its own, and kills that. */
const beginAndKill = async (folder: string): Promise<void> => {
  const script = `
    const { embeddedReadModels } = require(${JSON.stringify(path.join(__dirname, 'index.js'))});
    const source = { id: 'events', end: async () => undefined };
    embeddedReadModels(${JSON.stringify(folder)}, source, () => {}).begin().then(() => {
      process.kill(process.pid, 'SIGKILL');
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'exit');
};

describeReadModelStore('embedded', () => {
  const folder = newFolder();
  const open = () => embeddedReadModels(folder, SOURCE, noReport);
  return Promise.resolve({
    store: open(),
    ofAnother: () => Promise.resolve(open()),
    beginAndKill: () => beginAndKill(folder),
    left: () => Promise.resolve(readModelsIn(folder)),
    dispose: () => {
      removeFolder(folder);
      return Promise.resolve();
    },
  });
});

describe('the read models of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  const open = () => embeddedReadModels(folder, SOURCE, noReport);

  /** As a service does that is started and stopped. */
  const start = async (): Promise<string> => {
    const kept = await open().openLive();
    await kept.close();
    return kept.name;
  };

  it('are rebuilt by one process at a time', async () => {
    for (let time = 0; time < 2; time += 1) {
      const fresh = await open().begin();
      const refusal: unknown = await open()
        .begin()
        .catch((failure: unknown) => failure);
      expect(String(refusal)).to.match(/being rebuilt by another process/);
      await (time === 0 ? fresh.abandon() : fresh.close());
    }
    await (await open().begin()).abandon();
  });

  it('are removed at the next start, but for the live one', async () => {
    await start();
    for (let time = 0; time < 2; time += 1) {
      const fresh = await open().begin();
      expect(await succeed(fresh.goLive)).to.equal(true);
      await fresh.close();
    }
    expect(readModelsIn(folder)).to.have.length(3);
    const live = await start();
    expect(readModelsIn(folder)).to.deep.equal([live]);
  });

  it('are left alone at a start while one is being rebuilt, and then go with what killed processes have left', async () => {
    const fresh = await open().begin();
    const live = await start();
    expect(readModelsIn(folder)).to.have.members([live, fresh.name]);
    await fresh.abandon();
    await beginAndKill(folder);
    // Left by processes that were killed while they removed one, or wrote its note.
    fs.writeFileSync(path.join(folder, 'read-model-0badcafe.mdb-lock'), '');
    fs.writeFileSync(path.join(folder, 'read-model-1badcafe.state.new'), '');
    fs.writeFileSync(path.join(folder, 'read-model.live.new'), 'read-mo');
    expect(readModelsIn(folder)).to.have.length(5);
    await start();
    expect(readModelsIn(folder)).to.deep.equal([live]);
  });
});
