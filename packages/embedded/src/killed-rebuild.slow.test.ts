/** What is left in a folder where a process that rebuilds, or starts after that, is killed at any step. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { embeddedReadModels } from './read-model-store';
import { readModelsIn } from './testing/dump';
import { newFolder, noReport, removeFolder } from './testing/folder';

const PROGRAM = path.join(__dirname, 'testing', 'kill-at-change.js');
const SOURCE = { id: 'events', end: () => Promise.resolve(10n) };
/** What the rebuilt read model has applied, and the old one has not. */
const REBUILT = 7n;

/** Fewer would say that the kills miss what they are for. */
const LEAST_STEPS = 8;

describe('a process that is killed at any step', () => {
  let folder: string;
  afterEach(() => {
    removeFolder(folder);
  });

  /** Runs it until it kills itself, or to its end. @returns whether it was killed. */
  const isKilled = async (what: 'rebuild' | 'start', step: number): Promise<boolean> => {
    const child = spawn(process.execPath, [PROGRAM, folder, what, String(step)], { stdio: 'inherit' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (signal === null) expect(code).to.equal(0);
    return signal !== null;
  };

  /** Starts once more. @returns how far the read model had come. */
  const start = async (report: (message: string) => void): Promise<bigint | undefined> => {
    const kept = await embeddedReadModels(folder, SOURCE, report).openLive();
    const checkpoint = await succeed(kept.checkpoint());
    await kept.close();
    expect(readModelsIn(folder), fs.readdirSync(folder).join(' ')).to.deep.equal([kept.name]);
    return checkpoint;
  };

  /** Does it for each step in a folder of its own, until there is no such step. */
  const atEachStep = async (act: (step: number) => Promise<boolean>): Promise<void> => {
    for (let step = 1; ; step += 1) {
      folder = newFolder();
      await start(noReport);
      const wasKilled = await act(step);
      removeFolder(folder);
      if (wasKilled) continue;
      expect(step).to.be.greaterThan(LEAST_STEPS);
      return;
    }
  };

  it('of a rebuild leaves the old read model live, or the new one whole', () => {
    const seen = new Set<bigint | undefined>();
    return atEachStep(async (step) => {
      const wasKilled = await isKilled('rebuild', step);
      const checkpoint = await start(noReport);
      seen.add(checkpoint);
      if (!wasKilled) expect([...seen]).to.deep.equal([undefined, REBUILT]);
      return wasKilled;
    });
  }).timeout(60_000);

  it('of a start after a rebuild leaves one read model at the next start', () =>
    atEachStep(async (step) => {
      expect(await isKilled('rebuild', 0)).to.equal(false);
      const wasKilled = await isKilled('start', step);
      // One that was killed while it was being opened is rebuilt from the events, and says so.
      const reports: string[] = [];
      const checkpoint = await start((message) => reports.push(message));
      expect(checkpoint).to.equal(reports.length === 0 ? REBUILT : undefined);
      return wasKilled;
    })).timeout(60_000);
});
