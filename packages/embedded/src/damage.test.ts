import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { failWith, succeed } from '@pricebook/contract-tests';
import type { EventStore } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4 } from 'uuid';
import { Damage } from './damage';
import { backupEvents, checkLiveLayout } from './backup';
import { openEmbeddedEventStore } from './event-store';
import { openEmbeddedReadModel, VERSION } from './read-model';
import { newFolder, noReport, removeFolder } from './testing/folder';

const PAGE = 4096;

const appendMany = async (eventStore: EventStore, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const event = {
      id: v4(),
      type: 'Appended',
      data: { text: `number ${String(n)} ${'x'.repeat(500)}` },
      metadata: {},
    };
    await succeed(eventStore.append(`priceBook-${v4()}`, 'noStream', [event]));
  }
};

describe('damaged files', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = newFolder();
    file = path.join(folder, 'events.db');
    const eventStore = openEmbeddedEventStore(folder);
    await appendMany(eventStore, 50);
    await eventStore.close();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  const overwrite = (offset: number, bytes: Uint8Array): void => {
    const descriptor = fs.openSync(file, 'r+');
    fs.writeSync(descriptor, bytes, 0, bytes.length, offset);
    fs.closeSync(descriptor);
  };

  const damages: readonly [string, (size: number) => void][] = [
    [
      'is empty',
      () => {
        fs.truncateSync(file, 0);
      },
    ],
    [
      'has lost all but its first bytes',
      () => {
        fs.truncateSync(file, 100);
      },
    ],
    [
      'has lost all but its first page',
      () => {
        fs.truncateSync(file, PAGE);
      },
    ],
    [
      'has lost all but its first two pages',
      () => {
        fs.truncateSync(file, 2 * PAGE);
      },
    ],
    [
      'has lost its second half',
      (size) => {
        fs.truncateSync(file, Math.floor(size / 2));
      },
    ],
    [
      'has lost its last page',
      (size) => {
        fs.truncateSync(file, size - PAGE);
      },
    ],
    [
      'is something else altogether',
      (size) => {
        fs.writeFileSync(file, 'x'.repeat(size));
      },
    ],
    [
      'has its header overwritten',
      () => {
        overwrite(0, Buffer.alloc(100));
      },
    ],
    [
      'has its second page overwritten',
      () => {
        overwrite(PAGE, Buffer.alloc(PAGE, 0xff));
      },
    ],
  ];

  for (const [what, damage] of damages) {
    it(`an event store that ${what} is not opened, and named`, () => {
      damage(fs.statSync(file).size);
      const before = fs.readFileSync(file);
      expect(() => openEmbeddedEventStore(folder)).to.throw(Damage, file);
      expect(fs.readFileSync(file).equals(before), 'the file is left as it is').to.equal(true);
    });
  }

  /** Changes an event as a failing disk might. */
  const changeEvent = (): void => {
    const at = fs.readFileSync(file).indexOf('number 25 ');
    expect(at).to.be.above(0);
    overwrite(at, Buffer.from('Number'));
  };

  it('an event that is not as it was written is named when it is read, and not skipped', async () => {
    changeEvent();
    const eventStore = openEmbeddedEventStore(folder);
    try {
      const seen: number[] = [];
      const stop = new AbortController();
      const reading = (async () => {
        for await (const batch of eventStore.subscribe(undefined, stop.signal))
          seen.push(batch.events.length);
      })();
      const failure: unknown = await reading.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).to.deep.equal({
        _tag: 'StoreDamaged',
        where: file,
        reason: 'the event at position 26 is not as it was written',
      });
      expect(seen).to.deep.equal([]);
      expect(await succeed(eventStore.readAll(26n, 100))).to.have.length(24);
    } finally {
      await eventStore.close();
    }
  });

  it('are found by a backup, which names the first', () => {
    const backup = path.join(folder, 'backup');
    expect(backupEvents(folder, backup).events).to.equal(50);
    fs.rmSync(backup, { recursive: true });
    changeEvent();
    expect(() => backupEvents(folder, backup)).to.throw(
      Damage,
      `${file} is damaged: the event at position 26`,
    );
  });

  it('an index that does not fit its table is named at the start and by the check of a live folder', () => {
    const database = new DatabaseSync(file, { defensive: false });
    const { rootpage } = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex_events%'")
      .get() as { rootpage: number };
    database.close();
    const page = fs.readFileSync(file).subarray((rootpage - 1) * PAGE, rootpage * PAGE);
    const at = page.indexOf('priceBook-');
    overwrite((rootpage - 1) * PAGE + at + 12, Buffer.from('~'));
    expect(() => openEmbeddedEventStore(folder)).to.throw(Damage, file);
    expect(() => {
      checkLiveLayout(folder);
    }).to.throw(Damage, file);
  });

  it('a store that was closed answers that it is closed', async () => {
    const eventStore = openEmbeddedEventStore(folder);
    await eventStore.close();
    const event = { id: v4(), type: 'Appended', data: {}, metadata: {} };
    for (const task of [
      eventStore.head(),
      eventStore.read('priceBook-x', { direction: 'forwards', limit: 1 }),
      eventStore.append('priceBook-x', 'noStream', [event]),
    ]) {
      expect(await failWith<unknown>(task)).to.have.property('_tag', 'StoreUnavailable');
    }
  });
});

describe('reading beside the server', () => {
  it('sees what the server appends, and writes nothing', async () => {
    const folder = newFolder();
    const server = openEmbeddedEventStore(folder);
    await appendMany(server, 3);
    const reader = openEmbeddedEventStore(folder, 'read');
    try {
      expect(await succeed(reader.head())).to.equal(3n);
      const stop = new AbortController();
      const seen: bigint[] = [];
      const reading = (async () => {
        for await (const { checkpoint } of reader.subscribe(undefined, stop.signal)) {
          seen.push(checkpoint);
          if (checkpoint === 5n) stop.abort();
        }
      })();
      await appendMany(server, 2);
      await reading;
      expect(seen.at(-1)).to.equal(5n);
      const event = { id: v4(), type: 'Appended', data: {}, metadata: {} };
      expect(E.isLeft(await reader.append('priceBook-x', 'noStream', [event])())).to.equal(true);
      expect(await succeed(server.head())).to.equal(5n);
    } finally {
      await reader.close();
      await server.close();
      removeFolder(folder);
    }
  });

  it('says so where there is nothing to read', () => {
    const folder = newFolder();
    expect(() => openEmbeddedEventStore(folder, 'read')).to.throw('there is no event store in');
    expect(fs.readdirSync(folder)).to.deep.equal([]);
    removeFolder(folder);
  });
});

describe('the file of the read model', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  /** Leaves a read model behind that has come to position 7. */
  const leave = async (): Promise<void> => {
    const readModel = await openEmbeddedReadModel(folder, { id: 'events', head: undefined }, noReport);
    await succeed(readModel.apply([], 7n));
    await readModel.close();
  };

  const reopen = async (
    head = 7n,
    id = 'events',
  ): Promise<{ checkpoint: bigint | undefined; reports: readonly string[] }> => {
    const reports: string[] = [];
    const readModel = await openEmbeddedReadModel(folder, { id, head }, (message) => reports.push(message));
    const checkpoint = await succeed(readModel.checkpoint());
    await readModel.close();
    return { checkpoint, reports };
  };

  it('is trusted after it was closed in order', async () => {
    await leave();
    expect(await reopen()).to.deep.equal({ checkpoint: 7n, reports: [] });
  });

  it('is a reason not to start where it has come further than the events', async () => {
    await leave();
    for (const head of [6n, undefined]) {
      const refused: unknown = await openEmbeddedReadModel(folder, { id: 'events', head }, noReport).catch(
        (failure: unknown) => failure,
      );
      expect(refused).to.be.instanceOf(Error);
      const { message } = refused as Error;
      expect(message).to.include('up to position 7');
      expect(message).to.include(head === undefined ? 'there are none' : 'at position 6');
    }
    expect(await reopen()).to.deep.equal({ checkpoint: 7n, reports: [] });
  });

  it('is rebuilt where it is of other events', async () => {
    await leave();
    const { checkpoint, reports } = await reopen(7n, 'other events');
    expect(checkpoint).to.equal(undefined);
    expect(reports).to.have.length(1);
    expect(reports[0]).to.include('read-model.mdb');
  });

  it('does not start from nothing where the events are gone', async () => {
    await leave();
    expect(() => openEmbeddedEventStore(folder)).to.throw(Damage, path.join(folder, 'events.db'));
    fs.rmSync(path.join(folder, 'read-model.mdb'));
    await openEmbeddedEventStore(folder).close();
  });

  it('may be deleted: an empty one takes its place', async () => {
    await leave();
    fs.rmSync(path.join(folder, 'read-model.mdb'));
    expect(await reopen()).to.deep.equal({ checkpoint: undefined, reports: [] });
  });

  it('is trusted after its process was killed, and not after the machine went down', async () => {
    await leave();
    const state = path.join(folder, 'read-model.state');
    const bootId = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    fs.writeFileSync(state, `version ${String(VERSION)} of the events events, open since start ${bootId}\n`);
    expect(await reopen()).to.deep.equal({ checkpoint: 7n, reports: [] });
    fs.writeFileSync(
      state,
      `version ${String(VERSION)} of the events events, open since start of-another-time\n`,
    );
    const { checkpoint, reports } = await reopen();
    expect(checkpoint).to.equal(undefined);
    expect(reports).to.have.length(1);
    expect(reports[0]).to.include('read-model.mdb');
  });

  for (const [what, damage] of [
    [
      'is cut',
      (file: string) => {
        fs.truncateSync(file, 5000);
      },
    ],
    [
      'is something else altogether',
      (file: string) => {
        fs.writeFileSync(file, 'x'.repeat(fs.statSync(file).size));
      },
    ],
  ] as const) {
    it(`is rebuilt where it ${what}`, async () => {
      await leave();
      damage(path.join(folder, 'read-model.mdb'));
      const { checkpoint, reports } = await reopen();
      expect(checkpoint).to.equal(undefined);
      expect(reports).to.have.length(1);
      expect(reports[0]).to.include('is not as it was closed');
    });
  }

  it('is rebuilt and kept aside where it was cut after its process was killed', async () => {
    const readModel = await openEmbeddedReadModel(folder, { id: 'events', head: undefined }, noReport);
    await succeed(readModel.apply([], 7n));
    const file = path.join(folder, 'read-model.mdb');
    const state = fs.readFileSync(path.join(folder, 'read-model.state'));
    const content = fs.readFileSync(file);
    await readModel.close();
    fs.writeFileSync(path.join(folder, 'read-model.state'), state);
    fs.writeFileSync(file, content.subarray(0, 3 * PAGE));
    const { checkpoint, reports } = await reopen();
    expect(checkpoint).to.equal(undefined);
    expect(reports).to.have.length(1);
    expect(reports[0]).to.include(`${file} is damaged`);
    expect(fs.statSync(`${file}.damaged`).size).to.equal(3 * PAGE);
  });

  it('is rebuilt where opening it ended the process', async () => {
    await leave();
    const state = path.join(folder, 'read-model.state');
    fs.writeFileSync(state, `version ${String(VERSION)} of the events events, being opened\n`);
    const { checkpoint, reports } = await reopen();
    expect(checkpoint).to.equal(undefined);
    expect(reports).to.have.length(1);
  });
});
