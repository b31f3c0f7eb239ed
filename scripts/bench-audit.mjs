/**
 * What an audit costs with a long history: a price at a time beside one of now, asked in turns in one run, and the
 * rate and memory of rebuild and verify, which run in processes whose heap is bounded.
 *
 *   npm run bench:audit [-- --events 1000000 --books 100 --products 1000 --heap 300 --rounds 5 --seconds 2]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pricesOf, START, writeHistory } from './bench-history.mjs';
import { compare, CONNECTIONS, measure, random, start } from './bench-kit.mjs';
import { COMMAND, stop } from './server.mjs';
import { root } from './set-up.mjs';

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

/** Four books in a chain of bases, then the next four. */
const basesOf = (ids, n) => ids.slice(n - (n % 4), n).reverse();

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
  const { ids, end } = await writeHistory(
    folder,
    { books, perBook: Math.floor(events / books) },
    pricesOf(products, basesOf),
  );
  console.log('Starting the service ...');
  service = await start(COMMAND, ['serve'], { PRICEBOOK_DATA_DIR: folder });
  const prices = (query) => () =>
    measure(service.address, seconds, () => ({
      path: `/v1/pricebooks/${ids[random(books)]}/product-${random(products)}/USD${query()}`,
    }));
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
