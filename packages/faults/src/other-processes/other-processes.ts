/** Other processes that open, lock and write the events of a folder beside the service, which is killed now and then. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createBooks,
  expectFolderLikeRebuilt,
  type Load,
  startCommand,
  startLoad,
  startProcess,
  TEST_KEY,
  verifyAsProcess,
} from '@pricebook/acceptance';
import type { Campaign } from '../campaign';
import { figure } from '../figures';
import { eventsByPlace, lostWrites } from '../lost-writes';

const SIZES = { full: { rounds: 10, loadMs: 12_000 }, short: { rounds: 2, loadMs: 2_000 } };
const CLIENTS = 8;
const BOOKS = 4;
const ROLES = ['look', 'look', 'hold', 'append'] as const;
/** A write waits 5 s for another process at most; then it is refused. */
const SLOWEST_MS = 7_000;
/** The write lock is held for half a second of each, on the average: most writes must succeed nevertheless. */
const REFUSED = 0.05;

const NEIGHBOUR = path.join(__dirname, 'neighbour.js');

type Neighbour = ChildProcessByStdio<null, Readable, null>;

const percent = (part: number, whole: number): string => ((100 * part) / Math.max(1, whole)).toFixed(2);

export const otherProcesses: Campaign = {
  name: 'other-processes',
  title: 'other processes that open, lock and write the events under load',
  aim: '0 acknowledged lost, refusals only 503 and at most 5 %, verify clean',
  run: async ({ size, folder: root, seed, progress }) => {
    const { rounds, loadMs } = SIZES[size];
    const folder = path.join(root, 'data');
    const environment = {
      PRICEBOOK_DATA_DIR: folder,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      PORT: '0',
      LOG_LEVEL: 'fatal',
    };
    const faults: string[] = [];
    const attempts: Load['attempts'][number][] = [];
    const appended = new Map<string, string>();
    const keys: string[] = [];
    const counts = {
      looked: 0,
      held: 0,
      refused: 0,
      commands: 0,
      kills: 0,
      reads: 0,
      writes: 0,
      refusedWrites: 0,
    };
    let slowestMs = 0;

    const hear = (role: string, line: string): void => {
      const [what = '', ...rest] = line.split(' ');
      if (what === 'looked' || what === 'held' || what === 'refused') counts[what] += 1;
      else if (what === 'appended') appended.set(`${rest[0] ?? ''} ${rest[1] ?? ''}`, rest[2] ?? '');
      else faults.push(`${role}: ${line}`);
    };
    const startNeighbour = (role: string, n: number): Neighbour => {
      const args = [NEIGHBOUR, folder, role, String(seed + n)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      createInterface({ input: child.stdout }).on('line', (line) => {
        hear(role, line);
      });
      return child;
    };

    /** A command beside the service: what it wrote to standard output. */
    const command = async (...args: readonly string[]): Promise<string> => {
      const { child, said, ended } = startCommand(args, environment);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      child.stdin.end();
      const status = await ended;
      counts.commands += 1;
      if (status !== 0)
        faults.push(`${args.join(' ')} ends with ${String(status)}: ${output.slice(0, 500)}${said()}`);
      return output;
    };
    const runCommands = async (book: string, isOver: () => boolean): Promise<void> => {
      const backup = path.join(root, 'backup');
      const all = [
        async () => {
          const created = await command('keys', 'create', '--name', 'other', '--scope', 'read', '--json');
          if (created !== '') keys.push((JSON.parse(created) as { readonly id: string }).id);
        },
        () => command('verify'),
        () => command('history', book, '--json', '--since', new Date(Date.now() - 500).toISOString()),
        async () => {
          await command('backup', backup);
          fs.rmSync(backup, { recursive: true, force: true });
        },
      ];
      while (!isOver()) await all[counts.commands % all.length]?.();
    };

    const judgeAnswers = ({ observed }: Load): void => {
      const firstRead = observed.findIndex(({ kind, status }) => kind === 'read' && status === 200);
      observed.forEach(({ kind, status, retryAfter, milliseconds }, n) => {
        slowestMs = Math.max(slowestMs, milliseconds);
        if (milliseconds > SLOWEST_MS) faults.push(`a ${kind} took ${milliseconds.toFixed(0)} ms`);
        if (kind === 'read') {
          counts.reads += 1;
          if (n >= firstRead && status >= 500) faults.push(`a read was answered ${String(status)}`);
          return;
        }
        counts.writes += 1;
        if (status === 503 && retryAfter !== null) counts.refusedWrites += 1;
        else if (status !== 200) faults.push(`a write was answered ${String(status)}`);
      });
    };

    let neighbours: readonly Neighbour[] = [];
    /** Ends with a kill, but for the last. */
    const runRound = async (round: number): Promise<void> => {
      const service = startProcess(['serve'], environment);
      try {
        const url = await service.ready;
        const books = await createBooks(url, BOOKS);
        if (round === 0) neighbours = ROLES.map(startNeighbour);
        const load = startLoad(url, books, CLIENTS);
        const isOver = AbortSignal.timeout(loadMs);
        const commands = runCommands(books[0] ?? '', () => isOver.aborted);
        await Promise.all([delay(loadMs), commands]);
        const isLast = round === rounds - 1;
        const { exitCode, signalCode } = service.child;
        if (exitCode !== null || signalCode !== null) faults.push(`the service ended: ${service.output()}`);
        // Requests are under way when it is killed.
        const stopped = load.stop().catch(() => undefined);
        if (isLast) await stopped;
        service.child.kill(isLast ? 'SIGTERM' : 'SIGKILL');
        const { code } = await service.ended;
        await stopped;
        if (isLast && code !== 0) faults.push(`the service did not stop in order: ${service.output()}`);
        if (!isLast) counts.kills += 1;
        judgeAnswers(load);
        attempts.push(...load.attempts);
      } finally {
        service.child.kill('SIGKILL');
        await service.ended;
      }
    };

    try {
      for (let round = 0; round < rounds; round += 1) {
        await runRound(round);
        progress(
          `${String(round + 1)} rounds, ${figure(counts.writes)} writes, ${String(faults.length)} faults`,
        );
      }
    } finally {
      for (const child of neighbours) {
        if (child.exitCode !== null)
          faults.push(`another process ended by itself, with ${String(child.exitCode)}`);
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
    }
    const events = await eventsByPlace(folder);
    faults.push(...lostWrites(events, attempts));
    for (const [place, id] of appended) {
      if (events.get(place)?.id !== id) faults.push(`lost: ${place}, which another process appended`);
    }
    const listed = await command('keys', 'list', '--json');
    for (const id of keys) if (!listed.includes(id)) faults.push(`lost: the key ${id}`);
    const { status, said, found } = await verifyAsProcess(environment);
    if (status !== 0)
      faults.push(`verify ends with ${String(status)}: ${found.slice(0, 5).join('\n')}${said}`);
    await expectFolderLikeRebuilt(folder);
    if (counts.refusedWrites > REFUSED * counts.writes) faults.push('too many writes were refused');
    const acknowledged = attempts.filter(({ revision }) => revision !== undefined).length;
    const lost = faults.filter((fault) => fault.startsWith('lost')).length;
    return {
      figures:
        `${figure(acknowledged)} acknowledged writes, ${figure(appended.size)} events and ${figure(keys.length)} keys of ` +
        `other processes, ${figure(lost)} lost; ${figure(counts.refusedWrites)} writes (${percent(counts.refusedWrites, counts.writes)} %) ` +
        `refused, ${figure(counts.reads)} reads, slowest answer ${figure(Math.round(slowestMs))} ms; opened ` +
        `${figure(counts.looked)} times to read, locked ${figure(counts.held)} times, ${figure(counts.commands)} commands; ` +
        `${figure(counts.kills)} kills of the service`,
      faults,
    };
  },
};
