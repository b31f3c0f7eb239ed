import { setTimeout as delay } from 'node:timers/promises';
import {
  createBooks,
  verifyAsProcess,
  type ServiceProcess,
  startCommand,
  startProcess,
  TEST_KEY,
} from '@pricebook/acceptance';
import { spawnStandIn } from '@pricebook/eventstoredb/testing';
import { mongodIsThere, newDatabase, startReplicaSet } from '@pricebook/mongodb/testing';
import type { Campaign } from '../campaign';
import { figure } from '../figures';
import { createRandom } from '../random';
import { startFailoverLoad } from './load';
import { ROUNDS } from './rounds';

const SIZES = { full: 100, short: 10 };
const BOOKS = 3;
const CLIENTS = 6;
const RECOVERY_MS = 5_000;
const VERIFY_EVERY = 10;

/** Two services and two projectors, on the same servers. */
const startAll = async (environment: Readonly<Record<string, string>>) => {
  const start = (command: string): ServiceProcess =>
    startProcess([command], {
      PORT: '0',
      LOG_LEVEL: 'fatal',
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      PRICEBOOK_PROJECTOR: command === 'serve' ? 'off' : 'inline',
      ...environment,
    });
  const processes = ['serve', 'serve', 'project', 'project'].map(start);
  const urls = await Promise.all(processes.map(({ ready }) => ready));
  return { processes, urls };
};

export const failovers: Campaign = {
  name: 'failovers',
  title: 'MongoDB replica set that loses its primary under load',
  aim: '100 rounds, 0 acknowledged lost, back within 5 s of a primary with a majority, verify clean',
  run: async ({ size, folder, seed, progress }) => {
    if (!mongodIsThere()) return { figures: 'nothing', faults: [], skipped: 'no mongod: npm run mongod' };
    const random = createRandom(seed);
    const faults: string[] = [];
    let round = 'the beginning';
    const tell = (fault: string): void => {
      faults.push(`${round}: ${fault}`);
    };
    const decks = Array.from({ length: Math.ceil(SIZES[size] / ROUNDS.length) }, () =>
      random.shuffle(ROUNDS),
    );
    const rounds = decks.flat().slice(0, SIZES[size]);

    const set = await startReplicaSet();
    const events = await spawnStandIn({ dataFile: `${folder}/events.jsonl` });
    const environment = { EVENTSTOREDB_URL: events.url, MONGODB_URL: newDatabase(set).url };
    const counts = { acknowledged: 0, behind: 0, reads: 0, refused: 0, slowest: 0 };
    let running: readonly ServiceProcess[] = [];
    let isEnding = false;
    const start = async () => {
      const { processes, urls } = await startAll(environment);
      running = processes;
      isEnding = false;
      for (const { ended, output } of processes) {
        void ended.then(({ code }) => {
          if (!isEnding) tell(`a process ended by itself with ${String(code)}: ${output().slice(-4_000)}`);
        });
      }
      const books = await createBooks(urls[0] ?? '', BOOKS);
      return { urls, load: startFailoverLoad(urls.slice(0, 2), books, CLIENTS, tell, counts) };
    };
    let { urls, load } = await start();
    let slowest = 0;
    let verified = 0;
    const rebuilt = { done: 0, failed: 0 };

    const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;

    /** Expects all to be as it should soon after there is a primary. */
    const isBack = async (): Promise<void> => {
      await set.writable();
      const since = performance.now();
      const answered = await load.recovered();
      while (!(await Promise.all(urls.map(isReady))).every(Boolean)) {
        if (performance.now() - since > 4 * RECOVERY_MS) throw new Error(`${round}: never ready again`);
      }
      const took = performance.now() - since;
      slowest = Math.max(slowest, took);
      if (took > RECOVERY_MS)
        tell(`ready after ${took.toFixed(0)} ms, written and read after ${answered.toFixed(0)}`);
    };

    const rebuild = async (): Promise<number | null> => {
      const command = startCommand(['rebuild'], environment);
      command.child.stdin.end();
      const status = await command.ended;
      rebuilt[status === 0 ? 'done' : 'failed'] += 1;
      if (status !== 0) progress(`${round}: ${command.said().trim().split('\n').at(-1) ?? ''}`);
      return status;
    };

    const end = async (): Promise<void> => {
      await load.stop();
      isEnding = true;
      for (const { child, ended, output } of running) {
        child.kill('SIGTERM');
        const { code } = await ended;
        if (code !== 0) tell(`ended with ${String(code)}: ${output()}`);
      }
    };

    const restart = async (): Promise<void> => {
      await end();
      ({ urls, load } = await start());
    };

    const verify = async (): Promise<void> => {
      const { status, found, said } = await verifyAsProcess(environment);
      verified += 1;
      if (status !== 0) tell(`verify: ${String(status)} ${found.slice(0, 5).join('; ')} ${said}`);
    };

    try {
      for (const [n, { name, run }] of rounds.entries()) {
        round = `round ${String(n + 1)}, ${name}`;
        await delay(random.below(1_000));
        await run({ set, random, isBack, rebuild, restart });
        await isBack();
        progress(`${round}: ${figure(counts.acknowledged)} acknowledged, ${figure(faults.length)} faults`);
        if ((n + 1) % VERIFY_EVERY === 0) await verify();
      }
      round = 'the end';
      await end();
      await verify();
    } finally {
      isEnding = true;
      for (const { child, ended } of running) {
        child.kill('SIGKILL');
        await ended;
      }
      await events.kill();
      await set.remove();
    }
    const { acknowledged, behind, reads, refused, slowest: answer } = counts;
    return {
      figures:
        `${figure(rounds.length)} rounds, ${figure(acknowledged)} acknowledged writes (${figure(behind)} behind), ` +
        `${figure(reads)} reads, ${figure(refused)} refused, slowest answer ${figure(Math.round(answer))} ms, ` +
        `back after at most ${figure(Math.round(slowest))} ms, ${figure(rebuilt.done)} rebuilds ` +
        `(${figure(rebuilt.failed)} given up), ${figure(verified)} times verified, ` +
        `${figure(faults.length)} faults`,
      faults,
    };
  },
};
