/**
 * Does the set-up that is missing: installs what the lockfile says, and builds. Where nothing is missing it only
 * looks at file times. Plain Node, since it runs before anything is installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const NEEDED_NODE = [20, 20];

const inRoot = (...parts) => path.join(root, ...parts);

const readIfThere = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');

/** When a file was last written; 0 where it is missing. */
const timeOf = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const hash = (text) => createHash('sha256').update(text).digest('hex');

const run = (command, args) => {
  // What it prints goes to standard error: it is no part of the output of the command that called for it.
  const { status } = spawnSync(command, args, {
    cwd: root,
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

/** Name, time and size of every file that goes into the build. */
const sourceState = () => {
  const lines = [];
  const walk = (folder) => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(full);
      else {
        const { mtimeMs, size } = fs.statSync(full);
        lines.push(`${full} ${mtimeMs} ${size}`);
      }
    }
  };
  for (const name of fs.readdirSync(inRoot('packages'))) {
    walk(inRoot('packages', name, 'src'));
    lines.push(readIfThere(inRoot('packages', name, 'tsconfig.json')));
    // A build that was deleted is missing, whatever the stamp says.
    lines.push(String(fs.existsSync(inRoot('packages', name, 'dist'))));
  }
  return lines.join('\n');
};

const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor < NEEDED_NODE[1])) {
    console.error(`Node ${NEEDED_NODE.join('.')} or later is needed; this is ${process.versions.node}.`);
    process.exit(1);
  }
};

export const setUp = () => {
  checkNode();
  // npm writes the inner file when it has installed what the outer one says.
  if (timeOf(inRoot('node_modules/.package-lock.json')) < timeOf(inRoot('package-lock.json'))) {
    console.error('Installing what the lockfile says ...');
    run('npm', ['ci', '--no-audit', '--no-fund']);
  }
  const built = inRoot('node_modules/.set-up-built');
  if (readIfThere(built) !== hash(sourceState())) {
    console.error('Building ...');
    run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-b']);
    fs.writeFileSync(built, hash(sourceState()));
  }
};
