/** Starts FerretDB, our MongoDB where there is none, as a process: to be killed, stopped and started again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';

const BINARY = path.resolve(__dirname, '../../../../tools/ferretdb/bin/ferretdb');

/** Whether `npm run ferretdb` has built it. */
export const ferretDbIsBuilt = (): boolean => fs.existsSync(BINARY);

export interface FerretDbProcess {
  /** Without a database. */
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  /** SIGSTOP makes it hang, SIGCONT go on; its connections stay open meanwhile. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** SIGKILL; comes back when the process is gone. Its data stays. */
  readonly kill: () => Promise<void>;
  /** Ends it and removes its data. */
  readonly remove: () => Promise<void>;
}

interface FerretDbOptions {
  readonly port?: number;
  readonly dataFolder?: string;
}

export const spawnFerretDb = async ({
  port = 0,
  dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-ferretdb-')),
}: FerretDbOptions = {}): Promise<FerretDbProcess> => {
  const child = spawn(BINARY, ['-data', dataFolder, '-listen', `127.0.0.1:${String(port)}`, '-with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const url = /^ready at (.*)\/$/.exec(line)?.[1];
    if (url === undefined) continue;
    return {
      url,
      port: Number(/:(\d+)$/.exec(url)?.[1]),
      dataFolder,
      signal: (signal) => {
        child.kill(signal);
      },
      kill,
      remove: async () => {
        await kill();
        fs.rmSync(dataFolder, { recursive: true, force: true });
      },
    };
  }
  throw new Error('FerretDB ended before it was ready');
};
