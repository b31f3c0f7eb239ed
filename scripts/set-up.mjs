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
const WAIT_MS = 200;
const EMPTY_LOCK_MS = 2_000;

const inRoot = (...parts) => path.join(root, ...parts);
const BUILT = inRoot('node_modules/.set-up-built');
const LOCK = inRoot('.set-up.lock');

const readIfThere = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');

/** When a file was last written; 0 where it is missing. */
const timeOf = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const checkNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor < NEEDED_NODE[1])) {
    console.error(`Node ${NEEDED_NODE.join('.')} or later is needed; this is ${process.versions.node}.`);
    process.exit(1);
  }
};

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

const filesBelow = (folder) =>
  fs.existsSync(folder)
    ? fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const full = path.join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(full) : [full];
      })
    : [];

const packages = () => fs.readdirSync(inRoot('packages')).map((name) => inRoot('packages', name));

/** Name, time and size of every file that goes into the build, as a hash. */
const sourceState = () => {
  const lines = packages().flatMap((folder) => [
    ...filesBelow(path.join(folder, 'src')).map(
      (file) => `${file} ${timeOf(file)} ${fs.statSync(file).size}`,
    ),
    readIfThere(path.join(folder, 'tsconfig.json')),
    // A build that was deleted is missing, whatever the stamp says.
    String(fs.existsSync(path.join(folder, 'dist'))),
  ]);
  return createHash('sha256')
    .update([readIfThere(inRoot('tsconfig.base.json')), ...lines].join('\n'))
    .digest('hex');
};

/** The compiler leaves what it made of files that are gone: a test of them would go on running. */
const removeStale = () => {
  for (const folder of packages()) {
    for (const file of filesBelow(path.join(folder, 'dist'))) {
      const source = path.join(folder, 'src', path.relative(path.join(folder, 'dist'), file));
      const stem = source.replace(/(\.d\.ts|\.js\.map|\.js)$/, '');
      if (stem !== source && !fs.existsSync(`${stem}.ts`)) fs.rmSync(file);
    }
  }
};

// npm writes the inner file when it has installed what the outer one says.
const isInstalled = () =>
  timeOf(inRoot('node_modules/.package-lock.json')) >= timeOf(inRoot('package-lock.json'));

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Two commands that are started at once on a fresh clone take turns. */
const withLock = (work) => {
  for (;;) {
    try {
      fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(readIfThere(LOCK));
      // Whoever takes it writes its id at once: a lock that stays empty is of a process that ended in between.
      const isLeft = holder === 0 ? Date.now() - timeOf(LOCK) > EMPTY_LOCK_MS : !isAlive(holder);
      if (isLeft) fs.rmSync(LOCK, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
  try {
    work();
  } finally {
    fs.rmSync(LOCK, { force: true });
  }
};

const doMissing = () => {
  if (!isInstalled()) {
    console.error('Installing what the lockfile says ...');
    run('npm', ['ci', '--no-audit', '--no-fund']);
  }
  const built = readIfThere(BUILT);
  if (built !== sourceState()) {
    console.error('Building ...');
    removeStale();
    // What was built with other packages is not told apart by the compiler.
    const anew = built === '' ? ['--force'] : [];
    run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-b', ...anew]);
    fs.writeFileSync(BUILT, sourceState());
  }
};

export const setUp = () => {
  checkNode();
  if (!isInstalled() || readIfThere(BUILT) !== sourceState()) withLock(doMissing);
};
