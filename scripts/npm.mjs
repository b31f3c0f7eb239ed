/** Installs what lockfiles say. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root, timeOf } from './files.mjs';

/** Runs a part of the set-up; ends this process where it fails. */
export const run = (command, args, folder = root) => {
  // Its output goes to standard error: it is no part of the output of the command that needs the set-up.
  const { status } = spawnSync(command, args, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
    // `npm start --silent` is about the service, not about why it could not be set up.
    env: { ...process.env, npm_config_loglevel: 'warn' },
  });
  if (status !== 0) {
    console.error(`The set-up failed at: ${command} ${args.join(' ')}`);
    process.exit(1);
  }
};

/** Whether a folder has what its lockfile says: npm writes the inner file when it is done. */
export const isInstalled = (folder = root) =>
  timeOf(path.join(folder, 'node_modules/.package-lock.json')) >=
  timeOf(path.join(folder, 'package-lock.json'));
