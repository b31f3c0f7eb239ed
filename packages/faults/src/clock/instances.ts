/** Services whose clocks are set again and again, each on its own. */
import path from 'node:path';
import { startStandIn } from '@pricebook/eventstoredb/testing';
import { mongoDbName, newDatabase, startMongoDb } from '@pricebook/mongodb/testing';
import { type ServiceProcess, startProcess, TEST_KEY } from '@pricebook/acceptance';
import type { Random } from '../random';

export interface Outage {
  readonly name: string;
  readonly begin: () => Promise<() => Promise<void>>;
}

export interface Instances {
  readonly name: string;
  readonly urls: readonly [string, ...string[]];
  /** What can be done to the event store, where that is a server; what comes back puts it right again. */
  readonly outages: readonly Outage[];
  /** Stops them in order; says what went wrong. */
  readonly stop: () => Promise<readonly string[]>;
}

/** For how long a clock stands still, so to speak, before it is set again. */
export const SET_EVERY_MS = 100;
const STOPPED_WITHIN_MS = 10_000;

const PRELOAD = path.join(__dirname, 'shifted-clock.js');

const start = (random: Random, environment: Readonly<Record<string, string>>): ServiceProcess =>
  startProcess(['serve'], {
    PORT: '0',
    LOG_LEVEL: 'fatal',
    PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
    NODE_OPTIONS: `--require ${JSON.stringify(PRELOAD)}`,
    FAULTS_CLOCK_SEED: String(random.below(2 ** 31)),
    FAULTS_CLOCK_EVERY_MS: String(SET_EVERY_MS),
    ...environment,
  });

const stop = async ({ child, ended, output }: ServiceProcess): Promise<readonly string[]> => {
  const began = performance.now();
  child.kill('SIGTERM');
  const { code } = await ended;
  const isInTime = performance.now() - began < STOPPED_WITHIN_MS;
  return code === 0 && isInTime ? [] : [`the service did not stop in order: ${String(code)} ${output()}`];
};

export const startEmbedded = async (folder: string, random: Random): Promise<Instances> => {
  const service = start(random, { PRICEBOOK_DATA_DIR: folder });
  return { name: 'embedded', urls: [await service.ready], outages: [], stop: () => stop(service) };
};

/** Two instances on servers whose own clocks are right; undefined where there are no such servers. */
export const startTwoOnServers = async (folder: string, random: Random): Promise<Instances | undefined> => {
  if (mongoDbName === undefined) return undefined;
  const dataFile = path.join(folder, 'events');
  let events = await startStandIn({ dataFile });
  const documents = await startMongoDb();
  const database = newDatabase(documents);
  const environment = { EVENTSTOREDB_URL: events.url, MONGODB_URL: database.url };
  const first = start(random, environment);
  const url = await first.ready;
  const second = start(random, environment);
  return {
    name: `two instances on EventStoreDB (stand-in) and ${mongoDbName}`,
    urls: [url, await second.ready],
    outages: [
      {
        name: 'silent',
        begin: () => {
          const answer = events.faults.hang('append', 'features');
          return Promise.resolve(() => {
            answer();
            return Promise.resolve();
          });
        },
      },
      {
        name: 'away',
        begin: async () => {
          await events.stop();
          return async () => {
            events = await startStandIn({ port: events.port, dataFile });
          };
        },
      },
    ],
    stop: async () => {
      const faults = [...(await stop(second)), ...(await stop(first))];
      await database.remove();
      await Promise.all([events.stop(), documents.stop()]);
      return faults;
    },
  };
};
