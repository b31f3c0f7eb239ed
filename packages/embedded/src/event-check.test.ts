import fs from 'node:fs';
import path from 'node:path';
import type { NewEvent } from '@pricebook/application';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import fc from 'fast-check';
import { open } from 'lmdb';
import { v4 } from 'uuid';
import { backupEvents, restoreEvents } from './backup';
import { checkEvents } from './event-check';
import { openEmbeddedEventStore } from './event-store';
import { checkLiveEvents } from './snapshot';
import { newFolder, removeFolder } from './testing/folder';

/** Appends that come together: to which stream each, and how long its events are. */
const batches = fc.array(
  fc.array(
    fc.record({
      stream: fc.nat(30),
      lengths: fc.array(
        fc.oneof(
          { weight: 12, arbitrary: fc.nat(600) },
          { weight: 4, arbitrary: fc.integer({ min: 1_500, max: 9_000 }) },
          { weight: 1, arbitrary: fc.integer({ min: 9_000, max: 2 ** 20 }) },
        ),
        { minLength: 1, maxLength: 20 },
      ),
    }),
    { minLength: 1, maxLength: 20 },
  ),
  { minLength: 1, maxLength: 12 },
);
const lives = fc.record({
  pageSize: fc.constantFrom(2_048, 4_096, 8_192, 16_384, 32_768),
  /** Names that differ in length, in characters that JSON escapes, and in those that UTF-8 makes longer. */
  name: fc.constantFrom('priceBook-', 'a', 'é"\\-', 'x'.repeat(200)),
  runs: fc.array(fc.record({ batches, isCopied: fc.boolean() }), { minLength: 1, maxLength: 4 }),
});

const eventOf = (length: number): NewEvent => ({
  id: v4(),
  type: 'Appended',
  data: { text: 'x'.repeat(length) },
  metadata: {},
});

describe('the check of a whole file', () => {
  it('refuses no file that is whole, however it came to be as it is', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async ({ pageSize, name, runs }) => {
        const root = newFolder();
        let folder = path.join(root, 'first');
        fs.mkdirSync(folder);
        try {
          const file = path.join(folder, 'events.mdb');
          await open({ path: file, noSubdir: true, overlappingSync: false, pageSize }).close();
          const revisions = new Map<string, number>();
          let events = 0;
          for (const [run, { batches: appended, isCopied }] of runs.entries()) {
            const eventStore = openEmbeddedEventStore(folder);
            for (const batch of appended) {
              const appends = batch.map(({ stream: number, lengths }) => {
                const stream = `${name}${String(number)}`;
                const last = revisions.get(stream);
                revisions.set(stream, (last ?? -1) + lengths.length);
                events += lengths.length;
                return succeed(
                  eventStore.append(
                    stream,
                    last ?? 'noStream',
                    lengths.map(eventOf) as [NewEvent, ...NewEvent[]],
                  ),
                );
              });
              await Promise.all(appends);
            }
            expect((await checkLiveEvents(folder)).events).to.equal(events);
            await eventStore.close();
            expect(checkEvents(path.join(folder, 'events.mdb')).events).to.equal(events);
            if (!isCopied) continue;
            const [backup, next] = ['backup', 'next'].map((kind) => path.join(root, kind + String(run))) as [
              string,
              string,
            ];
            await backupEvents(folder, backup);
            expect((await restoreEvents(backup, next)).events).to.equal(events);
            folder = next;
          }
        } finally {
          removeFolder(root);
        }
      }),
      { numRuns: 15 },
    );
  }).timeout(120_000);

  it('takes a store that has no events, and one that was cut off while it was made', async () => {
    const root = newFolder();
    const [empty, made] = ['empty', 'made'].map((name) => path.join(root, name)) as [string, string];
    try {
      fs.mkdirSync(empty);
      await openEmbeddedEventStore(empty).close();
      expect(await backupEvents(empty, `${empty}-copy`)).to.include({ events: 0 });
      fs.mkdirSync(made);
      await open({ path: path.join(made, 'events.mdb'), noSubdir: true, overlappingSync: false }).close();
      expect(await backupEvents(made, `${made}-copy`)).to.include({ events: 0 });
      await openEmbeddedEventStore(`${made}-copy`).close();
    } finally {
      removeFolder(root);
    }
  });
});
