import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { ferretDbIsBuilt, spawnFerretDb } from './ferretdb';

/** A server for a suite that runs on MongoDB and on FerretDB alike. */
export interface MongoDbUnderTest {
  /** Without a database. */
  readonly url: string;
  /** FerretDB reads, changes and writes a document in three steps: two writers at once can lose an update. */
  readonly updatesAtOnce: boolean;
  readonly stop: () => Promise<void>;
}

const givenUrl = process.env['MONGODB_URL'];

/** The title under which suites run; undefined where there is no server, and nothing to start one from. */
export const mongoDbName =
  givenUrl !== undefined ? 'MongoDB (MONGODB_URL)' : ferretDbIsBuilt() ? 'MongoDB (FerretDB)' : undefined;

export const startMongoDb = async (): Promise<MongoDbUnderTest> => {
  if (givenUrl === undefined) {
    const { url, remove } = await spawnFerretDb();
    return { url, updatesAtOnce: false, stop: remove };
  }
  const url = givenUrl.replace(/\/*$/, '');
  const client = await MongoClient.connect(url);
  const { ferretdbVersion } = await client.db().admin().command({ buildInfo: 1 });
  await client.close();
  return { url, updatesAtOnce: ferretdbVersion === undefined, stop: () => Promise.resolve() };
};

/** A database of its own for a test, and how to remove it. */
export const newDatabase = (server: Pick<MongoDbUnderTest, 'url'>) => {
  const [address = '', options] = server.url.split('?');
  const name = `pricebook-test-${randomUUID()}`;
  const url = `${address.replace(/\/*$/, '')}/${name}${options === undefined ? '' : `?${options}`}`;
  return {
    url,
    remove: async (): Promise<void> => {
      const client = await MongoClient.connect(server.url);
      await client.db(name).dropDatabase();
      await client.close();
    },
  };
};
