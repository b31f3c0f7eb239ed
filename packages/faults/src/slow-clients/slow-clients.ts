/** Many idle and slow connections beside normal load: what they cost those who use the service as it is meant. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startProcess } from '@pricebook/acceptance';
import type { Campaign, CampaignResult } from '../campaign';
import { workedMs } from '../resident-memory';
import { read } from './reads';

const KEY = 'a-key-of-the-campaign-of-slow-clients';
const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
const LOAD_CONNECTIONS = 32;
/** Between two writes. */
const WRITE_MS = 20;
const OTHER_BOOKS = 250;
/** How often it is looked whether the first wave of requests of those who are slow is over, and how long at most. */
const LOOK_MS = 500;
const SETTLE_MS = 30_000;
/** With as little work the service only waits. */
const IDLE = 0.2;

const SIZES = {
  full: { idle: 1_000, slow: 200, rounds: 9, seconds: 3, least: 0.8 },
  // Of few short measurements on machines that do other things as well.
  short: { idle: 200, slow: 40, rounds: 3, seconds: 1, least: 0.4 },
};

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

interface Target {
  readonly url: string;
  readonly book: string;
}

const prepare = async (url: string): Promise<Target> => {
  const send = async (
    method: string,
    target: string,
    json: unknown,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${url}/v1/pricebooks${target}`, {
      method,
      headers,
      body: JSON.stringify(json),
    });
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  const book = String((await send('POST', '', { name: 'under load' }))['id']);
  await send('PUT', `/${book}/prices`, [
    { productId: 'product-7', adjustments: { USD: { type: 'override', amount: 7 } } },
  ]);
  // The list of them is an answer of half a MiB, for those who do not read theirs.
  for (let n = 0; n < OTHER_BOOKS; n += 1) {
    await send('POST', '', { name: `book ${String(n)}`, description: 'x'.repeat(2_000) });
  }
  return { url, book };
};

const measure = ({ url, book }: Target, seconds: number) =>
  read(
    Number(new URL(url).port),
    `GET /v1/pricebooks/${book}/product-7/USD HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\n\r\n`,
    { connections: LOAD_CONNECTIONS, seconds },
  );

/**
 * Writes beside it, alone and with the others alike. They are not measured: how long a disk takes to sync says more of
 * what else the machine does.
 */
const startWriting = ({ url, book }: Target) => {
  let isStopped = false;
  let failed = 0;
  const items = [{ productId: 'product-8', adjustments: { USD: { type: 'override', amount: 8 } } }];
  const write = async (): Promise<void> => {
    while (!isStopped) {
      const answer = await fetch(`${url}/v1/pricebooks/${book}/prices`, {
        method: 'PUT',
        headers,
        body: JSON.stringify(items),
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) failed += 1;
      await delay(WRITE_MS);
    }
  };
  const writing = write();
  return {
    stop: async (): Promise<number> => {
      isStopped = true;
      await writing;
      return failed;
    },
  };
};

const settle = async (pid: number | undefined): Promise<void> => {
  for (let waited = 0; waited < SETTLE_MS; waited += LOOK_MS) {
    const before = workedMs(pid) ?? 0;
    await delay(LOOK_MS);
    if ((workedMs(pid) ?? 0) - before < LOOK_MS * IDLE) return;
  }
};

const startHolding = async ({ url, book }: Target, idle: number, slow: number): Promise<ChildProcess> => {
  const args = [new URL(url).port, KEY, book, String(idle), String(slow)];
  const child = spawn(process.execPath, [path.join(__dirname, 'holder.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
};

const stopHolding = async (holder: ChildProcess): Promise<void> => {
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
};

export const slowClients: Campaign = {
  name: 'slow-clients',
  title: '1,000 idle and 200 slow connections beside normal load',
  aim: 'normal load keeps at least 0.8 of its rate',
  run: async ({ size, folder, progress }): Promise<CampaignResult> => {
    const { idle, slow, rounds, seconds, least } = SIZES[size];
    const service = startProcess(['serve'], {
      PORT: '0',
      PRICEBOOK_DATA_DIR: path.join(folder, 'data'),
      PRICEBOOK_BOOTSTRAP_KEY: KEY,
      LOG_LEVEL: 'error',
    });
    const alone: number[] = [];
    const besides: number[] = [];
    let failed = 0;
    try {
      const target = await prepare(await service.ready);
      const writing = startWriting(target);
      await measure(target, seconds);
      for (let round = 0; round < rounds; round += 1) {
        await settle(service.child.pid);
        const without = await measure(target, seconds);
        const holder = await startHolding(target, idle, slow);
        await settle(service.child.pid);
        const beside = await measure(target, seconds).finally(() => stopHolding(holder));
        failed += without.failed + beside.failed;
        alone.push(without.rate);
        besides.push(beside.rate);
        progress(`${without.rate.toFixed(0)} requests a second alone, ${beside.rate.toFixed(0)} beside them`);
      }
      failed += await writing.stop();
    } finally {
      service.child.kill('SIGTERM');
    }
    const { code } = await service.ended;
    const ratio = median(besides) / median(alone);
    return {
      figures: `${String(idle)} idle and ${String(slow)} slow: ${ratio.toFixed(2)} of ${median(alone).toFixed(0)} requests a second, medians of ${String(rounds)}`,
      faults: [
        ...(ratio >= least
          ? []
          : [`the rate fell to ${ratio.toFixed(2)}, to be repeated on a machine that is idle`]),
        ...(failed > 0 ? [`${String(failed)} requests of the load failed`] : []),
        ...(code === 0 ? [] : [`the service ended with ${String(code)}: ${service.output().slice(-1_000)}`]),
      ],
    };
  },
};
