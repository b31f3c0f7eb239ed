/**
 * A program for tests that watch it from outside: appends events to the store in a folder and writes a line for
 * each that was acknowledged.
 *
 * Arguments: the folder, how many appends in all, how many at a time; then, where they are given, the mode in which
 * the store is opened, and how many bytes each event has besides.
 */
import fs from 'node:fs';
import { v4 } from 'uuid';
import { openEmbeddedEventStore } from '../event-store';

const [folder = '', count = '1', atATime = '1', mode = 'serve', bytes = '0'] = process.argv.slice(2);
const padding = 'x'.repeat(Number(bytes));

/** Straight to the descriptor: what is written has been seen by the kernel when the call returns. */
const say = (line: string): void => {
  fs.writeSync(1, `${line}\n`);
};

const run = async (): Promise<void> => {
  const eventStore = openEmbeddedEventStore(folder, mode === 'append' ? 'append' : 'serve');
  const append = async (n: number): Promise<void> => {
    const stream = `priceBook-${v4()}`;
    const event = { id: v4(), type: 'Appended', data: { n, padding }, metadata: {} };
    const result = await eventStore.append(stream, 'noStream', [event])();
    say(result._tag === 'Right' ? `acknowledged ${stream}` : `failed ${JSON.stringify(result.left)}`);
  };
  say('ready');
  for (let n = 0; n < Number(count); n += Number(atATime)) {
    await Promise.all(Array.from({ length: Number(atATime) }, (_, i) => append(n + i)));
  }
  await eventStore.close();
};

void run();
