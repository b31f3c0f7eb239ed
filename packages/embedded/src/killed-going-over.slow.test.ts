/** What is left in a folder where the process that goes over to a read model, or makes it, is killed at any step of it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { lockFolder } from './folder-lock';
import { embeddedReadModels } from './read-model-store';
import { readModelsIn } from './testing/dump';
import { newFolder, noReport, removeFolder } from './testing/folder';

const PROGRAM = path.join(__dirname, 'testing', 'kill-at-change.js');
const SOURCE = { id: 'events', end: () => Promise.resolve(undefined) };
const never = new AbortController().signal;

/** Fewer would say that the kills miss what they are for. */
const LEAST_STEPS = 8;

type Child = ChildProcessByStdio<null, Readable, null>;

describe('a process that is killed at any step', () => {
  let folder: string;
  const children: Child[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    removeFolder(folder);
  });

  const open = () => embeddedReadModels(folder, SOURCE, noReport);

  const start = (what: 'serve' | 'rebuild', step: number): Child => {
    const child = spawn(process.execPath, [PROGRAM, folder, what, String(step)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  };

  /** @returns whether it was killed, and did not come to its end. */
  const isKilled = async (child: Child): Promise<boolean> => {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (signal === null) expect(code).to.equal(0);
    return signal !== null;
  };

  /** As a service does that is started and stopped. */
  const startOnce = async (): Promise<string> => {
    const lock = lockFolder(folder);
    const store = open();
    const { live } = await succeed(store.look());
    expect(await succeed(store.adopt(live))).to.equal(true);
    await (await store.open(live)).close();
    lock.release();
    return live;
  };

  /** Does it for each step in a folder of its own, until there is no such step. */
  const atEachStep = async (act: (step: number) => Promise<boolean>): Promise<void> => {
    for (let step = 1; ; step += 1) {
      folder = newFolder();
      const wasKilled = await act(step);
      removeFolder(folder);
      if (wasKilled) continue;
      expect(step).to.be.greaterThan(LEAST_STEPS);
      return;
    }
  };

  const expectOnly = (name: string, step: number): void => {
    expect(
      readModelsIn(folder),
      `at step ${String(step)}: ${fs.readdirSync(folder).join(' ')}`,
    ).to.deep.equal([name]);
  };

  it('while it goes over leaves one read model when the rebuild has ended', () =>
    atEachStep(async (step) => {
      const service = start('serve', step);
      const killed = isKilled(service);
      await once(service.stdout, 'data');
      const fresh = await open().begin();
      expect(await succeed(fresh.goLive(never))).to.equal(true);
      const wasKilled = await killed;
      expectOnly(fresh.name, step);
      return wasKilled;
    })).timeout(60_000);

  it('while it rebuilds leaves one read model when a service has been started', () =>
    atEachStep(async (step) => {
      await startOnce();
      const wasKilled = await isKilled(start('rebuild', step));
      const live = await startOnce();
      expectOnly(live, step);
      return wasKilled;
    })).timeout(60_000);
});
