/** Services of a test, side by side or one after the other, and the servers below them. */
import fs from 'node:fs';
import { startEventStoreDb } from '@pricebook/eventstoredb/testing';
import { newDatabase, startMongoDb } from '@pricebook/mongodb/testing';
import { type ServiceProcess, startProcess } from './service-process';
import {
  newFolder,
  requestTo,
  startTestService,
  TEST_KEY,
  type TestService,
  type TestStores,
} from './test-service';

/** Whom requests are sent to. */
export type Asked = Pick<TestService, 'url' | 'request'>;

/** All of them are to be ended after the test. */
export const createStarted = () => {
  const services: TestService[] = [];
  const processes: ServiceProcess[] = [];
  const servers: (() => Promise<void>)[] = [];
  const folders: string[] = [];
  return {
    folder: (): string => {
      const folder = newFolder();
      folders.push(folder);
      return folder;
    },
    start: async (stores: TestStores = {}, folder?: string): Promise<TestService> => {
      const service = await startTestService(folder, stores);
      services.push(service);
      return service;
    },
    /** A process can have one connection to EventStoreDB. */
    startProcess: async (environment: Readonly<Record<string, string>>): Promise<Asked> => {
      const service = startProcess(['serve'], {
        PORT: '0',
        PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
        LOG_LEVEL: 'fatal',
        ...environment,
      });
      processes.push(service);
      const url = await service.ready;
      return { url, request: requestTo(url) };
    },
    startEvents: async (): Promise<string> => {
      const server = await startEventStoreDb();
      servers.push(server.stop);
      return server.url;
    },
    startDatabase: async (): Promise<string> => {
      const server = await startMongoDb();
      const database = newDatabase(server);
      servers.push(async () => {
        await database.remove();
        await server.stop();
      });
      return database.url;
    },
    end: async (): Promise<void> => {
      for (const { child, ended } of processes.splice(0)) {
        child.kill('SIGKILL');
        await ended;
      }
      const ended = services.splice(0);
      // Several may have used one folder.
      for (const service of ended) await service.stop();
      for (const service of ended) service.remove();
      for (const stop of servers.splice(0)) await stop();
      for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type Started = ReturnType<typeof createStarted>;
