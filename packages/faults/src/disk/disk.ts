/** The service on a disk that is full, that fails to sync, or that has become read-only; and is well again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createBooks,
  type Load,
  type ServiceProcess,
  startLoad,
  startProcess,
  TEST_KEY,
} from '@pricebook/acceptance';
import type { Campaign } from '../campaign';
import { eventsByPlace, lostWrites } from '../lost-writes';

const CYCLES = { full: 50, short: 3 };
const CLIENTS = 6;
const DISK_MIB = 192;
/** How long it may take until a write is refused, and until writes succeed after the disk is well. */
const SEEN_MS = 15_000;
const RECOVERY_MS = 20_000;

/** What readiness says, of what is asked here. */
interface Told {
  readonly eventStore: string;
  readonly projection: { readonly state: string };
}

interface Trouble {
  readonly name: string;
  /** What readiness calls the event store meanwhile. */
  readonly state: string;
  readonly status: number;
  /** Begins it; settles with what ends it. */
  readonly begin: (folder: string, service: ServiceProcess) => Promise<() => Promise<void>>;
}

const fill = (folder: string): Promise<() => Promise<void>> => {
  const filler = path.join(folder, 'filler');
  const descriptor = fs.openSync(filler, 'a');
  for (const bytes of [1024 * 1024, 4096]) {
    const zeros = Buffer.alloc(bytes);
    try {
      for (;;) fs.writeSync(descriptor, zeros);
    } catch {
      // It is full, but for less than that.
    }
  }
  fs.closeSync(descriptor);
  return Promise.resolve(() => {
    fs.rmSync(filler);
    return Promise.resolve();
  });
};

/** Makes system calls of the service on the files of the event store fail. */
const inject =
  (injection: string) =>
  async (folder: string, { child }: ServiceProcess): Promise<() => Promise<void>> => {
    const paths = ['events.db', 'events.db-wal', 'space.try'].flatMap((name) => [
      '-P',
      path.join(folder, name),
    ]);
    const args = ['-f', '-o', '/dev/null', ...paths, '-e', `inject=${injection}`, '-p', String(child.pid)];
    const strace: ChildProcess = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(strace, 'exit');
    await Promise.race([strace.stderr === null ? ended : once(strace.stderr, 'data'), ended]);
    return async () => {
      strace.kill('SIGINT');
      await ended;
    };
  };

const TROUBLES: readonly Trouble[] = [
  { name: 'full', state: 'full', status: 507, begin: (folder) => fill(folder) },
  { name: 'failing syncs', state: 'failing', status: 503, begin: inject('fdatasync,fsync:error=EIO') },
  { name: 'read-only', state: 'failing', status: 503, begin: inject('pwrite64,pwritev,write:error=EROFS') },
];

/** What is missing on this machine. */
const missing = (folder: string): string | undefined => {
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(DISK_MIB)}m`, 'tmpfs', folder]);
  if (mount.status !== 0) return 'all of it: a file system of its own cannot be mounted here';
  return undefined;
};

const canTrace = (): boolean => {
  const child = spawn('sleep', ['5'], { stdio: 'ignore' });
  const { status } = spawnSync('timeout', ['1', 'strace', '-o', '/dev/null', '-p', String(child.pid)]);
  child.kill();
  return status === 124 || status === 0;
};

const until = async (isSo: () => boolean, ms: number): Promise<boolean> => {
  const since = Date.now();
  while (!isSo()) {
    if (Date.now() - since > ms) return false;
    await delay(20);
  }
  return true;
};

type Attempt = Load['attempts'][number];

export const disk: Campaign = {
  name: 'disk',
  title: 'syncs made to fail, a disk full or read-only, and well again, under load',
  aim: '50 cycles, 0 acknowledged lost, reads up throughout',
  run: async ({ size, folder, progress }) => {
    const skipped = missing(folder);
    if (skipped !== undefined) return { figures: 'nothing', faults: [], skipped };
    const troubles = canTrace() ? TROUBLES : TROUBLES.slice(0, 1);
    const data = path.join(folder, 'data');
    const environment = {
      PRICEBOOK_DATA_DIR: data,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      PORT: '0',
      LOG_LEVEL: 'error',
    };
    const faults: string[] = [];
    const attempts: Attempt[] = [];
    const figures = { reads: 0, refused: 0, slowestMs: 0 };
    let service = startProcess(['serve'], environment);
    let url = await service.ready;

    const runCycle = async (cycle: number, trouble: Trouble): Promise<void> => {
      const fault = (what: string): void => {
        faults.push(`cycle ${String(cycle)}, ${trouble.name}: ${what}`);
      };
      const load = startLoad(url, await createBooks(url, 3), CLIENTS);
      const { observed } = load;
      await until(
        () => observed.filter(({ kind, status }) => kind === 'write' && status === 200).length > 50,
        SEEN_MS,
      );
      const before = observed.length;
      const end = await trouble.begin(trouble.name === 'full' ? folder : data, service);
      const hasEnded = (): boolean => service.child.exitCode !== null || service.child.signalCode !== null;
      // A full disk may be met by the read model first: then writes are done, and answered as behind.
      const isTold = async (): Promise<boolean> => {
        const ready = await fetch(`${url}/health/ready`);
        const { eventStore, projection } = (await ready.json()) as Told;
        const isFull = trouble.name === 'full' && projection.state === 'retrying';
        return ready.status === 503 && (eventStore === trouble.state || isFull);
      };
      const since = Date.now();
      while (!hasEnded() && !(await isTold().catch(hasEnded))) {
        if (Date.now() - since > SEEN_MS) {
          fault('readiness does not say so');
          break;
        }
        await delay(20);
      }
      await delay(500);
      for (const { kind, status } of observed.slice(before)) {
        if (kind === 'write' && status >= 500 && status !== trouble.status && status !== 503) {
          fault(`a write was answered ${String(status)}`);
        }
      }
      await end();
      const healed = Date.now();
      if (!hasEnded()) {
        const isWell = (): boolean =>
          hasEnded() ||
          // One that began before may have waited for the read side until now.
          observed.some(
            ({ kind, status, at, milliseconds }) =>
              kind === 'write' && status === 200 && at - milliseconds > healed,
          );
        if (!(await until(isWell, RECOVERY_MS))) fault('writes do not go on');
        figures.slowestMs = Math.max(figures.slowestMs, Date.now() - healed);
      }
      // Where the service has ended, so have its clients.
      await load.stop().catch(() => undefined);
      attempts.push(...load.attempts);
      const reads = observed.filter(({ kind }) => kind === 'read');
      const firstFound = reads.findIndex(({ status }) => status === 200);
      figures.reads += reads.length;
      figures.refused += observed.filter(({ kind, status }) => kind === 'write' && status >= 500).length;
      for (const { status } of reads.slice(firstFound))
        if (status >= 500) fault(`a read was answered ${String(status)}`);
      for (const { kind, status } of observed) {
        if (kind === 'write' && ![200, 503, 507].includes(status))
          fault(`a write was answered ${String(status)}`);
      }
      if (!hasEnded()) return;
      fault(`the service ended:\n${service.output().slice(-500)}`);
      service = startProcess(['serve'], environment);
      url = await service.ready;
    };

    try {
      for (let cycle = 0; cycle < CYCLES[size]; cycle += 1) {
        const trouble = troubles[cycle % troubles.length];
        if (trouble !== undefined) await runCycle(cycle, trouble);
        if (cycle % 5 === 4) progress(`${String(cycle + 1)} cycles, ${String(faults.length)} faults`);
      }
      service.child.kill('SIGKILL');
      await service.ended;
      faults.push(...lostWrites(await eventsByPlace(data), attempts));
    } finally {
      service.child.kill('SIGKILL');
      await service.ended;
      spawnSync('umount', [folder]);
    }
    const acknowledged = attempts.filter(({ revision }) => revision !== undefined).length;
    const lost = faults.filter((fault) => fault.startsWith('lost')).length;
    return {
      figures:
        `${String(CYCLES[size])} cycles, ${acknowledged.toLocaleString('en-US')} acknowledged writes, ${String(lost)} lost; ` +
        `${figures.refused.toLocaleString('en-US')} refused; ${figures.reads.toLocaleString('en-US')} reads; ` +
        `writes went on ${(figures.slowestMs / 1_000).toFixed(1)} s after the disk was well at the latest`,
      faults,
      ...(troubles.length < TROUBLES.length && {
        skipped: 'failing syncs and a read-only disk: no strace that may attach',
      }),
    };
  },
};
