/** Malformed HTTP and JSON, generated: whatever is sent, the service answers, and goes on as before. */
import path from 'node:path';
import fc from 'fast-check';
import { startProcess } from '@pricebook/acceptance';
import type { Campaign, CampaignResult } from '../campaign';
import { growthOf, residentMib } from '../resident-memory';
import { faultOf } from './answer-rules';
import { brokenHttp } from './broken-http';
import { hostileRequests, type Targets } from './requests';
import { sendBroken, sendPipelined } from './talk';

const KEY = 'a-key-of-the-campaign-of-malformed-requests';
const REQUESTS = { full: 200_000, short: 3_000 };
/** Of each batch; those that are no HTTP need a connection each. */
const SANE_HTTP = 36;
const NO_HTTP = 4;
const BATCH = SANE_HTTP + NO_HTTP;
const CLIENTS = 8;
const MAX_GROWTH_MIB = 50;
/** As much of a request as a fault shows. */
const SHOWN = 300;

/** Such as 200: 12, 400: 34. */
const statusesIn = (answered: ReadonlyMap<number, number>): string =>
  [...answered]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${String(status)}: ${String(times)}`)
    .join(', ');

const shown = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1').slice(0, SHOWN));

interface Service {
  readonly port: number;
  readonly targets: Targets;
  /** Asks for a price that nobody changes. */
  readonly isWell: () => Promise<boolean>;
}

const prepare = async (url: string): Promise<Service> => {
  const send = async (
    method: string,
    target: string,
    json?: unknown,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${url}/v1/pricebooks${target}`, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  const create = async (name: string): Promise<string> => String((await send('POST', '', { name }))['id']);
  const quiet = await create('left alone');
  const prices = [{ productId: 'P', adjustments: { USD: { type: 'override', amount: 42 } } }];
  await send('PUT', `/${quiet}/prices`, prices);
  return {
    port: Number(new URL(url).port),
    targets: { key: KEY, books: [await create('one'), await create('two'), await create('three')] },
    isWell: async () => (await send('GET', `/${quiet}/P/USD`))['price'] === 42,
  };
};

interface Outcome {
  readonly faults: readonly string[];
  /** Of all answers. */
  readonly statuses: readonly number[];
}

/** Sends a batch; what random it holds follows from the seed and its number. */
const runBatch = async ({ port, targets }: Service, seed: number): Promise<Outcome> => {
  const faults: string[] = [];
  const statuses: number[] = [];
  const sane = fc.sample(hostileRequests(targets), { seed, numRuns: SANE_HTTP });
  for (const { request, answer, hung } of await sendPipelined(port, sane)) {
    const fault =
      answer === undefined ? (hung ? 'hung' : 'closed without an answer') : faultOf(answer, request.isHead);
    if (fault !== undefined) faults.push(`${fault}: ${shown(request.bytes)}`);
    if (answer !== undefined) statuses.push(answer.status);
  }
  for (const bytes of fc.sample(brokenHttp(targets), { seed, numRuns: NO_HTTP })) {
    const { answers, hung } = await sendBroken(port, bytes);
    if (hung) faults.push(`hung: ${shown(bytes)}`);
    // A HEAD among them makes the reader lose its place after it.
    const isHead = bytes.includes('HEAD');
    for (const answer of answers) {
      statuses.push(answer.status);
      const fault = isHead ? undefined : faultOf(answer);
      if (fault !== undefined) faults.push(`${fault}: ${shown(bytes)}`);
    }
  }
  return { faults, statuses };
};

export const malformed: Campaign = {
  name: 'malformed',
  title: 'Malformed HTTP and JSON, generated',
  aim: '200,000 requests, 0 answers of 500, 0 hangs, memory flat within 50 MB',
  run: async ({ size, folder, seed, progress }): Promise<CampaignResult> => {
    const process = startProcess(['serve'], {
      PORT: '0',
      PRICEBOOK_DATA_DIR: path.join(folder, 'data'),
      PRICEBOOK_BOOTSTRAP_KEY: KEY,
      LOG_LEVEL: 'error',
    });
    const batches = REQUESTS[size] / BATCH;
    const faults: string[] = [];
    const memory: number[] = [];
    const answered = new Map<number, number>();
    let begun = 0;
    try {
      const service = await prepare(await process.ready);
      const client = async (): Promise<void> => {
        while (begun < batches && faults.length < 100) {
          const batch = begun;
          begun += 1;
          // Seeds of one run are far from those of the next.
          const batchSeed = (seed + batch * 7_919) % 2 ** 31;
          const again = `--seed ${String(seed)}, batch ${String(batch)}`;
          const outcome = await runBatch(service, batchSeed);
          faults.push(...outcome.faults.map((fault) => `${fault} (${again})`));
          for (const status of outcome.statuses) answered.set(status, (answered.get(status) ?? 0) + 1);
          const resident = residentMib(process.child.pid);
          if (resident !== undefined) memory.push(resident);
          if (batch % 50 === 0) {
            if (!(await service.isWell())) faults.push(`a price is not what it was (${again})`);
            if (batch % 500 === 0)
              progress(`${String(batch * BATCH)} requests, ${resident?.toFixed(0) ?? '?'} MB`);
          }
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      if (!(await service.isWell())) faults.push('a price is not what it was at the end');
    } finally {
      process.child.kill('SIGTERM');
    }
    const { code } = await process.ended;
    if (code !== 0) faults.push(`the service ended with ${String(code)}: ${process.output().slice(-1_000)}`);
    if (process.output().includes('defect')) faults.push(`a defect: ${process.output().slice(0, 1_000)}`);
    progress(`answers: ${statusesIn(answered)}`);
    const growth = growthOf(memory);
    // A short run is all warming up.
    if (size === 'full' && growth > MAX_GROWTH_MIB) faults.push(`memory grew by ${growth.toFixed(0)} MB`);
    return {
      figures: `${String(begun * BATCH)} requests, ${String(faults.length)} faults, memory ${growth > 0 ? '+' : ''}${growth.toFixed(0)} MB`,
      faults,
      ...(memory.length === 0 && { skipped: 'the memory of a process cannot be read here' }),
    };
  },
};
