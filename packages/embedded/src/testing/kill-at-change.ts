/**
 * A program for tests that see what a process leaves behind which is killed: it serves a folder until it has gone over
 * to a read model that it is offered, or rebuilds one, and kills itself just before it changes a file for the n-th time.
 * Where there are fewer changes it comes to its end.
 *
 * Arguments: the folder, `serve` or `rebuild`, n. Says `serving` when it serves; there only what comes after it counts.
 */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadModelStore } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { lockFolder } from '../folder-lock';
import { embeddedReadModels } from '../read-model-store';

const [folder = '', what = '', n = ''] = process.argv.slice(2);

const never = new AbortController().signal;

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

const serve = async (store: ReadModelStore): Promise<void> => {
  lockFolder(folder);
  const look = async (): Promise<string> => orThrow(await store.look()()).live;
  const first = await look();
  orThrow(await store.adopt(first)());
  const old = await store.open(first);
  fs.writeSync(1, 'serving\n');
  killAtChange(Number(n));
  for (;;) {
    const name = await look();
    if (name !== first) {
      const next = await store.open(name);
      if (orThrow(await store.adopt(name)())) {
        await old.close();
        await next.close();
        return;
      }
      await next.close();
    }
    await delay(5);
  }
};

const rebuild = async (store: ReadModelStore): Promise<void> => {
  killAtChange(Number(n));
  orThrow(await (await store.begin()).goLive(never)());
};

const store = embeddedReadModels(
  folder,
  { id: 'events', end: () => Promise.resolve(undefined) },
  () => undefined,
);
void (what === 'serve' ? serve(store) : rebuild(store));
