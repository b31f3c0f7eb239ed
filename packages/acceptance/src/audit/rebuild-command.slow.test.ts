/** The read model rebuilt while clients write and read, and taken over by a rolling restart, in whole processes. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { STREAM_PREFIXES } from '@pricebook/application';
import { embeddedReadModels } from '@pricebook/embedded';
import { readModelsIn as readModelsInFolder } from '@pricebook/embedded/testing';
import { openEventStoreDb } from '@pricebook/eventstoredb';
import { spawnStandIn } from '@pricebook/eventstoredb/testing';
import {
  changeCheckpoint,
  dumpReadModel,
  mongoDbName,
  type MongoDbUnderTest,
  newDatabase,
  readModelsIn,
  startMongoDb,
} from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { expectFolderLikeRebuilt, expectLikeRebuilt } from '../testing/audit';
import { type CheckedLoad, startCheckedLoad } from '../testing/checked-load';
import { endAll, type Running } from '../testing/end-all';
import { runCommand } from '@pricebook/service/testing';
import { runAsProcess, type RunningCommand, startCommand } from '../testing/command';
import { createBooks } from '../testing/load';
import { type ServiceProcess, startProcess } from '../testing/service-process';
import { newFolder, TEST_KEY } from '../testing/test-service';

const BOOKS = 3;
const CLIENTS = 4;
/** Enough to see whether they are answered as they should be. */
const WRITES = 100;
const DONE =
  /^The read model was rebuilt from [\d,]+ events? in [\d.]+ s, and is live for processes that start from now on\. /m;

type Environment = Readonly<Record<string, string>>;

const running: Running[] = [];

const serve = (environment: Environment, command = 'serve'): ServiceProcess => {
  const service = startProcess([command], {
    PORT: '0',
    PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
    LOG_LEVEL: 'fatal',
    ...environment,
  });
  running.push(service);
  return service;
};

const startRebuild = (environment: Environment): RunningCommand => {
  const command = startCommand(['rebuild'], { LOG_LEVEL: 'fatal', ...environment });
  running.push(command);
  return command;
};

/** The services are other processes. */
const rebuild = async (environment: Environment, run = runCommand): Promise<void> => {
  const { status, said } = await run(['rebuild'], { LOG_LEVEL: 'fatal', ...environment });
  expect(status, said).to.equal(0);
  expect(said).to.match(DONE);
};

/** Kills one after the other, each a little later than the one before. */
const killSome = async (environment: Environment): Promise<void> => {
  for (const ms of [400, 600, 800, 1_000]) {
    const { child, ended } = startRebuild(environment);
    await delay(ms);
    child.kill('SIGKILL');
    await ended;
  }
};

const stop = async ({ child, ended }: ServiceProcess): Promise<void> => {
  child.kill('SIGTERM');
  expect(await ended).to.deep.equal({ code: 0, signal: null });
};

/** Sees to it that nothing of another read model is in a folder. */
const expectOneReadModel = (folder: string): string => {
  const found = readModelsInFolder(folder);
  expect(found, fs.readdirSync(folder).join(' ')).to.have.length(1);
  return found[0] ?? '';
};

const expectNoFault = async (load: CheckedLoad): Promise<void> => {
  while (load.writes() < WRITES) await delay(10);
  await load.stop();
  expect(load.faults.slice(0, 5), `${String(load.faults.length)} faults`).to.deep.equal([]);
  expect(load.behind()).to.be.lessThan(load.writes() / 10);
};

describe('pricebook rebuild, on the embedded store', () => {
  let folder: string;
  let environment: Environment;
  beforeEach(() => {
    folder = newFolder();
    environment = { PRICEBOOK_DATA_DIR: folder };
  });
  afterEach(async () => {
    await endAll(running);
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A service, and something to rebuild. */
  const serveSome = async () => {
    const service = serve(environment);
    const url = await service.ready;
    const books = await createBooks(url, BOOKS);
    return { service, url, books };
  };

  it('runs beside a service that is written and read, also after it was killed, and is taken over at a restart', async () => {
    const { service, url, books } = await serveSome();
    const load = startCheckedLoad([url], books, CLIENTS);
    await killSome(environment);
    for (let time = 0; time < 2; time += 1) await rebuild(environment);
    await expectNoFault(load);
    await stop(service);
    const again = serve(environment);
    const restarted = await again.ready;
    await expectNoFault(startCheckedLoad([restarted], await createBooks(restarted, BOOKS), CLIENTS));
    await stop(again);
    expect(expectOneReadModel(folder)).not.to.equal('read-model.mdb');
    await expectFolderLikeRebuilt(folder);
  }).timeout(60_000);

  it('is interrupted, and leaves nothing', async () => {
    const { url, books } = await serveSome();
    const items = Array.from({ length: 5_000 }, (_, n) => ({
      productId: `product-${String(n)}`,
      adjustments: { USD: { type: 'override', amount: n } },
    }));
    for (let time = 0; time < 6; time += 1) {
      const answer = await fetch(`${url}/v1/pricebooks/${books[0] ?? ''}/prices`, {
        method: 'PUT',
        headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' },
        body: JSON.stringify(items),
      });
      expect(answer.status).to.equal(200);
    }
    const before = readModelsInFolder(folder);
    const command = startRebuild(environment);
    while (readModelsInFolder(folder).length === before.length) await delay(1);
    command.child.kill('SIGINT');
    expect(await command.ended, command.said()).to.equal(1);
    expect(command.said()).to.match(/^The rebuild was interrupted\. The old read model stays\.$/m);
    expect(readModelsInFolder(folder)).to.deep.equal(before);
  }).timeout(30_000);

  it('needs no service, and not the old read model', async () => {
    const { service } = await serveSome();
    await stop(service);
    fs.writeFileSync(path.join(folder, 'read-model.mdb'), 'not a read model');
    await rebuild(environment, runAsProcess);
    await expectFolderLikeRebuilt(folder);
    const again = serve({ ...environment, LOG_LEVEL: 'warn' });
    await again.ready;
    expect(again.output()).not.to.match(/rebuilt/);
    await stop(again);
    expect(expectOneReadModel(folder)).not.to.equal('read-model.mdb');
    await expectFolderLikeRebuilt(folder);
  }).timeout(30_000);

  it('is refused while another process rebuilds', async () => {
    const { service } = await serveSome();
    await stop(service);
    const source = { id: 'events', end: () => Promise.resolve(undefined) };
    const other = await embeddedReadModels(folder, source, () => undefined).begin();
    const refused = startRebuild(environment);
    expect(await refused.ended).to.equal(1);
    expect(refused.said()).to.match(/is being rebuilt by another process \(process \d+\)/);
    await other.abandon();
    await rebuild(environment);
  }).timeout(30_000);
});

interface ServerEnvironment extends Environment {
  readonly EVENTSTOREDB_URL: string;
  readonly MONGODB_URL: string;
}

const describeIfThere = mongoDbName === undefined ? describe.skip : describe;

describeIfThere(`pricebook rebuild, on servers (${mongoDbName ?? 'no MongoDB'})`, () => {
  let documents: MongoDbUnderTest;

  /** Runs something on event stores and a database of its own. */
  const withServers = async (act: (environment: ServerEnvironment) => Promise<void>): Promise<void> => {
    const events = await spawnStandIn();
    const database = newDatabase(documents);
    try {
      await act({ EVENTSTOREDB_URL: events.url, MONGODB_URL: database.url });
    } finally {
      await events.kill();
      await database.remove();
    }
  };

  /** Two services; a projector of their own, or one apart, of which the new one starts first and the old one ends last. */
  const rollOver = (isProjectedApart: boolean): Promise<void> =>
    withServers(async (environment) => {
      const { EVENTSTOREDB_URL, MONGODB_URL } = environment;
      const start = async (command: 'serve' | 'project') => {
        const projector = isProjectedApart ? 'off' : 'inline';
        const service = serve({ ...environment, PRICEBOOK_PROJECTOR: projector }, command);
        return { service, url: await service.ready };
      };
      /** Starts what projects, if that is a process apart. */
      const startProjector = async () => (isProjectedApart ? await start('project') : undefined);
      const endProjector = async (projector: Awaited<ReturnType<typeof startProjector>>) => {
        if (projector !== undefined) await stop(projector.service);
      };

      const projector = await startProjector();
      const [one, two] = [await start('serve'), await start('serve')];
      const load = startCheckedLoad([one.url, two.url], await createBooks(one.url, BOOKS), CLIENTS);
      await killSome(environment);
      await rebuild(environment);
      await expectNoFault(load);

      const newProjector = await startProjector();
      const newOne = await start('serve');
      const mixedBooks = await createBooks(newOne.url, BOOKS);
      const mixed = startCheckedLoad([newOne.url, two.url], mixedBooks, CLIENTS, { isReadEverywhere: false });
      await stop(one.service);
      await expectNoFault(mixed);
      const newTwo = await start('serve');
      await stop(two.service);
      await endProjector(projector);
      const newUrls = [newOne.url, newTwo.url];
      await expectNoFault(startCheckedLoad(newUrls, await createBooks(newOne.url, BOOKS), CLIENTS));

      await Promise.all([stop(newOne.service), stop(newTwo.service), endProjector(newProjector)]);
      expect(await readModelsIn(MONGODB_URL)).to.include('v5');
      const eventStore = openEventStoreDb(EVENTSTOREDB_URL, STREAM_PREFIXES);
      try {
        await expectLikeRebuilt(eventStore, MONGODB_URL, documents);
      } finally {
        await eventStore.close();
      }
    });

  it('is taken over by services that project, one after the other', () => rollOver(false)).timeout(120_000);
  it('is taken over by services and the projector beside them, one after the other', () =>
    rollOver(true)).timeout(120_000);

  it('repairs a read model that is ahead of the events, and leaves alone what is of other events', () =>
    withServers(async (environment) => {
      const url = environment.MONGODB_URL;
      const refusal = async (): Promise<string> => {
        const service = serve(environment);
        expect(await service.ended).to.have.property('code', 1);
        return service.output();
      };
      const service = serve(environment);
      await createBooks(await service.ready, BOOKS);
      await stop(service);
      // The first event says which events they are: the next start finds one.
      const second = serve(environment);
      await second.ready;
      await stop(second);
      const before = await dumpReadModel(url);

      const { source = '', position } = await changeCheckpoint(url, { source: 'other events' });
      expect(await refusal()).to.match(/was made of other events/);
      const refused = await runCommand(['rebuild'], environment);
      expect(refused.status).to.equal(1);
      expect(refused.said).to.match(/was made of other events/);
      expect(await dumpReadModel(url)).to.deep.equal(before);
      expect(await readModelsIn(url)).to.deep.equal(['v5']);

      await changeCheckpoint(url, { source, position: { ...position, high: 1 } });
      expect(await refusal()).to.match(/of more events than there are now\. Run pricebook rebuild/);
      await rebuild(environment);
      const again = serve(environment);
      await again.ready;
      await stop(again);
      expect(await dumpReadModel(url)).to.deep.equal(before);
    })).timeout(60_000);

  before(async () => {
    documents = await startMongoDb();
  });
  afterEach(() => endAll(running));
  after(() => documents.stop());
});
