/** The service as its users run it, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { COMMAND } from '@pricebook/service/testing';

const READY = /ready at (http:\/\/[^/\s]+)/;

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Settles when the service says that it is ready: its address, without /v1. Fails if it ends before. */
  readonly ready: Promise<string>;
  /** Everything that it has printed so far. */
  readonly output: () => string;
  /** What of that is for people: on standard error. */
  readonly said: () => string;
  /** What of that is for programs: the lines of standard output, all of which are JSON. */
  readonly logged: () => readonly Readonly<Record<string, unknown>>[];
  /** Settles when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts `pricebook` with arguments and no other environment than the one given. */
export const startProcess = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): ServiceProcess => {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let said = '';
  let logged = '';
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  const ready = new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      const address = READY.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      logged += chunk.toString('utf8');
      listen(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      listen(chunk);
    });
    void ended.then(() => {
      reject(new Error(`the service ended before it was ready:\n${output}`));
    });
  });
  // Who only waits for the end need not listen for the start.
  ready.catch(() => undefined);
  return {
    child,
    ready,
    output: () => output,
    said: () => said,
    logged: () =>
      logged
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
    ended,
  };
};
