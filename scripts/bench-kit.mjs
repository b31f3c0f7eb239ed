/** What the benchmarks have in common: processes to measure, load on them, medians. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { load, render } from './bench-client.mjs';
import { startServer } from './server.mjs';
import { root, setUp } from './set-up.mjs';

await setUp();

export const KEY = 'a-key-for-the-benchmark';
export const CONNECTIONS = 64;
export const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };

const NO_SERVERS = { EVENTSTOREDB_URL: '', MONGODB_URL: '' };

/** Starts a server of this repository on a free port; `address` is where it listens, without a path. */
export const start = (file, args, env) =>
  startServer(file, args, {
    // On the embedded store, whatever servers the environment names, unless the caller names some.
    ...process.env,
    ...NO_SERVERS,
    LOG_LEVEL: 'warn',
    PRICEBOOK_BOOTSTRAP_KEY: KEY,
    ...env,
  });

export const send = async (url, method, body) => {
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** The same from a process of its own, where one client cannot ask for enough. */
const loadElsewhere = async (address, how) => {
  const client = fork(path.join(root, 'scripts/bench-client.mjs'), [], { serialization: 'advanced' });
  client.send({ address, how });
  const ended = once(client, 'exit').then(([code]) => {
    throw new Error(`a client ended with ${code}`);
  });
  const [result] = await Promise.race([once(client, 'message'), ended]);
  ended.catch(() => undefined);
  client.disconnect();
  return result;
};

/** Requests that are put together before a run; more would only take memory. */
const PREPARED = 5_000;

/**
 * Asks for some seconds over all connections.
 *
 * @param request makes one request: `{ method, path, body, headers }`.
 */
export const measure = async (
  address,
  seconds,
  request,
  { prepared = PREPARED, inOwnProcess = false, ...options } = {},
) => {
  const requests = Array.from({ length: prepared }, () => {
    const { headers: own, ...rest } = request();
    return render({ ...rest, headers: { 'x-api-key': KEY, ...own } });
  });
  const how = { connections: CONNECTIONS, seconds, requests, ...options };
  const result = inOwnProcess ? await loadElsewhere(address, how) : await load(address, how);
  if (result.refused > 0) throw new Error(`${result.refused} refused`);
  return result;
};

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Runs two in turns; the first round warms up and is not counted.
 *
 * @returns medians: of each the rate and the latencies, and the ratios of the second to the first of each round.
 */
export const alternate = async (rounds, ...runs) => {
  const results = runs.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, run] of runs.entries()) {
      const result = await run();
      if (round > 0) results[index].push(result);
    }
  }
  const [first, second] = results;
  const ratioOf = (figure) => median(first.map((result, n) => second[n][figure] / result[figure]));
  return {
    each: results.map((those) => {
      const of = (figure) => median(those.map((result) => result[figure]));
      return { rate: of('rate'), p50: of('p50'), p99: of('p99') };
    }),
    ratio: ratioOf('rate'),
    p99Ratio: ratioOf('p99'),
  };
};

/** The same, as text for a table. */
export const compare = async (rounds, ...runs) => {
  const { each, ratio } = await alternate(rounds, ...runs);
  const figures = each.map(
    ({ rate, p50, p99 }) => `${Math.round(rate)} (${p50.toFixed(1)}/${p99.toFixed(1)})`,
  );
  return { figures, ratio: Number(ratio.toFixed(2)) };
};

export const random = (below) => Math.floor(Math.random() * below);

/** An item of Set Product Prices. */
export const item = (n) => ({
  productId: `product-${n}`,
  adjustments: { USD: { type: 'override', amount: n + 0.5 } },
});
