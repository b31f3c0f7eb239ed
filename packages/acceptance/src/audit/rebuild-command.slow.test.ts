/** The read model made anew while clients write and read, in whole processes. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { STREAM_PREFIXES } from '@pricebook/application';
import { lockFolder } from '@pricebook/embedded';
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
import { type RunningCommand, startCommand } from '../testing/command';
import { createBooks } from '../testing/load';
import { type ServiceProcess, startProcess } from '../testing/service-process';
import { newFolder, TEST_KEY } from '../testing/test-service';

const BOOKS = 3;
const CLIENTS = 4;
const DONE =
  /^The read model was rebuilt from [\d,]+ events? in [\d.]+ s, and has taken the place of the old one\.$/m;
const GOING_LIVE = 'All events are applied.';

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

const rebuild = async (environment: Environment): Promise<void> => {
  const command = startRebuild(environment);
  expect({ status: await command.ended, said: command.said() }).to.have.property('status', 0, command.said());
  expect(command.said()).to.match(DONE);
};

const saying = async ({ said }: RunningCommand, text: string): Promise<void> => {
  for (let waited = 0; !said().includes(text); waited += 5) {
    if (waited > 30_000) throw new Error(`it does not say ${text}, but ${said()}`);
    await delay(5);
  }
};

const interrupt = async (environment: Environment): Promise<void> => {
  const command = startRebuild(environment);
  await saying(command, GOING_LIVE);
  command.child.kill('SIGINT');
  expect(await command.ended).to.equal(1);
  expect(command.said()).to.match(/^The rebuild was interrupted\. The old read model stays\.$/m);
};

const stop = async ({ child, ended }: ServiceProcess): Promise<void> => {
  child.kill('SIGTERM');
  expect(await ended).to.deep.equal({ code: 0, signal: null });
};

/** Sees to it that nothing of another read model is in a folder; a failure tells all that is there. */
const expectOneReadModel = (folder: string): string => {
  const files = fs.readdirSync(folder).map((file) => {
    const whole = path.join(folder, file);
    const isNote = /\.(live|next|state|new|lock)$/.test(file);
    return isNote
      ? `${file}: ${fs.readFileSync(whole, 'utf8').trim()}`
      : `${file}: ${String(fs.statSync(whole).size)} bytes`;
  });
  const found = readModelsInFolder(folder);
  expect(found, files.join('\n')).to.have.length(1);
  return found[0] ?? '';
};

const expectNoFault = async (load: CheckedLoad): Promise<void> => {
  await load.stop();
  expect(load.faults.slice(0, 5), `${String(load.faults.length)} faults`).to.deep.equal([]);
  expect(load.writes()).to.be.greaterThan(100);
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

  it('makes it anew beside a service that is written and read, also after it was killed or interrupted', async () => {
    const { service, url, books } = await serveSome();
    const load = startCheckedLoad([url], books, CLIENTS);
    for (const ms of [150, 300, 450, 600]) {
      const killed = startRebuild(environment);
      await delay(ms);
      killed.child.kill('SIGKILL');
      await killed.ended;
    }
    const killed = startRebuild(environment);
    await saying(killed, GOING_LIVE);
    killed.child.kill('SIGKILL');
    await killed.ended;
    for (let time = 0; time < 3; time += 1) await rebuild(environment);
    expectOneReadModel(folder);
    await expectNoFault(load);
    await stop(service);
    expectOneReadModel(folder);
    await expectFolderLikeRebuilt(folder);
  }).timeout(60_000);

  it('is interrupted while the service does not answer, and leaves nothing', async () => {
    const { service } = await serveSome();
    const before = readModelsInFolder(folder);
    service.child.kill('SIGSTOP');
    await interrupt(environment);
    expect(readModelsInFolder(folder)).to.deep.equal(before);
    service.child.kill('SIGCONT');
    await rebuild(environment);
    await stop(service);
    await expectFolderLikeRebuilt(folder);
  }).timeout(30_000);

  it('needs no service, and not the old read model', async () => {
    const { service } = await serveSome();
    await stop(service);
    fs.writeFileSync(path.join(folder, 'read-model.mdb'), 'not a read model');
    await rebuild(environment);
    expect(expectOneReadModel(folder)).not.to.equal('read-model.mdb');
    await expectFolderLikeRebuilt(folder);
    const again = serve({ ...environment, LOG_LEVEL: 'warn' });
    await again.ready;
    expect(again.output()).not.to.match(/made anew/);
    await stop(again);
  }).timeout(30_000);

  const expectLikeRebuiltAtNextStart = async (): Promise<void> => {
    const again = serve(environment);
    await again.ready;
    await stop(again);
    await expectFolderLikeRebuilt(folder);
  };

  it('takes the place by itself where the service ends before it goes over', async () => {
    const { service } = await serveSome();
    service.child.kill('SIGSTOP');
    const command = startRebuild(environment);
    await saying(command, GOING_LIVE);
    await delay(200);
    service.child.kill('SIGKILL');
    expect(await command.ended).to.equal(0);
    expect(expectOneReadModel(folder)).not.to.equal('read-model.mdb');
    await expectFolderLikeRebuilt(folder);
  }).timeout(30_000);

  it('takes the place by itself where the service is stopped in order before it has gone over', async () => {
    const { service, url, books } = await serveSome();
    const load = startCheckedLoad([url], books, CLIENTS);
    const command = startRebuild(environment);
    await saying(command, GOING_LIVE);
    await load.stop();
    await stop(service);
    expect(await command.ended).to.equal(0);
    expectOneReadModel(folder);
    // What was written since the events were replayed comes to it at the next start.
    await expectLikeRebuiltAtNextStart();
  }).timeout(30_000);

  it('ends well where the service is killed when it has just gone over', async () => {
    const { service } = await serveSome();
    const command = startRebuild(environment);
    while (!fs.existsSync(path.join(folder, 'read-model.live'))) await delay(1);
    service.child.kill('SIGKILL');
    expect(await command.ended).to.equal(0);
    expectOneReadModel(folder);
    await expectLikeRebuiltAtNextStart();
  }).timeout(30_000);

  it('is refused while another process is at it', async () => {
    const { service } = await serveSome();
    await stop(service);
    const lock = lockFolder(folder);
    const command = startRebuild(environment);
    await saying(command, GOING_LIVE);
    const refused = startRebuild(environment);
    expect(await refused.ended).to.equal(1);
    expect(refused.said()).to.match(/is being rebuilt by another process \(process \d+\)/);
    lock.release();
    expect(await command.ended).to.equal(0);
  }).timeout(30_000);
});

interface ServerEnvironment extends Environment {
  readonly EVENTSTOREDB_URL: string;
  readonly MONGODB_URL: string;
}

const describeIfThere = mongoDbName === undefined ? describe.skip : describe;

describeIfThere(`pricebook rebuild, on servers (${mongoDbName ?? 'no MongoDB'})`, () => {
  let documents: MongoDbUnderTest;
  /** They take turns at it: a process has one connection to EventStoreDB. */
  let comparing: Promise<unknown> = Promise.resolve();

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

  const besideServices = (
    projectors: readonly ('inline' | 'off')[],
    { isProjectedApart = false, isKilledFirst = false } = {},
  ): Promise<void> =>
    withServers(async (environment) => {
      const { EVENTSTOREDB_URL, MONGODB_URL } = environment;
      const services = projectors.map((projector) =>
        serve({ ...environment, PRICEBOOK_PROJECTOR: projector }),
      );
      if (isProjectedApart) services.push(serve(environment, 'project'));
      const ready = await Promise.all(services.map((service) => service.ready));
      const urls = ready.slice(0, projectors.length);
      const load = startCheckedLoad(urls, await createBooks(urls[0] ?? '', BOOKS), CLIENTS);
      if (isKilledFirst) {
        const killed = startRebuild(environment);
        await saying(killed, GOING_LIVE);
        await delay(1_000);
        killed.child.kill('SIGKILL');
        await killed.ended;
      }
      await interrupt(environment);
      expect(await readModelsIn(MONGODB_URL)).to.deep.equal(['1']);
      await rebuild(environment);
      expect(await readModelsIn(MONGODB_URL))
        .to.have.length(1)
        .and.not.include('1');
      await expectNoFault(load);
      await Promise.all(services.map(stop));
      const compared = comparing.then(async () => {
        const eventStore = openEventStoreDb(EVENTSTOREDB_URL, STREAM_PREFIXES);
        await expectLikeRebuilt(eventStore, MONGODB_URL, documents).finally(() => eventStore.close());
      });
      comparing = compared.catch(() => undefined);
      await compared;
    });

  const repair = (): Promise<void> =>
    withServers(async (environment) => {
      const url = environment.MONGODB_URL;
      const refusal = async (): Promise<string> => {
        const service = serve(environment);
        expect(await service.ended).to.have.property('code', 1);
        return service.output();
      };
      const change = (made: Readonly<Record<string, unknown>>) => changeCheckpoint(url, made);

      const service = serve(environment);
      await createBooks(await service.ready, BOOKS);
      await stop(service);
      // Whose it is is told by the first event: the next start finds one.
      const second = serve(environment);
      await second.ready;
      await stop(second);
      const before = await dumpReadModel(url);

      const { source = '', position } = await change({ source: '1:other events' });
      expect(await refusal()).to.match(/was made of other events/);
      const refused = startRebuild(environment);
      expect(await refused.ended).to.equal(1);
      expect(refused.said()).to.match(/was made of other events/);
      expect(await dumpReadModel(url)).to.deep.equal(before);
      expect(await readModelsIn(url)).to.deep.equal(['1']);

      await change({ source, position: { ...position, high: 1 } });
      expect(await refusal()).to.match(/of more events than there are now\. Run pricebook rebuild/);
      await change({ source: source.replace(/^\d+:/, '0:'), position });
      expect(await refusal()).to.match(/by another version of the service\. Run pricebook rebuild/);
      await rebuild(environment);
      const again = serve(environment);
      await again.ready;
      await stop(again);
      expect(await dumpReadModel(url)).to.deep.equal(before);
    });

  // They wait for most of their time, so they run beside each other.
  const runs = new Map<string, () => Promise<void>>([
    [
      'makes it anew beside a service that projects and one that does not, which are written and read, also after it was killed',
      () => besideServices(['inline', 'off'], { isKilledFirst: true }),
    ],
    ['makes it anew beside two services that project', () => besideServices(['inline', 'inline'])],
    [
      'makes it anew beside two services and a projector',
      () => besideServices(['off', 'off'], { isProjectedApart: true }),
    ],
    ['repairs what the service refuses with its name, and leaves alone what is of other events', repair],
  ]);
  const started = new Map<string, Promise<void>>();

  before(async () => {
    documents = await startMongoDb();
    for (const [name, run] of runs) {
      const running = run();
      running.catch(() => undefined);
      started.set(name, running);
    }
  });
  after(async () => {
    await endAll(running);
    await documents.stop();
  });

  for (const name of runs.keys()) {
    it(name, () => started.get(name)).timeout(120_000);
  }
});
