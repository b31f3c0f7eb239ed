/** What befalls a replica set of three in a round; in the end all of its members are there. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ReplicaSet } from '@pricebook/mongodb/testing';
import type { Random } from '../random';

/** Longer than anything of ours waits for a server. */
const HUNG_MS = 20_000;
/** Longer than a command of the projection may take. */
const STALLED_MS = 14_000;
/** From the start of a rebuild until its read model is live, some seconds. */
const REBUILD_MS = 4_000;

interface Scene {
  readonly set: ReplicaSet;
  readonly random: Random;
  /** Expects the services to be back, and up to date, soon after there is a primary that a majority follows. */
  readonly isBack: () => Promise<void>;
  /** Starts `pricebook rebuild`; the answer is its exit status. */
  readonly rebuild: () => Promise<number | null>;
  /** Restarts all processes, which then have the rebuilt read model; and reads every price again before. */
  readonly restart: () => Promise<void>;
}

export interface Round {
  readonly name: string;
  readonly run: (scene: Scene) => Promise<void>;
}

const others = (place: number): readonly number[] => [0, 1, 2].filter((one) => one !== place);

/** The others vote, and take nothing more of the primary; then that is killed. */
const loseUnreplicated: Round['run'] = async ({ set, random, isBack }) => {
  const primary = await set.primary();
  for (const place of others(primary)) await set.stall(place, true);
  await delay(500 + random.below(STALLED_MS));
  await set.kill(primary);
  for (const place of others(primary)) await set.stall(place, false);
  await isBack();
  await set.restart(primary);
};

export const ROUNDS: readonly Round[] = [
  {
    name: 'killed',
    run: async ({ set, random, isBack }) => {
      const primary = await set.primary();
      await set.kill(primary);
      await isBack();
      await delay(random.below(1_000));
      await set.restart(primary);
    },
  },
  {
    name: 'stepped down',
    run: async ({ set, isBack }) => {
      await set.stepDown();
      await isBack();
    },
  },
  {
    name: 'hung for 20 s',
    run: async ({ set, isBack }) => {
      const primary = await set.primary();
      set.hang(primary);
      const until = performance.now() + HUNG_MS;
      // For 30 s the other secondary reports its progress to the member that hangs. The new primary learns it from
      // heartbeats, so each wait for a majority takes as long as they are apart.
      while (performance.now() < until) {
        await isBack();
        await delay(500);
      }
      set.resume(primary);
    },
  },
  {
    name: 'two away',
    run: async ({ set, random }) => {
      const primary = await set.primary();
      const away = random.chance(0.5) ? others(primary) : [primary, others(primary)[random.below(2)] ?? 0];
      for (const place of away) await set.kill(place);
      await delay(1_000 + random.below(6_000));
      await Promise.all(away.map(set.restart));
    },
  },
  {
    name: 'lost what only it had',
    run: loseUnreplicated,
  },
  {
    name: 'lost what only it had, during a rebuild',
    run: async (scene) => {
      const { random, rebuild, restart } = scene;
      const ended = rebuild();
      await delay(random.below(REBUILD_MS));
      await loseUnreplicated(scene);
      // It may have given up; then another one finishes.
      if ((await ended) !== 0 && (await rebuild()) !== 0) throw new Error('no rebuild after a failed one');
      await restart();
    },
  },
];
