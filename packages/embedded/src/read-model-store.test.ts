import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describeReadModelStore, type KilledAt } from '@pricebook/contract-tests';
import { lockFolder } from './folder-lock';
import { embeddedReadModels } from './read-model-store';
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
    left: () => {
      const files = fs.readdirSync(folder).filter((file) => /\.(mdb|mdb-lock|state|next|new)$/.test(file));
      const names = files.map((file) => file.replace(/\.(mdb-lock|state)$/, '.mdb'));
      return Promise.resolve([...new Set(names)]);
    },
    dispose: () => {
      removeFolder(folder);
      return Promise.resolve();
    },
  });
});
