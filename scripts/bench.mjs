/**
 * Whether cost grows with the size of a book: the real service, one book with few prices and one with many, asked in
 * turns in one run. What counts is the ratio: absolute figures are those of the machine and of its load.
 *
 *   npm run bench [-- --small 1000 --large 200000 --rounds 5 --seconds 2]
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { COMMAND, compare, CONNECTIONS, item, measure, random, send, start, stop } from './bench-kit.mjs';

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const [small, large, rounds, seconds] = ['small', 'large', 'rounds', 'seconds'].map((name) =>
  Number(values[name]),
);

const ITEMS_A_REQUEST = 10_000;

/** A book with so many prices and a percent for all. */
const createBook = async (address, size) => {
  const { id } = await send(`${address}/v1/pricebooks`, 'POST', { name: `${size} prices` });
  const prices = `${address}/v1/pricebooks/${id}/prices`;
  for (let from = 0; from < size; from += ITEMS_A_REQUEST) {
    const count = Math.min(ITEMS_A_REQUEST, size - from);
    await send(
      prices,
      'PUT',
      Array.from({ length: count }, (_, i) => item(from + i)),
    );
  }
  await send(prices, 'PUT', { productId: 'all', adjustments: { USD: { type: 'percent', amount: 7.5 } } });
  return { id, size };
};

const workloads = {
  'Get Product Price': ({ id, size }) => ({
    setupRequest: (request) => ({ ...request, path: `/v1/pricebooks/${id}/product-${random(size)}/USD` }),
  }),
  'Set Product Prices, one product': ({ id, size }) => ({
    method: 'PUT',
    path: `/v1/pricebooks/${id}/prices`,
    setupRequest: (request) => ({ ...request, body: JSON.stringify([item(random(size))]) }),
  }),
  'Set Product Prices, percent for all': ({ id }) => ({
    method: 'PUT',
    path: `/v1/pricebooks/${id}/prices`,
    body: JSON.stringify({ productId: 'all', adjustments: { USD: { type: 'percent', amount: 5 } } }),
  }),
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-bench-'));
const service = await start(COMMAND, ['serve'], { PRICEBOOK_DATA_DIR: folder });
const { address } = service;
try {
  console.log(`Loading books of ${small} and ${large} prices ...`);
  const books = [await createBook(address, small), await createBook(address, large)];
  console.log(`${rounds} rounds of ${seconds} s each, ${CONNECTIONS} connections, medians:\n`);
  const table = {};
  for (const [name, workload] of Object.entries(workloads)) {
    const runs = books.map((book) => () => measure(address, seconds, workload(book)));
    const { figures, ratio } = await compare(rounds, ...runs);
    table[name] = {
      [`${small}: req/s (p50/p99 ms)`]: figures[0],
      [`${large}: req/s (p50/p99 ms)`]: figures[1],
      ratio,
    };
  }
  console.table(table);
} finally {
  await stop(service);
  fs.rmSync(folder, { recursive: true, force: true });
}
