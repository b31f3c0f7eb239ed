/**
 * A program for tests that see what a killed process leaves behind: it rebuilds the read model of a folder, or starts on
 * it and stops, and kills itself just before it changes a file for the n-th time. Where there are fewer changes it comes
 * to its end.
 *
 * Arguments: the folder, `rebuild` or `start`, n.
 */
import fs from 'node:fs';
import * as E from 'fp-ts/Either';
import { lockFolder } from '../folder-lock';
import { embeddedReadModels } from '../read-model-store';

const [folder = '', what = '', n = ''] = process.argv.slice(2);

/** How far the rebuilt read model comes. */
const REBUILT = 7n;

/** From now on. */
const killAtChange = (last: number): void => {
  let changes = 0;
  const killing =
    <Args extends readonly unknown[], A>(change: (...args: Args) => A) =>
    (...args: Args): A => {
      changes += 1;
      if (changes === last) process.kill(process.pid, 'SIGKILL');
      return change(...args);
    };
  fs.renameSync = killing(fs.renameSync);
  fs.rmSync = killing(fs.rmSync);
  fs.writeFileSync = killing(fs.writeFileSync);
  fs.writeSync = killing(fs.writeSync) as typeof fs.writeSync;
};

const orThrow = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const store = embeddedReadModels(folder, { id: 'events', end: () => Promise.resolve(10n) }, () => undefined);

const rebuild = async (): Promise<void> => {
  const fresh = await store.begin();
  orThrow(await fresh.apply([], REBUILT)());
  orThrow(await fresh.goLive());
  await fresh.close();
};

const start = async (): Promise<void> => {
  lockFolder(folder);
  await (await store.openLive()).close();
};

killAtChange(Number(n));
void (what === 'start' ? start() : rebuild());
