/**
 * A program for tests that watch it from outside: appends events to the store in a folder and writes a line for
 * each that was acknowledged, or failed.
 *
 * Arguments: the folder, how many appends in all, how many at a time; then, where they are given, the mode in which
 * the store is opened, how many bytes each event has besides, and `patient` to send again what failed, as it was, until it
 * is acknowledged, and to read meanwhile.
 */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { v4 } from 'uuid';
import { openEmbeddedEventStore } from '../event-store';

const [folder = '', count = '1', atATime = '1', mode = 'serve', bytes = '0', patience] =
  process.argv.slice(2);
const padding = 'x'.repeat(Number(bytes));

/** Straight to the descriptor: what is written has been seen by the kernel when the call returns. */
const say = (line: string): void => {
  fs.writeSync(1, `${line}\n`);
};

const run = async (): Promise<void> => {
  const eventStore = openEmbeddedEventStore(folder, mode === 'append' ? 'append' : 'serve', (message) => {
    say(`report ${message}`);
  });

  const append = async (n: number): Promise<void> => {
    const stream = `priceBook-${v4()}`;
    const event = { id: v4(), type: 'Appended', data: { n, padding }, metadata: {} };
    for (;;) {
      const result = await eventStore.append(stream, 'noStream', [event])();
      if (result._tag === 'Right') {
        say(`acknowledged ${stream}`);
        return;
      }
      say(`failed ${JSON.stringify(result.left)}`);
      if (patience === undefined) return;
      const found = await eventStore.readAll(undefined, 10)();
      if (found._tag === 'Left') say(`unread ${JSON.stringify(found.left)}`);
      await delay(50);
    }
  };

  say('ready');
  for (let n = 0; n < Number(count); n += Number(atATime)) {
    await Promise.all(Array.from({ length: Number(atATime) }, (_, i) => append(n + i)));
  }
  await eventStore.close();
};

void run();
