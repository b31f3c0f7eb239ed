/** Replica sets of three real servers, and what befalls them. */
import type { Document } from 'mongodb';
import { electionOf, initiate, type MongodProcess, runOn, spawnMember, until, urlOf } from './mongod';

/** Elections soon after a primary is away, which take the servers' time, not ours. Each member follows the primary. */
const SETTINGS = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500, chainingAllowed: false };

const SHAPES = {
  /** Three members with data. */
  data: [{}, {}, {}],
  /** A primary, a secondary, and an arbiter that votes and has no data. */
  arbiter: [{}, {}, { arbiterOnly: true }],
} satisfies Record<string, readonly Document[]>;

export interface ReplicaSet {
  /** Without a database. */
  readonly url: string;
  /** The first one is the first primary. */
  readonly members: readonly MongodProcess[];
  /** The place of the primary, once there is one. */
  readonly primary: () => Promise<number>;
  /**
   * Waits until the primary takes a write that a majority has: where the one before hangs, the others may go on
   * waiting for it for 10 s and more after they have elected another.
   */
  readonly writable: () => Promise<void>;
  readonly kill: (place: number) => Promise<void>;
  /** Starts one again that was killed. */
  readonly restart: (place: number) => Promise<void>;
  /** SIGSTOP: it hangs, and its connections stay open. */
  readonly hang: (place: number) => void;
  /** SIGCONT. */
  readonly resume: (place: number) => void;
  /** Has the primary step down; another is elected at once. */
  readonly stepDown: () => Promise<void>;
  /** Has a member take no more from the others, though it votes; or take it again. */
  readonly stall: (place: number, isStalled: boolean) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export const startReplicaSet = async (shape: keyof typeof SHAPES = 'data'): Promise<ReplicaSet> => {
  const members = await Promise.all(SHAPES[shape].map(() => spawnMember()));
  const member = (place: number): MongodProcess => {
    const found = members[place];
    if (found === undefined) throw new Error(`there is no member ${String(place)}`);
    return found;
  };
  const away = new Set<number>();

  const primary = async (): Promise<number> => {
    let place = -1;
    await until('a primary', async () => {
      const elections = await Promise.all(
        members.map(async (one, at) => (away.has(at) ? undefined : electionOf(one).catch(() => undefined))),
      );
      // One that was away may take itself for the primary still.
      const last = elections
        .map((election) => election ?? '')
        .sort()
        .at(-1);
      place = last === '' ? -1 : elections.indexOf(last);
      return place !== -1;
    });
    return place;
  };

  await initiate(members, SHAPES[shape], SETTINGS);
  await until('the first primary', async () => (await electionOf(member(0))) !== undefined);
  await until('all members', async () => {
    const { members: all } = await runOn(member(0), { replSetGetStatus: 1 });
    return (all as readonly { readonly stateStr: string }[]).every(({ stateStr }) =>
      ['PRIMARY', 'SECONDARY', 'ARBITER'].includes(stateStr),
    );
  });

  return {
    url: urlOf(members),
    members,
    primary,
    writable: () =>
      until('a write that a majority has', async () => {
        const { writeConcernError } = await runOn(member(await primary()), {
          update: 'probe',
          updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } }, upsert: true }],
          writeConcern: { w: 'majority', wtimeout: 500 },
        });
        return writeConcernError === undefined;
      }),
    kill: async (place) => {
      away.add(place);
      await member(place).kill();
    },
    restart: async (place) => {
      const { port, dataFolder } = member(place);
      members[place] = await spawnMember({ port, dataFolder });
      away.delete(place);
    },
    hang: (place) => {
      away.add(place);
      member(place).signal('SIGSTOP');
    },
    resume: (place) => {
      away.delete(place);
      member(place).signal('SIGCONT');
    },
    stepDown: async () => {
      await runOn(member(await primary()), {
        replSetStepDown: 10,
        secondaryCatchUpPeriodSecs: 1,
        force: true,
      });
    },
    stall: async (place, isStalled) => {
      const mode = isStalled ? 'alwaysOn' : 'off';
      await runOn(member(place), { configureFailPoint: 'stopReplProducer', mode });
    },
    remove: async () => {
      for (const one of members) one.signal('SIGCONT');
      await Promise.all(members.map((one) => one.remove()));
    },
  };
};
