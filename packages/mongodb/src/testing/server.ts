import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongodIsThere, spawnMongod } from './mongod';

/** A server for a suite. */
export interface MongoDbUnderTest {
  /** Without a database. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const givenUrl = process.env['MONGODB_URL'];

/** The title under which suites run; undefined where there is no server, and nothing to start one from. */
export const mongoDbName = givenUrl !== undefined || mongodIsThere() ? 'MongoDB' : undefined;

/** What a suite says that is skipped. */
export const NO_MONGODB = 'SKIPPED: MONGODB_URL names no server, and `npm run mongod` has not brought one';

export const startMongoDb = async (): Promise<MongoDbUnderTest> => {
  if (givenUrl !== undefined) return { url: givenUrl.replace(/\/*$/, ''), stop: () => Promise.resolve() };
  const { url, remove } = await spawnMongod();
  return { url, stop: remove };
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
