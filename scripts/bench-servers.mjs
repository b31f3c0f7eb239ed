/**
 * What the service costs on servers: the real service on EventStoreDB and MongoDB beside a bare Koa handler that does
 * one append, or reads one document, through the same clients; asked in turns in one run. And how fast a read model
 * catches up. What counts is the ratio: absolute figures are those of the machine and of its load.
 *
 *   npm run bench:servers [-- --products 5000 --books 64 --events 20000 --rounds 5 --seconds 2]
 *
 * Uses the servers that EVENTSTOREDB_URL and MONGODB_URL name; otherwise the stand-in of the tests, which says little
 * about a real EventStoreDB, and the MongoDB of the tests (npm run mongod).
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compare, CONNECTIONS, item, measure, median, random, send, start } from './bench-kit.mjs';
import { COMMAND, stop } from './server.mjs';
import { root } from './set-up.mjs';

const require = createRequire(path.join(root, 'packages/service/package.json'));
const { openEventStoreDb } = require('@pricebook/eventstoredb');
const { spawnStandIn } = require('@pricebook/eventstoredb/testing');
const { openMongoReadModel } = require('@pricebook/mongodb');
const { newDatabase, startMongoDb } = require('@pricebook/mongodb/testing');
const { openEmbeddedReadModel } = require('@pricebook/embedded');
const { startProjector, STREAM_PREFIXES } = require('@pricebook/application');

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '5000' },
    books: { type: 'string', default: '64' },
    events: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const [products, books, events, rounds, seconds] = ['products', 'books', 'events', 'rounds', 'seconds'].map(
  (name) => Number(values[name]),
);

const pick = (list) => list[random(list.length)];

/** A row of the table. */
const compareWithBare = async (bare, service) => {
  const { figures, ratio } = await compare(rounds, bare, service);
  return {
    'bare handler: req/s (p50/p99 ms)': figures[0],
    'service: req/s (p50/p99 ms)': figures[1],
    ratio,
  };
};

/** Events a second of a projector that begins with nothing. */
const catchUp = async (eventStore, openReadModel) => {
  const { right: head } = await eventStore.head()();
  const { right: all } = await eventStore.readAll(undefined, 1_000_000)();
  let count = all.length;
  for (let last = all.at(-1); ;) {
    const { right: page } = await eventStore.readAll(last.position, 10_000)();
    if (page.length === 0) break;
    count += page.length;
    last = page.at(-1);
  }
  const rates = [];
  for (let round = 0; round < 3; round += 1) {
    const { readModel, remove } = await openReadModel(head);
    const started = performance.now();
    const projector = startProjector(eventStore, readModel, () => undefined);
    if (!(await projector.waitFor(head, 600_000))) throw new Error('it does not catch up');
    rates.push(count / ((performance.now() - started) / 1_000));
    await projector.close();
    await readModel.close();
    await remove();
  }
  return { events: count, 'events/s': Math.round(median(rates)) };
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-bench-'));
const standIn =
  process.env.EVENTSTOREDB_URL === undefined
    ? await spawnStandIn({ dataFile: path.join(folder, 'events.jsonl') })
    : undefined;
const eventStoreDbUrl = standIn?.url ?? process.env.EVENTSTOREDB_URL;
const mongoDb = await startMongoDb();
const database = newDatabase(mongoDb);
const environment = { EVENTSTOREDB_URL: eventStoreDbUrl, MONGODB_URL: database.url };
const running = [];
try {
  const service = await start(COMMAND, ['serve'], environment);
  running.push(service);
  const bare = await start('scripts/bench-bare.mjs', [], environment);
  running.push(bare);
  const api = `${service.address}/v1/pricebooks`;
  console.log(`Loading ${products} prices ...`);
  const { id: book } = await send(api, 'POST', { name: 'to be read' });
  for (let from = 0; from < products; from += 1_000) {
    const count = Math.min(1_000, products - from);
    await send(
      `${api}/${book}/prices`,
      'PUT',
      Array.from({ length: count }, (_, i) => item(from + i)),
    );
  }
  await send(`${api}/${book}/prices`, 'PUT', {
    productId: 'all',
    adjustments: { USD: { type: 'percent', amount: 7.5 } },
  });
  const others = await Promise.all(
    Array.from({ length: books }, async (_, n) => (await send(api, 'POST', { name: `book ${n}` })).id),
  );
  console.log(`${rounds} rounds of ${seconds} s each, ${CONNECTIONS} connections, medians:\n`);
  const table = {};
  table['GET'] = await compareWithBare(
    () => measure(bare.address, seconds, () => ({ path: `/read/${book}/product-${random(products)}` })),
    () =>
      measure(service.address, seconds, () => ({
        path: `/v1/pricebooks/${book}/product-${random(products)}/USD`,
      })),
  );
  table['PUT'] = await compareWithBare(
    () =>
      measure(bare.address, seconds, () => ({
        method: 'PUT',
        path: `/append/${pick(others)}`,
        body: [item(random(products))],
      })),
    () =>
      measure(service.address, seconds, () => ({
        method: 'PUT',
        path: `/v1/pricebooks/${pick(others)}/prices`,
        body: [item(random(products))],
      })),
  );
  console.table(table);

  console.log(`Writing up to ${events} events ...`);
  const eventStore = openEventStoreDb(eventStoreDbUrl, STREAM_PREFIXES);
  let written = (await eventStore.readAll(undefined, 1_000_000)()).right.length;
  while (written < events) {
    await Promise.all(others.map((id) => send(`${api}/${id}/prices`, 'PUT', [item(random(products))])));
    written += others.length;
  }
  const end = (head) => () => Promise.resolve(head);
  const catchingUp = {
    'read model on MongoDB': await catchUp(eventStore, async (head) => {
      const fresh = newDatabase(mongoDb);
      return {
        readModel: await openMongoReadModel(fresh.url, { id: undefined, end: end(head) }),
        remove: fresh.remove,
      };
    }),
    'embedded read model': await catchUp(eventStore, async (head) => {
      const fresh = fs.mkdtempSync(path.join(folder, 'read-model-'));
      return {
        readModel: await openEmbeddedReadModel(fresh, { id: 'bench', head }, () => undefined),
        remove: () => fs.rmSync(fresh, { recursive: true }),
      };
    }),
  };
  console.log('\nCatching up from nothing, medians of 3:\n');
  console.table(catchingUp);
  await eventStore.close();
} finally {
  for (const one of running) await stop(one);
  await database.remove();
  await mongoDb.stop();
  await standIn?.kill();
  fs.rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
