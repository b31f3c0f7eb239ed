/**
 * The Node that a checkout runs on: this one where it is new enough, otherwise the one of tools/node, which is
 * installed on first use. Runs on old versions of Node, and before anything is installed. Why: docs/decisions/0023-node-24.md
 */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { inRoot } from './files.mjs';
import { withLock } from './lock.mjs';
import { install, isInstalled } from './npm.mjs';

const NEEDED = [24, 15];
const FOLDER = inRoot('tools/node');
const PLATFORM = process.platform === 'win32' ? 'win' : process.platform;
const BIN = path.join(FOLDER, 'node_modules', `node-${PLATFORM}-${process.arch}`, 'bin');
const BROUGHT = path.join(BIN, process.platform === 'win32' ? 'node.exe' : 'node');

const isEnough = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
};

const bring = () => {
  if (isInstalled(FOLDER)) return;
  console.error(
    `Installing Node 24 beside the checkout's packages; this is Node ${process.versions.node} ...`,
  );
  install(FOLDER);
};

/** The program to run; ends this process where there is none. */
export const nodeToRun = () => {
  if (isEnough()) return process.execPath;
  if (!isInstalled(FOLDER)) withLock(bring);
  if (spawnSync(BROUGHT, ['--version']).status === 0) return BROUGHT;
  console.error(
    `Node ${NEEDED.join('.')} or later is needed; this is ${process.versions.node}, and npm has none that runs ` +
      `here (${process.platform}, ${process.arch}). See https://nodejs.org/en/download.`,
  );
  return process.exit(1);
};

/** Settles in a Node that is new enough. In an older one it never does: the same program runs in a newer one instead. */
export const onNewNode = async () => {
  const node = nodeToRun();
  if (node === BROUGHT) process.env.PATH = `${BIN}${path.delimiter}${process.env.PATH ?? ''}`;
  if (node === process.execPath) return;
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  await new Promise(() => {});
};
