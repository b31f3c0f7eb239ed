/** Starts real MongoDB servers as processes: to be killed, stopped and started again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';

const CACHE = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');

/** Where `npm run mongod` puts the server, unless the environment names another. */
export const MONGOD = process.env['MONGOD_BINARY'] ?? path.join(CACHE, 'pricebook', 'mongod-6.0.5');

export const mongodIsThere = (): boolean => fs.existsSync(MONGOD);

/** Kills leave what is in memory; a test has no power cut to survive, and memory syncs at once. */
const DATA = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

const REPLICA_SET = 'pricebook';
const START_MS = 60_000;

export interface MongodProcess {
  readonly port: number;
  readonly dataFolder: string;
  /** SIGSTOP makes it hang, SIGCONT go on; its connections stay open meanwhile. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** SIGKILL; comes back when the process is gone. Its data stays. */
  readonly kill: () => Promise<void>;
  /** Ends it and removes its data. */
  readonly remove: () => Promise<void>;
}

export interface MongodOptions {
  readonly port?: number;
  readonly dataFolder?: string;
}

const freePort = async (): Promise<number> => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Runs a command on one server, whatever its part in a replica set is. */
export const runOn = async ({ port }: Pick<MongodProcess, 'port'>, command: Document): Promise<Document> => {
  const client = new MongoClient(`mongodb://127.0.0.1:${String(port)}/?directConnection=true`, {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 10_000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
};

/** Waits for a condition that may fail while servers are away. */
export const until = async (what: string, isMet: () => Promise<boolean>): Promise<void> => {
  const since = performance.now();
  let last: unknown;
  while (performance.now() - since < START_MS) {
    try {
      if (await isMet()) return;
    } catch (failure) {
      last = failure;
    }
    await delay(20);
  }
  throw new Error(`${what}: not within ${String(START_MS)} ms`, { cause: last });
};

/** The election that made a server primary, in their order; undefined where it is none. */
export const electionOf = async (member: Pick<MongodProcess, 'port'>): Promise<string | undefined> => {
  const { isWritablePrimary, electionId } = await runOn(member, { hello: 1 });
  return isWritablePrimary === true ? String(electionId) : undefined;
};

/** Starts a member of a replica set, which has to be initiated where it has no data. */
export const spawnMember = async ({
  port: given,
  dataFolder: kept,
}: MongodOptions = {}): Promise<MongodProcess> => {
  const port = given ?? (await freePort());
  const dataFolder = kept ?? fs.mkdtempSync(path.join(DATA, 'pricebook-mongod-'));
  const child = spawn(
    MONGOD,
    [
      ...['--dbpath', dataFolder, '--bind_ip', '127.0.0.1', '--port', String(port), '--replSet', REPLICA_SET],
      ...['--logpath', path.join(dataFolder, 'mongod.log'), '--logappend', '--nounixsocket'],
      ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64'],
      // Failpoints of the server, such as replication that stalls.
      ...[
        '--setParameter',
        'enableTestCommands=1',
        '--setParameter',
        'diagnosticDataCollectionEnabled=false',
      ],
    ],
    { stdio: 'ignore' },
  );
  const killNow = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', killNow);
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    killNow();
    await exited;
    process.off('exit', killNow);
  };
  const answers = until('the start of mongod', async () => {
    await runOn({ port }, { hello: 1 });
    return true;
  });
  const ends = exited.then(([code]) => {
    throw new Error(`mongod ended with ${String(code)} at its start`);
  });
  await Promise.race([answers, ends]);
  return {
    port,
    dataFolder,
    signal: (signal) => {
      child.kill(signal);
    },
    kill,
    remove: async () => {
      await kill();
      fs.rmSync(dataFolder, { recursive: true, force: true });
    },
  };
};

/** The URL of servers that are one replica set, without a database. */
export const urlOf = (members: readonly Pick<MongodProcess, 'port'>[]): string =>
  `mongodb://${members.map(({ port }) => `127.0.0.1:${String(port)}`).join(',')}/?replicaSet=${REPLICA_SET}`;

/** @param others what is said of members beside their addresses, by their places. */
export const initiate = async (
  members: readonly MongodProcess[],
  others: readonly Document[] = [],
  settings: Document = {},
): Promise<void> => {
  const [first] = members;
  if (first === undefined) throw new Error('a replica set has members');
  await runOn(first, {
    replSetInitiate: {
      _id: REPLICA_SET,
      settings,
      members: members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${String(port)}`, ...others[_id] })),
    },
  });
};

/** A server alone, as a replica set of one. */
export interface MongodAlone extends MongodProcess {
  /** Without a database. */
  readonly url: string;
}

export const spawnMongod = async (options: MongodOptions = {}): Promise<MongodAlone> => {
  const member = await spawnMember(options);
  if (options.dataFolder === undefined) await initiate([member]);
  await until('a primary', async () => (await electionOf(member)) !== undefined);
  return { ...member, url: urlOf([member]) };
};
