/** `pricebook verify` on real stores: as another process where a service is beside it, or where it gets a signal. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NewEvent } from '@pricebook/application';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { changeReadModel } from '@pricebook/embedded/testing';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4, v7 } from 'uuid';
import { startCommand } from '../testing/command';
import { newFolder, startTestService, type TestService } from '../testing/test-service';
import {
  createBook,
  keepWriting,
  override,
  runVerify,
  setPercent,
  setPrice,
  verifyAsProcess,
  type VerifyRun,
} from '../testing/verify';

const NO_DIFFERENCES = /^Compared [\d,]+ entries of \d+ books? with [\d,]+ events: no differences\./m;

const eventOf = (type: string, data: object, schemaVersion = 1): NewEvent => ({
  id: v4(),
  type,
  data,
  metadata: {
    schemaVersion,
    occurredAt: '2026-01-01T00:00:00.000Z',
    actor: 'tests',
    $correlationId: 'tests',
    $causationId: 'tests',
    commandId: 'tests',
  },
});

type Rows = Parameters<Parameters<typeof changeReadModel>[1]>[0]['rows'];

/** The history row of the price that `fill` sets for the lamp. */
const rowOfLamp = (rows: Rows) => {
  const row = [...rows.getRange()].find(({ value }) => JSON.stringify(value).includes('49.99'));
  if (row === undefined) throw new Error('not filled');
  return row;
};

describe('the command verify, on the embedded stores', () => {
  let folder: string;
  let service: TestService | undefined;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    await stop();
    fs.rmSync(folder, { recursive: true });
  });

  const data = (): string => path.join(folder, 'data');
  const temporary = (): string => path.join(folder, 'tmp');
  const environment = () => {
    fs.mkdirSync(temporary(), { recursive: true });
    return { PRICEBOOK_DATA_DIR: data(), TMPDIR: temporary() };
  };

  const start = async (): Promise<TestService> => {
    service = await startTestService(data());
    return service;
  };
  const stop = async (): Promise<void> => {
    await service?.stop();
    service = undefined;
  };

  const append = async (stream: string, expected: number | 'noStream', event: NewEvent): Promise<void> => {
    fs.mkdirSync(data(), { recursive: true });
    const eventStore = openEmbeddedEventStore(data());
    const appended = await eventStore.append(stream, expected, [event])();
    await eventStore.close();
    if (E.isLeft(appended)) throw new Error(JSON.stringify(appended.left));
  };

  const verify = (...args: readonly string[]): Promise<VerifyRun> => runVerify(environment(), ...args);
  const verifyBeside = async (): Promise<VerifyRun> => {
    const run = await verifyAsProcess(environment());
    expect(fs.readdirSync(temporary())).to.deep.equal([]);
    return run;
  };

  /** A list with two products and a percent that was changed, and a book on it. */
  const fill = async (to: TestService) => {
    const list = await createBook(to, 'List');
    const retail = await createBook(to, 'Retail', list);
    await setPrice(to, list, 'lamp', override(49.99));
    await setPrice(to, list, 'chair', override(80));
    await setPercent(to, retail, 5);
    await setPercent(to, retail, 10);
    return { list, retail };
  };

  it('finds nothing where nothing is amiss, beside the service and without it', async () => {
    await fill(await start());
    const beside = await verifyBeside();
    expect(beside).to.deep.include({ status: 0, found: [] });
    expect(beside.said).to.equal('Compared 9 entries of 2 books with 6 events: no differences.\n');
    await stop();
    expect(await verify()).to.deep.equal(beside);
  });

  it('finds a row that stands at another time than its own, where it gives a price too late', async () => {
    const { list } = await fill(await start());
    await stop();
    await changeReadModel(data(), ({ rows }) => {
      const row = rowOfLamp(rows);
      const { key, value } = row;
      // The time stands before the revision, which has six bytes.
      const later = Buffer.from(key);
      later.writeUInt8(key.readUInt8(key.length - 9) ^ 1, key.length - 9);
      void rows.remove(key);
      void rows.put(later, value);
    });
    const { status, found } = await verify();
    expect(found).to.deep.equal([
      `changed: history row of "lamp" in USD, revision 1, of "List" (${list}): it stands at another time than its own`,
    ]);
    expect(status).to.equal(1);
  });

  it('finds a changed price, a missing one, an extra one and a stale percent, and names them', async () => {
    const { list, retail } = await fill(await start());
    await stop();
    await changeReadModel(data(), ({ books, holdings, rows, derived, productBooks }) => {
      const [chair, lamp] = [...holdings.getRange()];
      const book = [...books.getRange()].find(({ value }) => value.name?.value === 'Retail');
      if (chair === undefined || lamp === undefined || book === undefined) throw new Error('not filled');
      const text = JSON.stringify(lamp.value).replace('49.99', '50');
      void holdings.put(lamp.key, JSON.parse(text) as typeof lamp.value);
      void holdings.remove(chair.key);
      void holdings.put(Buffer.concat([chair.key, Buffer.from('s')]), chair.value);
      // Products are found by an index as well.
      const [listedChair] = productBooks.table.getKeys();
      if (listedChair !== undefined) void productBooks.table.remove(listedChair);
      productBooks.add('chairs', chair.key.subarray(0, 16));
      const stale = JSON.stringify(book.value.allProducts)
        .replace('"amount":10', '"amount":5')
        .replaceAll('"revision":2', '"revision":1');
      void books.put(book.key, { ...book.value, allProducts: JSON.parse(stale) as never });
      void rows.remove(rowOfLamp(rows).key);
      for (const key of derived.getKeys()) void derived.remove(key);
    });
    const { status, found, said } = await verify();
    expect(found).to.have.members([
      `changed: price of "lamp" in USD of "List" (${list}): read model has override 50 (revision 1), events say override 49.99 (revision 1)`,
      `missing: price of "chair" in USD of "List" (${list}): events say override 80 (revision 2)`,
      `extra: price of "chairs" in USD of "List" (${list}): read model has override 80 (revision 2), no event says so`,
      `stale: percent for all products in USD of "Retail" (${retail}): read model has percent 5 (revision 1), events say percent 10 (revision 2)`,
      `missing: history row of "lamp" in USD, revision 1, of "List" (${list}): events say override 49.99, and then override 49.99 (revision 1)`,
      `missing: place of "Retail" (${retail}) among the books whose base is ${list}: read model has none`,
    ]);
    expect(status).to.equal(1);
    expect(said).to.equal('Compared 7 entries of 2 books with 6 events: 6 differences.\n');
    const asJson = (await verify('--json')).found.map((line) => JSON.parse(line) as { kind: string });
    expect(asJson.map(({ kind }) => kind)).to.have.members(found.map((line) => line.split(':')[0]));
  });

  it('finds nothing that is not there while writes go on, and what is', async () => {
    const { list } = await fill(await start());
    await stop();
    await changeReadModel(data(), ({ holdings }) => {
      const lamp = [...holdings.getRange()].find(({ value }) => JSON.stringify(value).includes('49.99'));
      if (lamp !== undefined)
        void holdings.put(lamp.key, JSON.parse(JSON.stringify(lamp.value).replace('49.99', '50')) as never);
    });
    const written = await start();
    const hot = await createBook(written, 'Hot');
    const writing = [keepWriting(written, hot), keepWriting(written, list)];
    for (let run = 0; run < 4; run += 1) {
      const { found, status, said } = await verifyBeside();
      expect(
        found.map((line) => line.slice(0, 46)),
        said,
      ).to.deep.equal(['changed: price of "lamp" in USD of "List" (' + list.slice(0, 3)]);
      expect(status).to.equal(1);
    }
    expect(await writing[0]?.stop()).to.be.above(20);
    await writing[1]?.stop();
  });

  it('names an event that it cannot read, and compares what stands before', async () => {
    await fill(await start());
    await stop();
    const stream = `priceBook-${v7()}`;
    await append(stream, 'noStream', eventOf('PriceBookCreated', {}, 99));
    const { status, said } = await verify();
    expect(said).to.include(`This version cannot read revision 0 of ${stream}: schema version 99`);
    expect(said).to.include('The read model is behind: it lacks the last 1 event.');
    expect(said).to.match(NO_DIFFERENCES);
    expect(status).to.equal(2);
  });

  it('names a book whose base is gone, and lets no control character through', async () => {
    const [base, derived] = [v7(), v7()];
    const created = (name: string, basePriceBookIds: readonly string[]) =>
      eventOf('PriceBookCreated', { name, description: '', basePriceBookIds });
    await append(`priceBook-${base}`, 'noStream', created('base', []));
    await append(`priceBook-${derived}`, 'noStream', created('\u001b[31m\u009bred\u202e', [base]));
    await append(`priceBook-${base}`, 0, eventOf('PriceBookDeleted', {}));
    await start();
    await stop();
    const { status, found } = await verify();
    expect(found).to.deep.equal([
      `base gone: price book "\\u001b[31m\\u009bred\\u202e" (${derived}): its base ${base} was deleted, so it has no list prices`,
    ]);
    expect(status).to.equal(1);
  });

  it('says why where it cannot verify', async () => {
    const nothing = await verify();
    expect(nothing).to.include({ status: 2 });
    expect(nothing.said).to.include('there is no event store in');
    await fill(await start());
    await stop();
    const others = path.join(folder, 'others');
    const other = await startTestService(others);
    await other.stop();
    for (const name of ['read-model.mdb', 'read-model.state']) {
      fs.copyFileSync(path.join(others, name), path.join(data(), name));
    }
    const foreign = await verify();
    expect(foreign.said).to.include('of other events');
    expect(foreign.status).to.equal(2);
    fs.rmSync(path.join(data(), 'read-model.mdb'));
    const none = await verify();
    expect(none.said).to.include('there is no read model in');
    expect(none.status).to.equal(2);
  });

  it('takes no rebuild beside it for a difference', async () => {
    await fill(await start());
    for (let round = 0; round < 5; round += 1) {
      const rebuilding = startCommand(['rebuild'], environment());
      rebuilding.child.stdin.end();
      const { found, status, said } = await verifyBeside();
      expect(found, said).to.deep.equal([]);
      expect(status, said).to.equal(0);
      expect(await rebuilding.ended, rebuilding.said()).to.equal(0);
    }
    expect(await verifyBeside()).to.include({ status: 0 });
  });

  it('leaves nothing behind where it is interrupted', async () => {
    const written = await start();
    const { list } = await fill(written);
    const items = Array.from({ length: 5_000 }, (_, n) => ({
      productId: `P${String(n)}`,
      adjustments: { USD: override(n) },
    }));
    for (let n = 0; n < 6; n += 1) {
      await written.request('PUT', `/v1/pricebooks/${list}/prices`, { json: items });
    }
    const { child, ended, said } = startCommand(['verify'], environment());
    while (fs.readdirSync(temporary()).length === 0) await delay(2);
    child.kill('SIGINT');
    expect(await ended).to.equal(2);
    expect(said()).to.equal('Not verified: interrupted.\n');
    expect(fs.readdirSync(temporary())).to.deep.equal([]);
  });
}).timeout(60_000);
