/** Events that were acknowledged and are no longer in the file: each start refuses, and names both positions. */
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import fc from 'fast-check';
import { v4 } from 'uuid';
import { backupEvents } from './backup';
import { Damage } from './damage';
import { type EmbeddedEventStore, openEmbeddedEventStore } from './event-store';
import { newFolder, removeFolder } from './testing/folder';
import { checkWal } from './wal-check';

const PAGE = 4_096;
const FRAME = PAGE + 24;
const WAL_HEADER = 32;

describe('events that are lost', () => {
  let home: string;
  let folder: string;
  let eventStore: EmbeddedEventStore;
  const inFolder = (name: string): string => path.join(folder, name);

  const append = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const event = { id: v4(), type: 'Appended', data: { n, text: 'x'.repeat(500) }, metadata: {} };
      await succeed(eventStore.append(`priceBook-${v4()}`, 'noStream', [event]));
    }
  };

  /** The files that a process leaves which is killed now. */
  const filesNow = (): ReadonlyMap<string, Buffer> =>
    new Map(
      fs
        .readdirSync(home)
        .filter((name) => !name.endsWith('-shm'))
        .map((name) => [name, fs.readFileSync(path.join(home, name))]),
    );

  const leave = (files = filesNow()): void => {
    removeFolder(folder);
    fs.mkdirSync(folder);
    for (const [name, content] of files) fs.writeFileSync(inFolder(name), content);
  };

  beforeEach(async () => {
    [home, folder] = [newFolder(), newFolder()];
    eventStore = openEmbeddedEventStore(home);
    await append(30);
    leave();
  });
  afterEach(async () => {
    await eventStore.close();
    removeFolder(home);
    removeFolder(folder);
  });

  const headOf = async (): Promise<bigint | undefined> => {
    const found = openEmbeddedEventStore(folder);
    try {
      return await succeed(found.head());
    } finally {
      await found.close();
    }
  };

  it('are none where the process was killed', async () => {
    expect(await headOf()).to.equal(30n);
  });

  it('are found where the WAL is cut, at any place', () => {
    const wal = fs.readFileSync(inFolder('events.db-wal'));
    // A service empties its WAL when it is idle: each trial begins with the files as they were.
    const files = new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(inFolder(name))]));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: wal.length - FRAME }), (size) => {
        leave(files);
        fs.truncateSync(inFolder('events.db-wal'), size);
        expect(() => openEmbeddedEventStore(folder)).to.throw(Damage, /events\.db/);
      }),
      { numRuns: 40 },
    );
  });

  it('are found where the WAL is gone, and both positions named', () => {
    fs.rmSync(inFolder('events.db-wal'));
    // SQLite made the file itself with the first commit; its content was in the WAL.
    const database = new DatabaseSync(inFolder('events.db'));
    database.close();
    expect(() => openEmbeddedEventStore(folder)).to.throw(Damage, 'events.db');
  });

  it('are found by readers and backups too', () => {
    const file = inFolder('events.db-wal');
    fs.truncateSync(file, fs.statSync(file).size - FRAME);
    expect(() => openEmbeddedEventStore(folder, 'read')).to.throw(Damage, 'position 30 was acknowledged');
    expect(() => backupEvents(folder, inFolder('backup'))).to.throw(Damage, 'position 30 was acknowledged');
    expect(fs.existsSync(inFolder('backup'))).to.equal(false);
  });

  // The default folder is a relative one, `./data`.
  for (const kind of ['absolute', 'relative']) {
    for (const left of ['events.last', 'read-model.mdb']) {
      it(`are found where only ${left} is left, path of the folder ${kind}`, () => {
        leave(new Map([[left, Buffer.from('left')]]));
        const named = kind === 'absolute' ? folder : path.relative(process.cwd(), folder);
        expect(() => openEmbeddedEventStore(named)).to.throw(
          Damage,
          `it is missing, but ${path.join(named, left)} is there`,
        );
        expect(fs.readdirSync(folder)).to.deep.equal([left]);
      });
    }
  }

  it('are found in a file that was brought back from before, and both positions named', async () => {
    await eventStore.close();
    const before = fs.readFileSync(path.join(home, 'events.db'));
    eventStore = openEmbeddedEventStore(home);
    await append(5);
    await eventStore.close();
    leave();
    fs.writeFileSync(inFolder('events.db'), before);
    expect(() => openEmbeddedEventStore(folder)).to.throw(
      Damage,
      'it ends at position 30, but events.last says that position 35 was acknowledged: events are lost',
    );
    fs.rmSync(inFolder('events.last'));
    expect(await headOf()).to.equal(30n);
  });

  it('are found where another event has their position', async () => {
    await eventStore.close();
    const before = fs.readFileSync(path.join(home, 'events.db'));
    for (const n of [1, 2]) {
      fs.writeFileSync(path.join(home, 'events.db'), before);
      if (n === 1) leave();
      if (n === 2) fs.rmSync(path.join(home, 'events.last'));
      eventStore = openEmbeddedEventStore(home);
      await append(1);
      await eventStore.close();
      if (n === 1) fs.copyFileSync(path.join(home, 'events.last'), inFolder('events.last'));
    }
    fs.copyFileSync(path.join(home, 'events.db'), inFolder('events.db'));
    expect(() => openEmbeddedEventStore(folder)).to.throw(Damage, 'it has another event at position 31');
  });

  it('are found without the note as well, where two commits follow a damaged frame of the WAL', () => {
    const wal = fs.readFileSync(inFolder('events.db-wal'));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Math.floor(wal.length * 0.7) }),
        fc.integer({ min: 0, max: 7 }),
        (at, bit) => {
          const damaged = Buffer.from(wal);
          damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
          fs.writeFileSync(inFolder('events.db-wal'), damaged);
          expect(() => {
            checkWal(inFolder('events.db'));
          }).to.throw(Damage, 'is not as it was written');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are none where the machine went down in the middle of the last commit', async () => {
    const wal = fs.readFileSync(inFolder('events.db-wal'));
    const frames = Math.floor((wal.length - WAL_HEADER) / FRAME);
    const file = inFolder('events.db-wal');
    fs.rmSync(inFolder('events.last'));
    // Of the last frame, which ends a commit, only a part was written.
    fs.writeFileSync(file, wal.fill(0, WAL_HEADER + (frames - 1) * FRAME + 100));
    expect(await headOf()).to.equal(29n);
  });

  it('cannot be: a note that was torn says nothing', async () => {
    fs.writeFileSync(inFolder('events.last'), '99 half a li');
    expect(await headOf()).to.equal(30n);
  });

  it('cannot be those of a store that was closed: no WAL is left', async () => {
    await eventStore.close();
    expect(fs.readdirSync(home)).to.have.members(['events.db', 'events.last']);
  });
});
