/**
 * Does the set-up that is missing: brings Node 24, installs what the lockfile says, and builds. Where nothing is
 * missing it only looks at file times. Plain Node, since it runs before anything is installed.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot, readIfThere, root, timeOf } from './files.mjs';
import { withLock } from './lock.mjs';
import { onNewNode } from './node.mjs';
import { isInstalled, run } from './npm.mjs';

export { root };

const BUILT = inRoot('node_modules/.set-up-built');

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

export const setUp = async () => {
  await onNewNode();
  if (!isInstalled() || readIfThere(BUILT) !== sourceState()) withLock(doMissing);
};
