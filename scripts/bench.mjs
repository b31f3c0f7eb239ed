/**
 * What the service costs beside the least that Koa can do, and whether cost grows with the size of a book or its
 * history: pairs that alternate on the same machine, in one run. What counts is the ratio: absolute figures are
 * those of the machine and of its load.
 *
 *   npm run bench [-- --rounds 5 --seconds 2 --large 1000000 --events 1000000 --json results.json --only get,start]
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { feedAsCsv, feedAsPages } from './bench-feed.mjs';
import { pricesOf, writeHistory } from './bench-history.mjs';
import { alternate, CONNECTIONS, item, KEY, measure, median, random, send, start } from './bench-kit.mjs';
import { COMMAND, stop } from './server.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    large: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '1000000' },
    json: { type: 'string' },
    only: { type: 'string' },
  },
});
const [rounds, seconds, large, events] = ['rounds', 'seconds', 'large', 'events'].map((name) =>
  Number(values[name]),
);
const only = values.only?.split(',');

const MEDIUM = 100_000;
const SMALL = 1_000;
const TINY = 10;
const ITEMS_A_REQUEST = 10_000;
const CHAIN = 5;
const LONG_STREAM = 100_000;
const DATED = 100;
/** As many selection rules as there may be. */
const RULES = 1_000;
/** Lines of a quote, as an order or a page of a shop has them. */
const LINES = 100;
/** Products that have something dated, in the largest book, and as many in a page of what is upcoming. */
const DATED_PRODUCTS = 10_000;
const PAGE = 100;
const DAY_MS = 86_400_000;

const rows = [];

/** A row of the table: `must` and `aim` are bounds of the figure, from below for ratios of rates, else from above. */
const record = (figure, value, { must, aim, isMost = false, of }) => {
  const meets = (bound) => (isMost ? value <= bound : value >= bound);
  const verdict = must === undefined ? '' : !meets(must) ? 'MISSED' : !meets(aim) ? 'must' : 'aim';
  const row = { figure, value: Number(value.toPrecision(3)), must, aim, reached: verdict, of };
  rows.push(row);
  console.log(
    `${figure}: ${row.value}${must === undefined ? '' : ` (must ${must}, aim ${aim}: ${verdict})`} ${of}`,
  );
};

const inWords = ({ rate, p50, p99 }) =>
  `${Math.round(rate)}/s p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms`;

/** Two workloads in turns, as `first` and `second`. */
const pair = async (first, second) => {
  const { each, ratio, p99Ratio } = await alternate(rounds, first, second);
  return { ratio, p99Ratio, each, of: `${inWords(each[0])} | ${inWords(each[1])}` };
};

const inBatches = async (url, size) => {
  for (let from = 0; from < size; from += ITEMS_A_REQUEST) {
    const count = Math.min(ITEMS_A_REQUEST, size - from);
    await send(
      url,
      'PUT',
      Array.from({ length: count }, (_, i) => item(from + i)),
    );
  }
};

/** A book with so many prices and a percent for all. */
const createBook = async (address, size, basePriceBookId) => {
  const { id } = await send(`${address}/v1/pricebooks`, 'POST', { name: `${size} prices`, basePriceBookId });
  const prices = `${address}/v1/pricebooks/${id}/prices`;
  await inBatches(prices, size);
  await send(prices, 'PUT', { productId: 'all', adjustments: { USD: { type: 'percent', amount: 7.5 } } });
  return { id, size };
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-bench-'));
const running = new Set();
const run = async (file, args, name, env = {}) => {
  const data = path.join(folder, name);
  fs.mkdirSync(data, { recursive: true });
  const server = await start(file, args, { PRICEBOOK_DATA_DIR: data, ...env });
  running.add(server);
  return server;
};
const end = async (server) => {
  running.delete(server);
  await stop(server);
};

const read =
  (address, { id, size }) =>
  () =>
    measure(address, seconds, () => ({ path: `/v1/pricebooks/${id}/product-${random(size)}/USD` }));
const write = (address, ids, products, options) => () =>
  measure(
    address,
    seconds,
    () => ({
      method: 'PUT',
      path: `/v1/pricebooks/${ids[random(ids.length)]}/prices`,
      body: [item(random(products))],
    }),
    options,
  );
const percent =
  (address, { id }) =>
  () =>
    measure(address, seconds, () => ({
      method: 'PUT',
      path: `/v1/pricebooks/${id}/prices`,
      body: { productId: 'all', adjustments: { USD: { type: 'percent', amount: random(50) } } },
    }));

/** Runs a group of figures unless others were asked for. */
const group = async (name, measureIt) => {
  if (only === undefined || only.includes(name)) await measureIt();
};

const memoryOf = async (address) => {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]);
};

const sizeOf = (data, pattern) =>
  fs
    .readdirSync(data)
    .filter((name) => pattern.test(name))
    .reduce((sum, name) => sum + fs.statSync(path.join(data, name)).blocks * 512, 0);

try {
  const service = await run(COMMAND, ['serve'], 'service');
  const { address } = service;
  const koa = await run('scripts/bench-koa.mjs', [], 'koa');
  console.log(
    `${rounds} rounds of ${seconds} s each, ${CONNECTIONS} connections, medians. Loading books ...`,
  );
  const tiny = await createBook(address, TINY);
  const small = await createBook(address, SMALL);
  const medium = await createBook(address, MEDIUM);
  const loading = performance.now();
  const big = await createBook(address, large);
  console.log(`${large} prices were set in ${((performance.now() - loading) / 1_000).toFixed(1)} s`);
  const constantOf =
    ({ address: of }) =>
    () =>
      measure(of, seconds, () => ({ path: '/v1/pricebooks/book/product/USD' }));
  const constant = constantOf(koa);

  await group('get', async () => {
    const { ratio, p99Ratio, of } = await pair(constant, read(address, medium));
    record('Get Product Price, 100,000 products, ratio to bare Koa', ratio, { must: 0.65, aim: 0.8, of });
    record('its p99, ratio', p99Ratio, { must: 2, aim: 1.3, isMost: true, of });
  });
  await group('compressed', async () => {
    const accepting = (path, encodings) => () =>
      measure(address, seconds, () => ({
        path: typeof path === 'string' ? path : path(),
        headers: { 'accept-encoding': encodings },
      }));
    const price = () => `/v1/pricebooks/${medium.id}/product-${random(medium.size)}/USD`;
    const small = await pair(accepting(price, 'identity'), accepting(price, 'gzip, deflate, br'));
    record('a price to clients that accept compression, ratio to others', small.ratio, {
      must: 0.95,
      aim: 0.98,
      of: small.of,
    });
    const page = `/v1/pricebooks/${medium.id}/prices?limit=1000`;
    for (const coding of ['br', 'gzip']) {
      const { ratio, of } = await pair(accepting(page, 'identity'), accepting(page, coding));
      const { headers } = await fetch(address + page, {
        headers: { 'x-api-key': KEY, 'accept-encoding': coding },
      });
      record(`a page of 1,000 products as ${coding}, ratio to none`, ratio, {
        of: `${headers.get('content-length')} bytes; ${of}`,
      });
    }
  });
  await group('together', async () => {
    const together = await run('scripts/bench-koa.mjs', [], 'together', { TOGETHER: '1' });
    const { ratio, of } = await pair(constant, constantOf(together));
    record('bare Koa that is handed requests as the service is, ratio to bare Koa', ratio, { of });
    await end(together);
  });
  await group('size', async () => {
    const { ratio, of } = await pair(read(address, small), read(address, big));
    record(`the same in a book of ${large} against one of ${SMALL}`, ratio, { must: 0.85, aim: 0.95, of });
  });
  await group('processes', async () => {
    const other = await run(COMMAND, ['serve'], 'other');
    const otherBook = await createBook(other.address, MEDIUM);
    const part = (of, book, connections) => () =>
      measure(of, seconds, () => ({ path: `/v1/pricebooks/${book.id}/product-${random(book.size)}/USD` }), {
        connections,
        inOwnProcess: true,
      });
    const first = part(address, medium, CONNECTIONS / 2);
    const second = part(other.address, otherBook, CONNECTIONS / 2);
    const both = async () => {
      const results = await Promise.all([first(), second()]);
      const of = (figure) => Math.max(...results.map((result) => result[figure]));
      return { rate: results[0].rate + results[1].rate, p50: of('p50'), p99: of('p99') };
    };
    const { ratio, of } = await pair(part(address, medium, CONNECTIONS), both);
    record('two services that share nothing, ratio to one', ratio, { of });
    await end(other);
  });
  await group('chain', async () => {
    let last = medium;
    for (let level = 1; level < CHAIN; level += 1) last = await createBook(address, 0, last.id);
    const { ratio, of } = await pair(
      read(address, medium),
      read(address, { id: last.id, size: medium.size }),
    );
    record('the same with a base chain of 5 levels, ratio to no base', ratio, { must: 0.6, aim: 0.8, of });
  });
  await group('feed', async () => {
    const { id } = await createBook(address, 0, big.id);
    const at = `&at=${new Date().toISOString()}`;
    for (const [what, feed, query] of [
      ['as CSV', feedAsCsv, ''],
      ['as JSON pages', feedAsPages, ''],
      ['as CSV at a time', feedAsCsv, at],
    ]) {
      const { products, seconds: took, before, most } = await feed(address, id, query);
      if (products !== large) throw new Error(`${products} of ${large} products`);
      record(`effective prices of ${large} products of a base, ${what}, s`, took, {
        must: 60,
        aim: 30,
        isMost: true,
        of: `heap and external MB ${Math.round(before)}, at most ${Math.round(most)}`,
      });
    }
  });
  const inDays = (days) => new Date(Date.now() + days * DAY_MS).toISOString();
  await group('dated', async () => {
    const { id } = await createBook(address, 0);
    const sales = Array.from({ length: DATED - 1 }, (_, n) => ({
      type: 'override',
      amount: n + 1,
      validFrom: inDays(2 * n + 1),
      validUntil: inDays(2 * n + 2),
    }));
    const USD = [{ type: 'override', amount: 100 }, ...sales];
    for (let n = 0; n < SMALL; n += 10) {
      const items = Array.from({ length: 10 }, (_, m) => ({
        productId: `product-${n + m}`,
        adjustments: { USD },
      }));
      await send(`${address}/v1/pricebooks/${id}/prices`, 'PUT', items);
    }
    const one = () => () => measure(address, seconds, () => ({ path: `/v1/pricebooks/${id}/product-7/USD` }));
    const { ratio, of } = await pair(read(address, small), one());
    record(`a product with ${DATED} dated adjustments, ratio to one without`, ratio, {
      must: 0.8,
      aim: 0.9,
      of,
    });
    const many = await pair(read(address, small), read(address, { id, size: SMALL }));
    record(`the same over ${SMALL} such products at random`, many.ratio, { of: many.of });
  });
  await group('upcoming', async () => {
    const step = Math.max(1, Math.floor(large / DATED_PRODUCTS));
    for (let n = 0; n < DATED_PRODUCTS; n += 1_000) {
      const items = Array.from({ length: 1_000 }, (_, m) => ({
        productId: `product-${(n + m) * step}`,
        adjustments: {
          USD: { type: 'percent', amount: -10, validFrom: inDays(n + m + 1), validUntil: inDays(n + m + 2) },
        },
      }));
      await send(`${address}/v1/pricebooks/${big.id}/prices`, 'PUT', items);
    }
    const result = await measure(
      address,
      seconds,
      () => ({
        path: `/v1/pricebooks/${big.id}/upcoming?limit=${PAGE}&from=${inDays(random(DATED_PRODUCTS))}`,
      }),
      { connections: 1 },
    );
    record(
      `a page of ${PAGE} upcoming changes, ${DATED_PRODUCTS} of ${large} products dated, ms`,
      result.p50,
      {
        must: 5,
        aim: 2,
        isMost: true,
        of: `p99 ${result.p99.toFixed(1)}`,
      },
    );
  });
  const ids = await Promise.all(
    Array.from(
      { length: CONNECTIONS },
      async (_, n) => (await send(`${address}/v1/pricebooks`, 'POST', { name: `book ${n}` })).id,
    ),
  );
  await group('set', async () => {
    const { ratio, of } = await pair(write(koa.address, ids, SMALL), write(address, ids, SMALL));
    record('Set Product Prices of one product, ratio to bare Koa with an append', ratio, {
      must: 0.5,
      aim: 0.7,
      of,
    });
  });
  await group('stream', async () => {
    const long = await createBook(address, TINY);
    const url = `${address}/v1/pricebooks/${long.id}/prices`;
    for (let done = 0; done < LONG_STREAM; done += CONNECTIONS) {
      await Promise.all(Array.from({ length: CONNECTIONS }, () => send(url, 'PUT', [item(random(TINY))])));
    }
    const fresh = await createBook(address, TINY);
    const { ratio, of } = await pair(write(address, [fresh.id], TINY), write(address, [long.id], TINY));
    record('the same on a stream of 100,000 events against a new one', ratio, { must: 0.85, aim: 0.95, of });
  });
  await group('many', async () => {
    const items = Array.from({ length: ITEMS_A_REQUEST }, (_, n) => item(n));
    const results = [];
    for (let round = 0; round <= rounds; round += 1) {
      const { id } = await createBook(address, 0);
      const request = () => ({ method: 'PUT', path: `/v1/pricebooks/${id}/prices`, body: items });
      const result = await measure(address, seconds, request, { connections: 1, prepared: 1 });
      if (round > 0) results.push(result);
    }
    const products = results.map(({ rate }) => rate * ITEMS_A_REQUEST);
    record('Set Product Prices of 10,000 products, products a second', median(products), {
      must: 50_000,
      aim: 150_000,
      of: `of ${Math.round(Math.min(...products))} to ${Math.round(Math.max(...products))}, p50 ${median(results.map(({ p50 }) => p50)).toFixed(0)} ms`,
    });
  });
  await group('all', async () => {
    const { ratio, of } = await pair(percent(address, tiny), percent(address, big));
    record(`all-products percent on ${large} products against ${TINY}`, ratio, { must: 0.85, aim: 0.95, of });
  });
  await group('mixed', async () => {
    const { rate } = await write(address, ids, SMALL)();
    const alone = read(address, medium);
    const beside = async () => {
      const writing = write(address, ids, SMALL, { perSecond: rate / 2 })();
      const result = await alone();
      await writing;
      return result;
    };
    const { p99Ratio, of } = await pair(alone, beside);
    record(
      `Get Product Price beside ${Math.round(rate / 2)} writes a second, its p99 against alone`,
      p99Ratio,
      {
        must: 4,
        aim: 2,
        isMost: true,
        of,
      },
    );
  });
  await group('context', async () => {
    const rules = `${address}/v1/selection-rules`;
    const plain = read(address, medium);
    const byContext = () =>
      measure(address, seconds, () => ({
        path: `/v1/prices/product-${random(medium.size)}/USD?customerGroup=retail&country=DE`,
      }));
    const rule = (priority, conditions) =>
      send(rules, 'POST', { name: `Rule ${priority}`, priority, priceBookId: medium.id, conditions });
    await rule(0, []);
    const one = await pair(plain, byContext);
    record('Get Price by Context with one rule, ratio to Get Product Price', one.ratio, {
      must: 0.75,
      aim: 0.9,
      of: one.of,
    });
    for (let n = 1; n < RULES; n += 1) {
      await rule(n, [{ attribute: 'customerGroup', operator: 'eq', values: [`group-${n}`] }]);
    }
    const many = await pair(plain, byContext);
    record(`the same, where the last of ${RULES} rules matches`, many.ratio, {
      must: 0.3,
      aim: 0.5,
      of: many.of,
    });
  });
  await group('quote', async () => {
    const quotes = (count, options) => () =>
      measure(
        address,
        seconds,
        () => ({
          method: 'POST',
          path: `/v1/pricebooks/${medium.id}/quote`,
          body: Array.from({ length: count }, () => ({
            productId: `product-${random(MEDIUM)}`,
            currency: 'USD',
          })),
        }),
        { prepared: 200, ...options },
      );
    const many = quotes(LINES, {});
    const clients = await pair(quotes(LINES, { connections: 1 }), many);
    record(`quotes of ${LINES} lines by ${CONNECTIONS} clients, ratio to one client`, clients.ratio, {
      must: 1,
      aim: 1.2,
      of: clients.of,
    });
    const prices = await pair(read(address, medium), many);
    record(`lines of such quotes a second, ratio to single prices`, prices.ratio * LINES, {
      must: 8,
      aim: 10,
      of: prices.of,
    });
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      results.push(await quotes(1_000, { connections: 1, prepared: 20 })());
    }
    const p50 = median(results.map((result) => result.p50));
    const p99 = median(results.map((result) => result.p99));
    record('quote of 1,000 lines, ms', p50, { must: 6, aim: 4, isMost: true, of: `p99 ${p99.toFixed(1)}` });
  });
  await end(service);
  await end(koa);

  await group('start', async () => {
    const data = path.join(folder, 'history');
    fs.mkdirSync(data);
    const books = 10;
    console.log(`Writing ${events} events ...`);
    // Each event is the first price of its product.
    const perBook = Math.floor(events / books);
    await writeHistory(
      data,
      { books, perBook },
      pricesOf(perBook, () => []),
    );
    // The first start makes the read model.
    await end(await run(COMMAND, ['serve'], 'history'));
    const seconds = [];
    const heaps = [];
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now();
      const again = await run(COMMAND, ['serve'], 'history');
      seconds.push((performance.now() - started) / 1_000);
      heaps.push((await memoryOf(again.address)) / 1e6);
      await end(again);
    }
    record(`start with ${events} events and prices stored, s until ready`, median(seconds), {
      must: 3,
      aim: 1,
      isMost: true,
      of: '',
    });
    record('heap after that, MB', median(heaps), { must: 200, aim: 100, isMost: true, of: '' });
    const event = sizeOf(data, /^events\.db$/) / events;
    const readModel = sizeOf(data, /^read-model.*\.mdb$/) / events;
    record('disk for a price, bytes', event + readModel, {
      of: `event ${Math.round(event)}, read model with its history ${Math.round(readModel)}`,
    });
  });

  console.log();
  console.table(
    Object.fromEntries(
      rows.map(({ figure, value, must, aim, reached }) => [figure, { value, must, aim, reached }]),
    ),
  );
  const machine = `${os.cpus().length} x ${os.cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
  console.log(machine);
  if (values.json !== undefined) {
    const date = new Date().toISOString();
    fs.writeFileSync(
      values.json,
      `${JSON.stringify({ date, machine, rounds, seconds, rows }, undefined, 2)}\n`,
    );
  }
} finally {
  for (const server of running) await stop(server);
  fs.rmSync(folder, { recursive: true, force: true });
}
