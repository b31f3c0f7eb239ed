/** One command at a time: two that are started at once on a fresh clone take turns. */
import fs from 'node:fs';
import { inRoot, readIfThere, timeOf } from './files.mjs';

const LOCK = inRoot('.set-up.lock');
const WAIT_MS = 200;
const EMPTY_LOCK_MS = 2_000;

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const take = () => {
  for (;;) {
    try {
      fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(readIfThere(LOCK));
      // A process writes its id as soon as it has the lock: one that stays empty is of a process that ended in between.
      const isLeft = holder === 0 ? Date.now() - timeOf(LOCK) > EMPTY_LOCK_MS : !isAlive(holder);
      if (isLeft) fs.rmSync(LOCK, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
};

export const withLock = (work) => {
  take();
  try {
    return work();
  } finally {
    fs.rmSync(LOCK, { force: true });
  }
};
