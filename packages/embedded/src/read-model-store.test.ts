import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeReadModelStore, type KilledAt, succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { lockFolder } from './folder-lock';
import { accept } from './live-file';
import { embeddedReadModels } from './read-model-store';
import { readModelsIn } from './testing/dump';
import { newFolder, noReport, removeFolder } from './testing/folder';

/** The suite makes up its positions: no read model of it is ahead. */
const SOURCE = { id: 'events', end: () => Promise.resolve(1n << 200n) };

/** Begins a read model, and offers it where that is asked, in a process of its own; kills that. */
const beginAndKill = async (folder: string, at: KilledAt): Promise<void> => {
  const script = `
    const { embeddedReadModels } = require(${JSON.stringify(path.join(__dirname, 'index.js'))});
    const source = { id: 'events', end: async () => undefined };
    embeddedReadModels(${JSON.stringify(folder)}, source, () => {}).begin().then((fresh) => {
      if (${String(at === 'announced')}) void fresh.goLive(new AbortController().signal)();
      setTimeout(() => console.log('begun'), 150);
      setInterval(() => {}, 1000);
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
};

describeReadModelStore('embedded', () => {
  const folder = newFolder();
  const open = () => embeddedReadModels(folder, SOURCE, noReport);
  return Promise.resolve({
    store: open(),
    ofAnother: () => Promise.resolve(open()),
    whileServed: async (act) => {
      const lock = lockFolder(folder);
      await act().finally(lock.release);
    },
    beginAndKill: (at) => beginAndKill(folder, at),
    left: () => Promise.resolve(readModelsIn(folder)),
    dispose: () => {
      removeFolder(folder);
      return Promise.resolve();
    },
  });
});

describe('a read model that is offered to the process of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  /** Begins one, and offers it until told to stop. */
  const offerOne = async (closeMs?: number) => {
    const serving = lockFolder(folder);
    const service = embeddedReadModels(folder, SOURCE, noReport);
    const { live } = await succeed(service.look());
    expect(await succeed(service.adopt(live))).to.equal(true);
    await (await service.open(live)).close();
    const fresh = await embeddedReadModels(folder, SOURCE, noReport, closeMs).begin();
    await succeed(fresh.apply([], 7n));
    const stopping = new AbortController();
    const going = succeed(fresh.goLive(stopping.signal));
    while ((await succeed(service.look())).live !== fresh.name) await delay(5);
    return { serving, service, live, fresh, going, stopping };
  };

  it('stays where that opens it and ends before it goes over', async () => {
    const { serving, service, fresh, going } = await offerOne();
    await (await service.open(fresh.name)).close();
    serving.release();
    expect(await going).to.equal(true);
    expect(readModelsIn(folder)).to.deep.equal([fresh.name]);
    const kept = await service.open(fresh.name);
    expect(await succeed(kept.checkpoint())).to.equal(7n);
    await kept.close();
  });

  it('is not taken after it was taken back, also by who has it open', async () => {
    const { serving, service, live, fresh, going, stopping } = await offerOne();
    const open = await service.open(fresh.name);
    stopping.abort();
    expect(await going).to.equal(false);
    await fresh.abandon();
    expect(await succeed(service.adopt(fresh.name))).to.equal(false);
    await open.close();
    expect(await succeed(service.look())).to.deep.equal({ live });
    expect(readModelsIn(folder)).to.deep.equal([live]);
    serving.release();
  });

  it('leaves nothing where its files were taken away while the process had it open', async () => {
    const { serving, service, live, fresh, going, stopping } = await offerOne();
    const open = await service.open(fresh.name);
    stopping.abort();
    expect(await going).to.equal(false);
    await fresh.abandon();
    // It is still projected into, and so made again.
    await open.apply([], 8n)();
    expect(readModelsIn(folder)).to.have.members([live, fresh.name]);
    await open.close();
    expect(readModelsIn(folder)).to.deep.equal([live]);
    serving.release();
  });

  it('is not offered again where it is taken while the rebuild looks', async () => {
    const { serving, fresh, going } = await offerOne();
    // Between its looks at the notes the rebuild reads who holds the folder.
    const read = fs.readFileSync;
    await new Promise<void>((resolve) => {
      fs.readFileSync = ((...args: Parameters<typeof read>) => {
        if (String(args[0]).endsWith('serving.lock') && accept(folder, fresh.name)) resolve();
        return read(...args);
      }) as typeof read;
    }).finally(() => {
      fs.readFileSync = read;
    });
    serving.release();
    expect(await going).to.equal(true);
    expect(readModelsIn(folder)).to.deep.equal([fresh.name]);
  });

  it('leaves nothing of the old one where the process that took it was killed, and another serves since', async () => {
    const { serving, live, fresh, going } = await offerOne(300);
    expect(accept(folder, fresh.name)).to.equal(true);
    const next = embeddedReadModels(folder, SOURCE, noReport);
    expect(await succeed(next.adopt(fresh.name))).to.equal(true);
    // The rebuild is under way: what the start finds may be one that it makes.
    expect(readModelsIn(folder)).to.have.members([live, fresh.name]);
    expect(await going).to.equal(true);
    expect(readModelsIn(folder)).to.deep.equal([fresh.name]);
    serving.release();
  });

  it('is not taken back after it was taken', async () => {
    const { serving, service, fresh, going, stopping } = await offerOne();
    expect(await succeed(service.adopt(fresh.name))).to.equal(true);
    stopping.abort();
    serving.release();
    expect(await going).to.equal(true);
    expect(readModelsIn(folder)).to.deep.equal([fresh.name]);
  });

  it('goes with its offer where it is abandoned', async () => {
    const { service, live, fresh, going, stopping } = await offerOne();
    // No lock can be had in the place of a folder: that ends the offering.
    const lock = path.join(folder, 'serving.lock');
    fs.renameSync(lock, `${lock}.held`);
    fs.mkdirSync(lock);
    await going.then(
      () => expect.fail('it went live'),
      () => undefined,
    );
    stopping.abort();
    await fresh.abandon();
    expect(await succeed(service.look())).to.deep.equal({ live });
    expect(readModelsIn(folder)).to.deep.equal([live]);
  });

  it('leaves nothing of the old one where the process that takes it never had that open', async () => {
    const { serving, live, fresh } = await offerOne();
    // A process was killed while it wrote the note of the old one.
    fs.writeFileSync(path.join(folder, live.replace('.mdb', '.state.new')), 'version');
    const next = embeddedReadModels(folder, SOURCE, noReport);
    expect(await succeed(next.adopt(fresh.name))).to.equal(true);
    expect(readModelsIn(folder)).to.deep.equal([fresh.name]);
    serving.release();
  });
});

describe('a start on a folder of read models', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  it('leaves alone what is being rebuilt, and takes away what a rebuild has left that was killed', async () => {
    const fresh = await embeddedReadModels(folder, SOURCE, noReport).begin();
    const start = async (): Promise<string> => {
      const store = embeddedReadModels(folder, SOURCE, noReport);
      const { live } = await succeed(store.look());
      expect(await succeed(store.adopt(live))).to.equal(true);
      await (await store.open(live)).close();
      return live;
    };
    const live = await start();
    expect(readModelsIn(folder)).to.have.members([live, fresh.name]);
    await fresh.abandon();
    await beginAndKill(folder, 'begun');
    // Left by a process that was killed while it took one away.
    fs.writeFileSync(path.join(folder, 'read-model-0badcafe.mdb-lock'), '');
    expect(readModelsIn(folder)).to.have.length(3);
    await start();
    expect(readModelsIn(folder)).to.deep.equal([live]);
  });

  it('is not needed before the next rebuild, which clears away what one was killed over', async () => {
    fs.writeFileSync(path.join(folder, 'read-model.next'), 'read-model-0badcafe.mdb\n');
    fs.writeFileSync(path.join(folder, 'read-model.next.new'), '');
    fs.writeFileSync(path.join(folder, 'read-model-0badcafe.state.new'), '');
    const fresh = await embeddedReadModels(folder, SOURCE, noReport).begin();
    expect(readModelsIn(folder)).to.deep.equal([fresh.name]);
    await fresh.abandon();
  });
});
