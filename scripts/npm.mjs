/** Installs what lockfiles say. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot, root, timeOf } from './files.mjs';

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
const isCurrent = (folder) =>
  timeOf(path.join(folder, 'node_modules/.package-lock.json')) >=
  timeOf(path.join(folder, 'package-lock.json'));

const hasDeveloperTools = () => fs.existsSync(inRoot('node_modules/mocha'));

/** Binaries come inside packages: no install script has to run. */
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Installs what is missing.
 *
 * @param withDeveloperTools also what only tests and checks need. Once they are there they stay.
 */
export const install = (folder = root, withDeveloperTools = false) => {
  if (!isCurrent(folder)) {
    const isWhole = withDeveloperTools || hasDeveloperTools();
    run('npm', ['ci', isWhole ? '--include=dev' : '--omit=dev', ...FLAGS], folder);
  } else {
    // Adds packages to those that are there, which a running service may be using.
    run('npm', ['install', '--no-save', '--include=dev', ...FLAGS], folder);
  }
};

export const isInstalled = (folder = root, withDeveloperTools = false) =>
  isCurrent(folder) && (!withDeveloperTools || hasDeveloperTools());
