/**
 * A program for tests that damage a file: starts an event store as the service does, reads all of it, writes to it and
 * reads it again. Arguments: the folder that is copied and damaged, a folder to work in. Reads damages as lines of JSON,
 * and answers each with a line: what the result was.
 */
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import type { EventStore, RecordedEvent } from '@pricebook/application';
import { v4 } from 'uuid';
import { openEmbeddedEventStore } from '../event-store';
import type { DamageOutcome, FileDamage } from './damage';

const [source = '', work = ''] = process.argv.slice(2);

const readAll = async (eventStore: EventStore): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await eventStore.readAll(events.at(-1)?.position, 1_000)();
    if (page._tag === 'Left') throw new Error(JSON.stringify(page.left));
    if (page.right.length === 0) return events;
    events.push(...page.right);
  }
};

const tryStore = async (folder: string): Promise<DamageOutcome> => {
  const eventStore = openEmbeddedEventStore(folder);
  try {
    const events = await readAll(eventStore);
    // Writes use pages that are said to be free, and streams say what comes next.
    const last = new Map(events.map(({ stream, revision }) => [stream, revision]));
    const added = await Promise.all(
      [...last].map(([stream, revision]) =>
        eventStore.append(stream, revision, [{ id: v4(), type: 'Appended', data: {}, metadata: {} }])(),
      ),
    );
    for (const one of added) if (one._tag === 'Left') throw new Error(JSON.stringify(one.left));
    const after = await readAll(eventStore);
    const isKept =
      after.length === events.length + last.size && events.every(({ id }, index) => after[index]?.id === id);
    return { _tag: 'Opened', ids: events.map(({ id }) => id), isKept };
  } finally {
    await eventStore.close();
  }
};

const damage = (file: string, what: FileDamage): void => {
  if (what.kind === 'cut') {
    fs.truncateSync(file, what.at);
    return;
  }
  const descriptor = fs.openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  fs.readSync(descriptor, byte, 0, 1, what.at);
  byte[0] = (byte[0] ?? 0) ^ what.mask;
  fs.writeSync(descriptor, byte, 0, 1, what.at);
  fs.closeSync(descriptor);
};

const run = async (): Promise<void> => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const folder = fs.mkdtempSync(path.join(work, 'store-'));
    fs.cpSync(source, folder, { recursive: true });
    const what = JSON.parse(line) as FileDamage;
    damage(path.join(folder, what.file), what);
    const outcome = await tryStore(folder).catch((failure: unknown): DamageOutcome => ({
      _tag: 'Refused',
      message: failure instanceof Error ? failure.message : String(failure),
    }));
    fs.rmSync(folder, { recursive: true, force: true });
    fs.writeSync(1, `${JSON.stringify(outcome)}\n`);
  }
};

void run();
