/** Commands as processes, for tests of a second process; others call `runCommand` of the service. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { COMMAND, type CommandRun } from '@pricebook/service/testing';

export interface RunningCommand {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** What it has said so far on standard error. */
  readonly said: () => string;
  /** Settles when it has ended: its exit status, null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

interface CommandOptions {
  /** No file may become larger, in blocks of 512 bytes or 1 KiB. */
  readonly maxFileBlocks?: number;
}

/** Starts `pricebook` with no other environment than the one given. */
export const startCommand = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { maxFileBlocks }: CommandOptions = {},
): RunningCommand => {
  const command = [process.execPath, COMMAND, ...args];
  const [program = '', ...rest] =
    maxFileBlocks === undefined
      ? command
      : ['sh', '-c', `ulimit -f ${String(maxFileBlocks)}; trap '' XFSZ; exec "$@"`, 'sh', ...command];
  const child = spawn(program, rest, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  // Who ends early leaves input unread.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, said: () => said, ended };
};

/** Runs `pricebook` as a process to its end, with an empty standard input. */
export const runAsProcess = async (...given: Parameters<typeof startCommand>): Promise<CommandRun> => {
  const { child, said, ended } = startCommand(...given);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.end();
  const status = await ended;
  return { status, output, said: said() };
};
