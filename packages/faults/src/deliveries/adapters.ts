/** The read models that deliveries go to: each is given out empty. */
import fs from 'node:fs';
import path from 'node:path';
import type { LiveReadModel, ReadModel } from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import { openEmbeddedReadModel, openEmbeddedReadModelToRead } from '@pricebook/embedded';
import { openMongoReadModel, openMongoReadModelToRead } from '@pricebook/mongodb';
import {
  cutWritesAfter,
  mongoDbName,
  type MongoDbUnderTest,
  newDatabase,
  startMongoDb,
} from '@pricebook/mongodb/testing';
import * as TE from 'fp-ts/TaskEither';

export interface UnderTest {
  readonly readModel: () => ReadModel;
  /** Closes it and opens it again, as a new process does. */
  readonly restart: () => Promise<void>;
  /**
   * Where what is applied is not one step: lets so many of its writes succeed and none after them, until the function
   * that comes back is called.
   */
  readonly cutAfter?: (writes: number) => () => void;
  /** To look at what it holds. */
  readonly live: () => Promise<LiveReadModel>;
  readonly dispose: () => Promise<void>;
}

export interface Adapter {
  readonly name: string;
  readonly create: () => Promise<UnderTest>;
  readonly stop: () => Promise<void>;
}

/** Whose events they are, and that there are more of them than any read model has. */
const EVENTS = { id: 'events', head: 1n << 180n, end: () => Promise.resolve(1n << 180n) };

const nothing = (): Promise<void> => Promise.resolve();

export const inMemory: Adapter = {
  name: 'in memory',
  create: () => {
    const readModel = createInMemoryReadModel();
    return Promise.resolve({
      readModel: () => readModel,
      restart: nothing,
      live: () => Promise.resolve({ ...readModel, isLive: () => TE.right(true) }),
      dispose: nothing,
    });
  },
  stop: nothing,
};

/** @param folder each read model has a folder of its own in it. */
export const embedded = (folder: string): Adapter => {
  let count = 0;
  return {
    name: 'embedded',
    create: async () => {
      count += 1;
      const own = path.join(folder, String(count));
      fs.mkdirSync(own);
      const open = () => openEmbeddedReadModel(own, EVENTS, () => undefined);
      let readModel = await open();
      let live: ReturnType<typeof openEmbeddedReadModelToRead> | undefined;
      return {
        readModel: () => readModel,
        restart: async () => {
          await readModel.close();
          readModel = await open();
        },
        live: () => Promise.resolve((live = openEmbeddedReadModelToRead(own, EVENTS.id))),
        dispose: async () => {
          await live?.close();
          await readModel.close();
          fs.rmSync(own, { recursive: true, force: true });
        },
      };
    },
    stop: nothing,
  };
};

const onServer = (server: MongoDbUnderTest, name: string): Adapter => ({
  name,
  create: async () => {
    const database = newDatabase(server);
    let readModel = await openMongoReadModel(database.url, EVENTS);
    let live: Awaited<ReturnType<typeof openMongoReadModelToRead>> | undefined;
    return {
      readModel: () => readModel,
      restart: async () => {
        await readModel.close();
        readModel = await openMongoReadModel(database.url, EVENTS);
      },
      cutAfter: cutWritesAfter,
      live: async () => (live = await openMongoReadModelToRead(database.url, EVENTS)),
      dispose: async () => {
        await live?.close();
        await readModel.close();
        await database.remove();
      },
    };
  },
  stop: server.stop,
});

/** Undefined where there is no such server here. */
export const onMongoDb = async (): Promise<Adapter | undefined> =>
  mongoDbName === undefined ? undefined : onServer(await startMongoDb(), mongoDbName);
