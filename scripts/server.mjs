/** Runs servers of this repository as processes: for the benchmarks, and for tools of other languages. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inRoot } from './files.mjs';

export const COMMAND = 'packages/service/dist/main.js';

/**
 * Starts a server on a free port.
 *
 * @param env its whole environment.
 * @returns `address`, where it listens, without a path; and what `stop` needs.
 */
export const startServer = async (file, args, env) => {
  const child = spawn(process.execPath, [inRoot(file), ...args], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const address = await new Promise((resolve, reject) => {
    void ended.then(() => reject(new Error(`${file} did not start`)));
    // The service says it on standard error, the servers of the benchmarks on standard output.
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        const found = /ready at (http:\/\/[^/\s]+)/.exec(String(chunk))?.[1];
        if (found !== undefined) resolve(found);
        else if (stream === child.stderr) process.stderr.write(chunk);
      });
    }
  });
  return { address, child, ended };
};

export const stop = async ({ child, ended }) => {
  child.kill('SIGTERM');
  await ended;
};
