/** A folder of the version before, made by the service at commit f0172f9 (`fixtures/lmdb-folder`), with its own export. */
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { v4 } from 'uuid';
import { Damage } from './damage';
import { openEmbeddedEventStore } from './event-store';
import { newFolder, removeFolder } from './testing/folder';

const FIXTURE = path.join(__dirname, '..', 'fixtures', 'lmdb-folder');
const unzip = (name: string): Buffer => gunzipSync(fs.readFileSync(path.join(FIXTURE, name)));

/** What the version before exported: a line of JSON for each event, between one that begins and one that ends the file. */
const exported = unzip('history.jsonl.gz')
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  .filter((line) => 'stream' in line);

describe('a folder of the version before', () => {
  let folder: string;
  const inFolder = (name: string): string => path.join(folder, name);
  const files = (): readonly string[] => fs.readdirSync(folder);
  beforeEach(() => {
    folder = newFolder();
    fs.writeFileSync(inFolder('events.mdb'), unzip('events.mdb.gz'));
  });
  afterEach(() => {
    removeFolder(folder);
  });

  it('is carried over with every event, and its old file is kept under another name', async () => {
    const before = fs.readFileSync(inFolder('events.mdb'));
    for (const left of ['events.mdb-lock', 'events.closed']) fs.writeFileSync(inFolder(left), '');
    const reports: (readonly [message: string, level: string])[] = [];
    const report = (...one: readonly [string, string]) => reports.push(one);
    const eventStore = openEmbeddedEventStore(folder, 'serve', report);
    const events = await succeed(eventStore.readAll(undefined, 1_000));
    expect(exported.length).to.be.above(10);
    expect(events.map(({ position, ...event }) => [Number(position), event])).to.deep.equal(
      exported.map((event, index) => [index + 1, event]),
    );
    expect(reports).to.have.length(1);
    expect(reports[0]?.[1]).to.equal('info');
    expect(reports[0]?.[0]).to.include(`${String(exported.length)} events were carried over`);
    expect(fs.readFileSync(inFolder('events.mdb.carried-over')).equals(before)).to.equal(true);
    await eventStore.close();
    expect(files()).to.have.members(['events.db', 'events.mdb.carried-over']);

    const again = openEmbeddedEventStore(folder, 'serve', report);
    expect(again.id, 'the read model is of the same events').to.equal(eventStore.id);
    const last = events.findLast(({ stream }) => stream.startsWith('priceBook-'));
    const next = { id: v4(), type: 'PriceBookDeleted', data: {}, metadata: {} };
    await succeed(again.append(last?.stream ?? '', last?.revision ?? 0, [next]));
    expect(await succeed(again.head())).to.equal(BigInt(events.length + 1));
    expect(reports).to.have.length(1);
    await again.close();
  });

  it('is carried over again where the process was killed meanwhile', async () => {
    fs.writeFileSync(inFolder('events.db.part'), 'half a copy');
    const eventStore = openEmbeddedEventStore(folder);
    expect(await succeed(eventStore.head())).to.equal(BigInt(exported.length));
    await eventStore.close();
    expect(files()).to.not.include('events.db.part');
  });

  it('is left as it is where an event is damaged, which is named', () => {
    const content = fs.readFileSync(inFolder('events.mdb'));
    // Pages that are no longer in use hold copies.
    for (let at = content.indexOf('Carried'); at !== -1; at = content.indexOf('Carried', at + 1)) {
      content.write('carried', at);
    }
    fs.writeFileSync(inFolder('events.mdb'), content);
    expect(() => openEmbeddedEventStore(folder)).to.throw(
      Damage,
      /events\.mdb is damaged: the event at position \d+/,
    );
    expect(fs.readFileSync(inFolder('events.mdb')).equals(content)).to.equal(true);
    expect(files()).to.not.include('events.db');
  });

  it('is not read or appended to before a service has carried it over', () => {
    for (const mode of ['read', 'append'] as const) {
      expect(() => openEmbeddedEventStore(folder, mode)).to.throw('start the service once');
    }
  });
});
