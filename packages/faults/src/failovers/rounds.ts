/** What befalls a replica set of three in a round; in the end all of its members are there. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ReplicaSet } from '@pricebook/mongodb/testing';
import type { Random } from '../random';

/** Longer than anything of ours waits for a server. */
const HUNG_MS = 20_000;

export interface Round {
  readonly name: string;
  /** @param isBack expects the services to be back soon after there is a primary. */
  readonly run: (set: ReplicaSet, random: Random, isBack: () => Promise<void>) => Promise<void>;
}

const others = (place: number): readonly number[] => [0, 1, 2].filter((one) => one !== place);

export const ROUNDS: readonly Round[] = [
  {
    name: 'killed',
    run: async (set, random, isBack) => {
      const primary = await set.primary();
      await set.kill(primary);
      await isBack();
      await delay(random.below(1_000));
      await set.restart(primary);
    },
  },
  {
    name: 'stepped down',
    run: async (set, _random, isBack) => {
      await set.stepDown();
      await isBack();
    },
  },
  {
    name: 'hung for 20 s',
    run: async (set, _random, isBack) => {
      const primary = await set.primary();
      set.hang(primary);
      const until = performance.now() + HUNG_MS;
      await isBack();
      await delay(Math.max(0, until - performance.now()));
      set.resume(primary);
    },
  },
  {
    name: 'two away',
    run: async (set, random) => {
      const primary = await set.primary();
      const away = random.chance(0.5) ? others(primary) : [primary, others(primary)[random.below(2)] ?? 0];
      for (const place of away) await set.kill(place);
      await delay(1_000 + random.below(6_000));
      await Promise.all(away.map(set.restart));
    },
  },
  {
    name: 'lost what only it had',
    run: async (set, random, isBack) => {
      const primary = await set.primary();
      for (const place of others(primary)) await set.stall(place, true);
      await delay(500 + random.below(7_000));
      await set.kill(primary);
      for (const place of others(primary)) await set.stall(place, false);
      await isBack();
      await set.restart(primary);
    },
  },
];
