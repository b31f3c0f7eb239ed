/**
 * What an audit costs with a long history: a price at a time beside one of now, asked in turns in one run, and the
 * rate and memory of rebuild and verify, which run in processes whose heap is bounded.
 *
 *   npm run bench:audit [-- --events 1000000 --books 100 --products 1000 --heap 300 --rounds 5 --seconds 2]
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { COMMAND, compare, CONNECTIONS, measure, random, start, stop } from './bench-kit.mjs';
import { root } from './set-up.mjs';

const require = createRequire(path.join(root, 'packages/service/package.json'));
const { openEmbeddedEventStore } = require('@pricebook/embedded');

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    books: { type: 'string', default: '100' },
    products: { type: 'string', default: '1000' },
    heap: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const [events, books, products, heap, rounds, seconds] = [
  'events',
  'books',
  'products',
  'heap',
  'rounds',
  'seconds',
].map((name) => Number(values[name]));

/** Events of a stream that are written at once. */
const TOGETHER = 100;
const APPENDS_IN_FLIGHT = 100;
/** Between two events. */
const STEP_MS = 20;
const START = Date.parse('2026-01-01T00:00:00.000Z');

/** As the service makes them: UUIDs of version 7, later ones greater. */
const newBookId = (_, n) => {
  const time = (START + n).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

/** Four books in a chain of bases, then the next four. */
const basesOf = (ids, n) => ids.slice(n - (n % 4), n).reverse();

const eventOf = (ids, n, revision, occurredAt) => {
  const commandId = randomUUID();
  const metadata = {
    occurredAt,
    actor: 'bench',
    $correlationId: commandId,
    $causationId: commandId,
    commandId,
  };
  const event = (type, schemaVersion, data) => ({
    id: randomUUID(),
    type,
    data,
    metadata: { schemaVersion, ...metadata },
  });
  if (revision === 0) {
    const basePriceBookIds = basesOf(ids, n);
    return event('PriceBookCreated', 1, { name: `Book ${n}`, description: '', basePriceBookIds });
  }
  if (revision > products && revision % 1_000 === 7) {
    return event('AllProductsAdjusted', 1, {
      adjustments: { USD: { type: 'percent', amount: revision % 50 } },
    });
  }
  // In revision order at first, so that every product has a price from early on.
  const product = revision <= products ? revision - 1 : random(products);
  const adjustments = { USD: { type: 'override', amount: (revision % 1_000) + 0.99 } };
  return event('ProductPricesSet', 1, { items: [{ productId: `product-${product}`, adjustments }] });
};

/** Writes the history, all books side by side; answers with the ids of the books and the time of the last event. */
const writeHistory = async (folder) => {
  const eventStore = openEmbeddedEventStore(folder);
  const ids = Array.from({ length: books }, newBookId);
  const perBook = Math.floor(events / books);
  let time = START;
  let inFlight = [];
  for (let from = 0; from < perBook; from += TOGETHER) {
    for (const [n, id] of ids.entries()) {
      const batch = Array.from({ length: Math.min(TOGETHER, perBook - from) }, (_, i) => {
        time += STEP_MS;
        return eventOf(ids, n, from + i, new Date(time).toISOString());
      });
      inFlight.push(eventStore.append(`priceBook-${id}`, from === 0 ? 'noStream' : from - 1, batch)());
      if (inFlight.length < APPENDS_IN_FLIGHT) continue;
      for (const appended of await Promise.all(inFlight)) {
        if (appended._tag === 'Left') throw new Error(JSON.stringify(appended.left));
      }
      inFlight = [];
    }
  }
  await Promise.all(inFlight);
  await eventStore.close();
  return { ids, end: time };
};

/** Runs a command with a bounded heap; answers with the seconds it took. */
const timed = async (command, folder) => {
  const started = performance.now();
  const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, path.join(root, COMMAND), command], {
    env: { ...process.env, PRICEBOOK_DATA_DIR: folder, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  return (performance.now() - started) / 1_000;
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-bench-'));
let service;
try {
  console.log(`Writing ${events} events of ${books} books ...`);
  const { ids, end } = await writeHistory(folder);
  console.log('Starting the service ...');
  service = await start(COMMAND, ['serve'], { PRICEBOOK_DATA_DIR: folder });
  const prices = (query) => () =>
    measure(service.address, seconds, {
      setupRequest: (request) => ({
        ...request,
        path: `/v1/pricebooks/${ids[random(books)]}/product-${random(products)}/USD${query()}`,
      }),
    });
  // The second half, so that each product has a price by then.
  const anyTime = () => new Date(START + (end - START) * (0.5 + Math.random() / 2)).toISOString();
  console.log(`${rounds} rounds of ${seconds} s each, ${CONNECTIONS} connections, medians:\n`);
  const { figures, ratio } = await compare(
    rounds,
    prices(() => `?at=${anyTime()}`),
    prices(() => ''),
  );
  console.table({
    'Get Product Price, req/s (p50/p99 ms)': {
      'at a time': figures[0],
      now: figures[1],
      'cost of a time': ratio,
    },
  });
  const table = {};
  table['rebuild beside the service'] = { seconds: await timed('rebuild', folder) };
  table['verify beside the service'] = { seconds: await timed('verify', folder) };
  await stop(service);
  service = undefined;
  table['rebuild'] = { seconds: await timed('rebuild', folder) };
  table['verify'] = { seconds: await timed('verify', folder) };
  for (const row of Object.values(table)) {
    row['events/s'] = Math.round(events / row.seconds);
    row.seconds = Number(row.seconds.toFixed(1));
  }
  console.log(`\nWith a heap of at most ${heap} MB each:\n`);
  console.table(table);
} finally {
  if (service !== undefined) await stop(service);
  fs.rmSync(folder, { recursive: true, force: true });
}
