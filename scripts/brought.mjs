/** Tools of other languages that CI uses: brought by their own package managers into the cache, and never committed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot, root } from './files.mjs';
import { COMMAND, startServer, stop } from './server.mjs';

const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'pricebook');

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Runs a program to its end. @returns what it printed; throws with all of that where it fails. */
export const run = (command, args, { cwd = root, env = {} } = {}) => {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout;
  const said = error?.message ?? [stdout, stderr].join('').split('\n').slice(-60).join('\n');
  throw new Error(`${command} ${args.join(' ')} failed:\n${said}`);
};

export const isThere = (command) => spawnSync(command, ['--version']).error === undefined;

/** A jar of Maven Central, by its coordinates and checksum. */
export const bringJar = (coordinates, checksum) => {
  const [, artifact, version] = coordinates.split(':');
  const jar = path.join(CACHE, `${artifact}-${version}.jar`);
  if (!fs.existsSync(jar)) {
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
    run('mvn', ['-q', '-B', plugin, `-Dartifact=${coordinates}:jar`, `-DoutputDirectory=${CACHE}`]);
  }
  if (sha256(fs.readFileSync(jar)) === checksum) return jar;
  fs.rmSync(jar);
  throw new Error(`${coordinates} is not the jar that was tried here: its SHA-256 differs`);
};

/** A Python with what a file of requirements names. @returns the folder of its programs. */
export const bringPython = (requirements) => {
  const wanted = fs.readFileSync(inRoot(requirements));
  const folder = path.join(CACHE, `python-${sha256(wanted).slice(0, 12)}`);
  const done = path.join(folder, 'done');
  if (!fs.existsSync(done)) {
    run('python3', ['-m', 'venv', '--clear', folder]);
    run(path.join(folder, 'bin/pip'), ['install', '--quiet', '-r', inRoot(requirements)]);
    fs.writeFileSync(done, '');
  }
  return path.join(folder, 'bin');
};

/** A program of a Go module that pins it. */
export const bringGo = (module, packageName) => {
  const wanted = fs.readFileSync(inRoot(module, 'go.sum'));
  const program = path.join(CACHE, `${path.basename(module)}-${sha256(wanted).slice(0, 12)}`);
  if (!fs.existsSync(program)) run('go', ['build', '-o', program, packageName], { cwd: inRoot(module) });
  return program;
};

const KEY = 'a-key-for-clients-of-others';

/** Runs `use` with a service on a free port and an empty folder: `{ address, key }`. */
export const withService = async (use) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-service-'));
  try {
    const service = await startServer(COMMAND, ['serve'], {
      PATH: process.env.PATH,
      PRICEBOOK_DATA_DIR: folder,
      PRICEBOOK_BOOTSTRAP_KEY: KEY,
      LOG_LEVEL: 'silent',
    });
    try {
      return await use({ address: service.address, key: KEY });
    } finally {
      await stop(service);
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};
