/** Damages copies of an event store's files, and looks at the result of each; in a process of its own, which may crash. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { v4 } from 'uuid';
import { type EmbeddedEventStore, openEmbeddedEventStore } from '../event-store';
import type { DamagedFile, DamageOutcome, FileDamage } from './damage';

const PROGRAM = path.join(__dirname, 'try-damaged.js');
/** What a trial may take at most, on a machine that has much else to do. */
const TRIAL_MS = 30_000;

export interface DamageTrials {
  /** In bytes. */
  readonly sizeOf: (file: DamagedFile) => number;
  /** Of all events, in order. */
  readonly ids: readonly string[];
  /** Tries one after the other. Several may be under way. */
  readonly tryAll: (
    damages: Iterable<FileDamage>,
    onOutcome: (damage: FileDamage, outcome: DamageOutcome) => void,
  ) => Promise<void>;
}

/**
 * Makes a store that a process left behind which was killed, so that its newest events are in the WAL, and that has
 * every kind of page: inner ones, leaves, and those of large values.
 */
export const createDamageTrials = async (folder: string, events: number): Promise<DamageTrials> => {
  const [home, whole] = [path.join(folder, 'home'), path.join(folder, 'whole')];
  const ids: string[] = [];
  const streams = Array.from({ length: 12 }, () => `priceBook-${v4()}`);
  const append = async (eventStore: EmbeddedEventStore, from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1) {
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
  };
  const first = openEmbeddedEventStore(home);
  await append(first, 0, events / 2);
  await first.close();
  const second = openEmbeddedEventStore(home);
  await append(second, events / 2, events);
  // As a process leaves them that is killed now.
  fs.cpSync(home, whole, { recursive: true, filter: (name) => !name.endsWith('-shm') });
  await second.close();

  const tryAll: DamageTrials['tryAll'] = async (damages, onOutcome) => {
    let child: ChildProcessByStdio<Writable, Readable, null> | undefined;
    let lines: AsyncIterator<string> | undefined;
    for (const damage of damages) {
      if (child === undefined || lines === undefined) {
        child = spawn(process.execPath, [PROGRAM, whole, folder], { stdio: ['pipe', 'pipe', 'ignore'] });
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

  return { sizeOf: (file) => fs.statSync(path.join(whole, file)).size, ids, tryAll };
};
