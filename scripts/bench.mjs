/**
 * Whether cost grows with the size of a book: the real service, one book with few prices and one with many, asked in
 * turns in one run. What counts is the ratio: absolute figures are those of the machine and of its load.
 *
 *   npm run bench [-- --small 1000 --large 200000 --rounds 5 --seconds 2]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, setUp } from './set-up.mjs';

setUp();
const { default: autocannon } = await import('autocannon');

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

const KEY = 'a-key-for-the-benchmark';
const CONNECTIONS = 64;
const ITEMS_A_REQUEST = 10_000;
const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };

const startService = async (folder) => {
  const child = spawn(process.execPath, [path.join(root, 'packages/service/dist/main.js'), 'serve'], {
    env: {
      ...process.env,
      PORT: '0',
      PRICEBOOK_DATA_DIR: folder,
      PRICEBOOK_BOOTSTRAP_KEY: KEY,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) {
    const address = /ready at (\S+)/.exec(String(chunk))?.[1];
    if (address !== undefined) return { child, address };
  }
  throw new Error('the service did not start');
};

const send = async (url, method, body) => {
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

const item = (n) => ({
  productId: `product-${n}`,
  adjustments: { USD: { type: 'override', amount: n + 0.5 } },
});

/** A book with so many prices and a percent for all. */
const createBook = async (address, size) => {
  const { id } = await send(`${address}/pricebooks`, 'POST', { name: `${size} prices` });
  const prices = `${address}/pricebooks/${id}/prices`;
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

const random = (size) => Math.floor(Math.random() * size);

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

const measure = async (address, request) => {
  const { origin } = new URL(address);
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    headers,
    requests: [request],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return { rate: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
};

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const medians = (results) =>
  Object.fromEntries(
    ['rate', 'p50', 'p99'].map((name) => [name, median(results.map((result) => result[name]))]),
  );

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-bench-'));
const { child, address } = await startService(folder);
try {
  console.log(`Loading books of ${small} and ${large} prices ...`);
  const books = [await createBook(address, small), await createBook(address, large)];
  console.log(`${rounds} rounds of ${seconds} s each, ${CONNECTIONS} connections, medians:\n`);
  const table = {};
  for (const [name, workload] of Object.entries(workloads)) {
    const results = [[], []];
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, book] of books.entries()) {
        const result = await measure(address, workload(book));
        if (round > 0) results[index].push(result);
      }
    }
    const [fewer, more] = results.map(medians);
    const ratios = results[0].map(({ rate }, round) => results[1][round].rate / rate);
    table[name] = {
      [`${small}: req/s`]: Math.round(fewer.rate),
      'p50/p99 ms': `${fewer.p50}/${fewer.p99}`,
      [`${large}: req/s`]: Math.round(more.rate),
      'p50/p99 ms ': `${more.p50}/${more.p99}`,
      ratio: Number(median(ratios).toFixed(2)),
    };
  }
  console.table(table);
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  fs.rmSync(folder, { recursive: true, force: true });
}
