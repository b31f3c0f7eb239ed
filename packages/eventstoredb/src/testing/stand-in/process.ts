/** Starts the stand-in as a process of its own, to be killed, stopped and started again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import type { StandInOptions } from './stand-in';

export interface StandInProcess {
  readonly url: string;
  readonly port: number;
  /** SIGSTOP makes it hang, SIGCONT go on; its connections stay open meanwhile. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** SIGKILL; comes back when the process is gone and its port is free. */
  readonly kill: () => Promise<void>;
}

export const spawnStandIn = async ({ port, dataFile }: StandInOptions = {}): Promise<StandInProcess> => {
  const child = spawn(
    process.execPath,
    [
      path.join(__dirname, 'main.js'),
      ...(port === undefined ? [] : ['--port', String(port)]),
      ...(dataFile === undefined ? [] : ['--data-file', dataFile]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const url = /^ready at (.*)$/.exec(line)?.[1];
    if (url === undefined) continue;
    return {
      url,
      port: Number(/:(\d+)\?/.exec(url)?.[1]),
      signal: (signal) => {
        child.kill(signal);
      },
      kill: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    };
  }
  throw new Error('the stand-in ended before it was ready');
};
