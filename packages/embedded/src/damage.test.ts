import childProcess from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { failWith, succeed } from '@pricebook/contract-tests';
import type { EventStore } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { open } from 'lmdb';
import { v4 } from 'uuid';
import { Damage } from './damage';
import { openEmbeddedEventStore } from './event-store';
import { checkFile } from './file-check';
import { openEmbeddedReadModel, VERSION } from './read-model';
import { newFolder, noReport, removeFolder } from './testing/folder';

const PAGE = 4096;
/** Where a header says which page is the last. */
const LAST_PAGE_AT = 144;
/** Where it says how large the file may become. */
const MAP_SIZE_AT = 40;

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
    file = path.join(folder, 'events.mdb');
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

  /** The file has room beyond that. */
  const usedBytes = (): number => {
    const content = fs.readFileSync(file);
    const lastPages = [0, PAGE].map((header) => Number(content.readBigUInt64LE(header + LAST_PAGE_AT)));
    return (Math.max(...lastPages) + 1) * PAGE;
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
      'has lost all but its headers',
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
      'has lost its last byte',
      (size) => {
        fs.truncateSync(file, size - 1);
      },
    ],
    [
      'is something else altogether',
      (size) => {
        fs.writeFileSync(file, 'x'.repeat(size));
      },
    ],
    [
      'has its first header overwritten',
      () => {
        overwrite(0, Buffer.alloc(PAGE));
      },
    ],
    [
      'has its second header overwritten',
      () => {
        overwrite(PAGE, Buffer.alloc(PAGE, 0xff));
      },
    ],
  ];

  it('are not those that grow while their header is looked at', async () => {
    fs.truncateSync(file, usedBytes());
    const before = fs.readFileSync(file);
    const eventStore = openEmbeddedEventStore(folder);
    await appendMany(eventStore, 50);
    await eventStore.close();
    const after = fs.readFileSync(file);
    expect(after.length).to.be.greaterThan(before.length);
    fs.writeFileSync(file, before);
    const { readSync } = fs;
    // The server commits right before a reader sees the header.
    fs.readSync = ((...args: Parameters<typeof readSync>) => {
      fs.readSync = readSync;
      fs.writeFileSync(file, after);
      return readSync(...args);
    }) as typeof readSync;
    try {
      checkFile(file, true);
    } finally {
      fs.readSync = readSync;
    }
  });

  it('are not those that end before a page which was taken into use and given back', async () => {
    const size = usedBytes();
    fs.truncateSync(file, size);
    // As LMDB leaves it where a transaction has given back pages at the end: the header counts them, nobody wrote them.
    const lastPage = Buffer.alloc(8);
    lastPage.writeBigUInt64LE(BigInt(size / PAGE + 4));
    const mapSize = Buffer.alloc(8);
    mapSize.writeBigUInt64LE(BigInt(2 * size));
    for (const header of [0, PAGE]) {
      overwrite(header + LAST_PAGE_AT, lastPage);
      overwrite(header + MAP_SIZE_AT, mapSize);
    }
    // A server may write the file meanwhile: only the one that takes its place may put the end there.
    for (const mode of ['read', 'append'] as const) {
      const beside = openEmbeddedEventStore(folder, mode);
      expect(await succeed(beside.head())).to.equal(50n);
      await beside.close();
      expect(fs.statSync(file).size, mode).to.equal(size);
    }
    const eventStore = openEmbeddedEventStore(folder);
    expect(fs.statSync(file).size).to.equal(size + 5 * PAGE);
    expect(await succeed(eventStore.readAll(undefined, 100))).to.have.length(50);
    await appendMany(eventStore, 50);
    expect(await succeed(eventStore.readAll(undefined, 100))).to.have.length(100);
    await eventStore.close();
  });

  it('are not cut to what their header said before a tool has written more', () => {
    const size = usedBytes();
    fs.truncateSync(file, size);
    const lastPage = Buffer.alloc(8);
    lastPage.writeBigUInt64LE(BigInt(size / PAGE));
    for (const header of [0, PAGE]) overwrite(header + LAST_PAGE_AT, lastPage);
    const { spawnSync } = childProcess;
    // While it is read whole, by another process, a tool appends.
    childProcess.spawnSync = (() => {
      fs.appendFileSync(file, Buffer.alloc(10 * PAGE, 0xff));
      return { status: 0 };
    }) as unknown as typeof spawnSync;
    try {
      checkFile(file);
    } finally {
      childProcess.spawnSync = spawnSync;
    }
    const written = fs.readFileSync(file).subarray(size, size + 10 * PAGE);
    expect(written.equals(Buffer.alloc(10 * PAGE, 0xff))).to.equal(true);
  });

  it('are not those of the first version, which gave a store no id', async () => {
    const environment = open({ path: file, noSubdir: true, overlappingSync: false });
    await environment.openDB('about', { encoding: 'string' }).drop();
    await environment.close();
    const eventStore = openEmbeddedEventStore(folder);
    const { id } = eventStore;
    expect(await succeed(eventStore.head())).to.equal(50n);
    await eventStore.close();
    const again = openEmbeddedEventStore(folder);
    expect(again.id).to.equal(id);
    await again.close();
  });

  for (const [what, damage] of damages) {
    it(`an event store that ${what} is not opened, and named`, () => {
      damage(usedBytes());
      const before = fs.readFileSync(file);
      expect(() => openEmbeddedEventStore(folder)).to.throw(Damage, file);
      expect(fs.readFileSync(file).equals(before), 'the file is left as it is').to.equal(true);
    });
  }

  /** Changes an event as a failing disk might: pages that are no longer in use hold copies, and are changed too. */
  const changeEvent = (): void => {
    const content = fs.readFileSync(file);
    for (let at = content.indexOf('number 25 '); at !== -1; at = content.indexOf('number 25 ', at + 1)) {
      overwrite(at, Buffer.from('Number'));
    }
  };

  it('an event that is not as it was written is named at the start', () => {
    changeEvent();
    expect(() => openEmbeddedEventStore(folder)).to.throw(
      Damage,
      `${file} is damaged: the event at position 26`,
    );
  });

  it('an event that is damaged later is named when it is read, and not skipped', async () => {
    const eventStore = openEmbeddedEventStore(folder);
    changeEvent();
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
      expect(failure).to.deep.include({ _tag: 'StoreDamaged', where: file });
      expect(seen).to.deep.equal([]);
    } finally {
      await eventStore.close();
    }
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

  it('is made anew where it has come further than the events', async () => {
    await leave();
    const { checkpoint, reports } = await reopen(6n);
    expect(checkpoint).to.equal(undefined);
    expect(reports).to.have.length(1);
    expect(reports[0]).to.include('read-model.mdb');
  });

  it('is made anew where it is of other events', async () => {
    await leave();
    const { checkpoint, reports } = await reopen(7n, 'other events');
    expect(checkpoint).to.equal(undefined);
    expect(reports).to.have.length(1);
    expect(reports[0]).to.include('read-model.mdb');
  });

  it('is no reason to begin anew where the events are gone', async () => {
    await leave();
    expect(() => openEmbeddedEventStore(folder)).to.throw(Damage, path.join(folder, 'events.mdb'));
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

  it('is made anew, kept aside and named where it is damaged', async () => {
    await leave();
    const file = path.join(folder, 'read-model.mdb');
    fs.truncateSync(file, 5000);
    const { checkpoint, reports } = await reopen();
    expect(checkpoint).to.equal(undefined);
    expect(reports).to.have.length(1);
    expect(reports[0]).to.include(`${file} is damaged`);
    expect(fs.statSync(`${file}.damaged`).size).to.equal(5000);
  });
});
