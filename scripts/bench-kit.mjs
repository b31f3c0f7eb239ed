/** What the benchmarks have in common: processes to measure, load on them, medians. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root, setUp } from './set-up.mjs';

setUp();
const { default: autocannon } = await import('autocannon');

const KEY = 'a-key-for-the-benchmark';
export const CONNECTIONS = 64;
const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };

export const COMMAND = 'packages/service/dist/main.js';

/** Starts a server of this repository on a free port; `address` is where it listens, without a path. */
export const start = async (file, args, env) => {
  const child = spawn(process.execPath, [path.join(root, file), ...args], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', PRICEBOOK_BOOTSTRAP_KEY: KEY, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) {
    const address = /ready at (http:\/\/[^/\s]+)/.exec(String(chunk))?.[1];
    if (address !== undefined) return { child, address };
  }
  throw new Error(`${file} did not start`);
};

export const stop = async ({ child }) => {
  child.kill('SIGTERM');
  await once(child, 'exit');
};

export const send = async (url, method, body) => {
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** Asks for some seconds over all connections. */
export const measure = async (address, seconds, request) => {
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: seconds,
    headers,
    requests: [request],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return { rate: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
};

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Runs two in turns; the first round warms up and is not counted. `ratio` is the second's rate to the first's. */
export const compare = async (rounds, ...runs) => {
  const results = runs.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, run] of runs.entries()) {
      const result = await run();
      if (round > 0) results[index].push(result);
    }
  }
  const figures = results.map((those) => {
    const of = (figure) => median(those.map((result) => result[figure]));
    return `${Math.round(of('rate'))} (${of('p50')}/${of('p99')})`;
  });
  const [first, second] = results;
  return { figures, ratio: Number(median(first.map(({ rate }, n) => second[n].rate / rate)).toFixed(2)) };
};

export const random = (below) => Math.floor(Math.random() * below);

/** An item of Set Product Prices. */
export const item = (n) => ({
  productId: `product-${n}`,
  adjustments: { USD: { type: 'override', amount: n + 0.5 } },
});
