/**
 * A program that opens the events of a folder again and again beside the service, until it is killed. It writes a line
 * for each thing that it did.
 *
 * Arguments: the folder; then `look`, which reads as a SQLite tool does, `hold`, which holds the write lock for up to a
 * second, or `append`, which appends as `pricebook keys` does; then a seed.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { createRandom } from '../random';

const HELD_MS = 1_000;
const WAIT_MS = 5_000;

const [folder = '', role = '', seed = '0'] = process.argv.slice(2);
const random = createRandom(Number(seed));
const file = path.join(folder, 'events.db');

/** Straight to the descriptor: what is written has been seen by the kernel when the call returns. */
const say = (line: string): void => {
  fs.writeSync(1, `${line}\n`);
};

let last = 0;

const look = (): void => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: WAIT_MS });
  const { found, end } = database
    .prepare('SELECT count(*) AS found, max(position) AS end FROM events')
    .get() as { readonly found: number; readonly end: number };
  database.close();
  if (found !== end) say(`fault ${String(found)} events up to position ${String(end)}`);
  if (end < last) say(`fault position ${String(end)} after ${String(last)}`);
  last = end;
  say('looked');
};

const hold = async (): Promise<void> => {
  const database = new DatabaseSync(file, { timeout: WAIT_MS });
  database.exec('BEGIN IMMEDIATE');
  await delay(random.below(HELD_MS));
  database.exec('ROLLBACK');
  database.close();
  say('held');
  await delay(random.below(HELD_MS));
};

const stream = `other-${randomUUID()}`;
let revision = -1;
let event = { id: randomUUID(), type: 'Noted', data: { padding: 'x'.repeat(500) }, metadata: {} };

const append = async (): Promise<void> => {
  const eventStore = openEmbeddedEventStore(folder, 'append');
  const expected = revision < 0 ? ('noStream' as const) : revision;
  const appended = await eventStore.append(stream, expected, [event])();
  await eventStore.close();
  if (appended._tag === 'Left') {
    // Sent again as it is.
    say(appended.left._tag === 'StoreUnavailable' ? 'refused' : `fault ${JSON.stringify(appended.left)}`);
    return;
  }
  revision += 1;
  say(`appended ${stream} ${String(revision)} ${event.id}`);
  event = { ...event, id: randomUUID() };
};

const run = async (): Promise<void> => {
  for (;;) {
    try {
      if (role === 'look') look();
      else await (role === 'hold' ? hold() : append());
    } catch (failure) {
      say(`fault ${failure instanceof Error ? failure.message : String(failure)}`);
    }
    await delay(random.below(20));
  }
};

void run();
