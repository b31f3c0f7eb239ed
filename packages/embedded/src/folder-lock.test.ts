import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect } from 'chai';
import { FolderInUse, lockFolder } from './folder-lock';
import { newFolder, removeFolder } from './testing/folder';

describe('the lock of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  it('refuses a second holder, and says who is the first', () => {
    const lock = lockFolder(folder);
    expect(() => lockFolder(folder)).to.throw(FolderInUse, `process ${String(process.pid)}`);
    lock.release();
    lockFolder(folder).release();
  });

  it('creates the folder where it is missing', () => {
    lockFolder(path.join(folder, 'a', 'b')).release();
  });

  it('goes with its process, also when that is killed', async () => {
    const script = `require(${JSON.stringify(path.join(__dirname, 'index.js'))}).lockFolder(${JSON.stringify(folder)});
      console.log('locked'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    expect(() => lockFolder(folder)).to.throw(FolderInUse, `process ${String(holder.pid)}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    lockFolder(folder).release();
  });
});
