/** Damages copies of an event store's file, and sees what comes of each; in a process of its own, which may crash. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { v4 } from 'uuid';
import { openEmbeddedEventStore } from '../event-store';
import { readHeaders } from '../file-header';
import { EVENTS_FILE } from '../files';
import type { DamageOutcome, FileDamage } from './damage';

const PROGRAM = path.join(__dirname, 'try-damaged.js');
/** What a trial may take at most, on a machine that has much else to do. */
const TRIAL_MS = 30_000;

export interface DamageTrials {
  readonly file: string;
  /** What of it is used. */
  readonly size: number;
  readonly ids: readonly string[];
  /** Tries one after the other. Several may be under way. */
  readonly tryAll: (
    damages: Iterable<FileDamage>,
    onOutcome: (damage: FileDamage, outcome: DamageOutcome) => void,
  ) => Promise<void>;
}

/** Makes a store whose file has every kind of page: branches, leaves, large values, pages that are free. */
export const createDamageTrials = async (folder: string, events: number): Promise<DamageTrials> => {
  const home = path.join(folder, 'whole');
  const eventStore = openEmbeddedEventStore(home);
  const ids: string[] = [];
  const streams = Array.from({ length: 12 }, () => `priceBook-${v4()}`);
  for (let n = 0; n < events; n += 1) {
    const id = v4();
    ids.push(id);
    const text = 'x'.repeat(n % 20 === 0 ? 6_000 : 40 * (n % 17));
    const revision = Math.floor(n / streams.length) - 1;
    const added = await eventStore.append(
      streams[n % streams.length] ?? '',
      revision < 0 ? 'noStream' : revision,
      [{ id, type: 'Appended', data: { n, text }, metadata: {} }],
    )();
    if (added._tag === 'Left') throw new Error(JSON.stringify(added.left));
  }
  await eventStore.close();
  const file = path.join(home, EVENTS_FILE);

  const tryAll: DamageTrials['tryAll'] = async (damages, onOutcome) => {
    let child: ChildProcessByStdio<Writable, Readable, null> | undefined;
    let lines: AsyncIterator<string> | undefined;
    for (const damage of damages) {
      if (child === undefined || lines === undefined) {
        child = spawn(process.execPath, [PROGRAM, file, folder], { stdio: ['pipe', 'pipe', 'ignore'] });
        child.stdin.on('error', () => undefined);
        lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      }
      child.stdin.write(`${JSON.stringify(damage)}\n`);
      const isOver = new AbortController();
      const late = delay(TRIAL_MS, undefined, { signal: isOver.signal }).catch(() => undefined);
      const answer = await Promise.race([lines.next(), late]);
      isOver.abort();
      if (answer !== undefined && answer.done !== true) {
        onOutcome(damage, JSON.parse(answer.value) as DamageOutcome);
        continue;
      }
      const { pid, exitCode, signalCode } = child;
      if (exitCode === null && signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      const how =
        answer === undefined ? 'it hung' : `it ended with ${String(child.signalCode ?? child.exitCode)}`;
      onOutcome(damage, { _tag: 'Crashed', how: `${how} (process ${String(pid)})` });
      child = undefined;
    }
    child?.stdin.end();
  };

  const descriptor = fs.openSync(file, 'r');
  const headers = readHeaders(descriptor);
  fs.closeSync(descriptor);
  if (typeof headers === 'string') throw new Error(headers);
  const { lastPage, pageSize } = headers.newest;
  return { file, size: (lastPage + 1) * pageSize, ids, tryAll };
};
