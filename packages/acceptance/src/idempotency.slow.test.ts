/** Idempotency keys where more than one process is concerned: instances side by side, restarts, rebuilds, kills. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readModelsIn } from '@pricebook/embedded/testing';
import { eventStoreDbName } from '@pricebook/eventstoredb/testing';
import { mongoDbName } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { booksCalled, essenceOf, eventsOf, sendWrite, type Write, WRITES } from './api-suite/idempotency';
import {
  createBook,
  expectProblem,
  expectStatus,
  override,
  putPrices,
  setPrices,
  usd,
} from './api-suite/kit';
import { startCommand } from './testing/command';
import { type ServiceProcess, startProcess } from './testing/service-process';
import { type Asked, createStarted, type Started } from './testing/started';
import { type Answer, newFolder, TEST_KEY } from './testing/test-service';

type Two = readonly [Asked, Asked];

const uniqueWrite = (write: Write, name: string): Write =>
  write.method === 'POST' ? { ...write, json: { name } } : write;

/** @param startTwo two instances that share their events. */
const describeTwoInstances = (name: string, startTwo: (started: Started) => Promise<Two>): void => {
  describe(`two instances on ${name}`, () => {
    const started = createStarted();
    let two: Two;
    before(async () => {
      two = await startTwo(started);
    });
    after(started.end);

    for (const write of WRITES) {
      it(`${write.name}: six at once on both act once, and answer six times alike`, async () => {
        for (let time = 0; time < 5; time += 1) {
          const [book, key] = [await createBook(() => two[0]), randomUUID()];
          await setPrices(() => two[1], book, [usd('P', override(1))]);
          const unique = uniqueWrite(write, key);
          const answers = await Promise.all(
            [0, 1, 0, 1, 1, 0].map((n) => sendWrite(() => two[n as 0 | 1], unique, book, key)),
          );
          for (const answer of answers) {
            expectStatus(answer, write.status);
            expect(essenceOf(answer)).to.deep.equal(essenceOf(answers[0] ?? answer));
          }
          if (write.method === 'POST') expect(await booksCalled(() => two[1], key)).to.equal(1);
          else expect(await eventsOf(() => two[1], book)).to.equal(3);
        }
      }).timeout(30_000);
    }

    it('know of each other’s keys at once, also while others write to the book', async () => {
      const [put] = WRITES.filter(({ method }) => method === 'PUT');
      if (put === undefined) throw new Error('there is no PUT');
      const book = await createBook(() => two[0]);
      let isOver = false;
      // A store that is slow on a busy machine, or too many conflicts, are no matter of keys: they are asked again.
      const patiently = async (send: () => Promise<Answer>): Promise<Answer> => {
        for (;;) {
          const answer = await send();
          if (answer.status !== 503) return answer;
        }
      };
      const others = two.map(async (one, n) => {
        while (!isOver) {
          await patiently(() => putPrices(() => one, book, [usd(`Q${String(n)}`, override(1))]));
        }
      });
      try {
        for (let time = 0; time < 10; time += 1) {
          const key = randomUUID();
          const send = (n: 0 | 1, write: Write) => patiently(() => sendWrite(() => two[n], write, book, key));
          const first = expectStatus(await send(0, put), 200);
          expect(essenceOf(await send(1, put))).to.deep.equal(essenceOf(first));
          const other = await send(1, { ...put, json: [usd('P', override(8))] });
          expectProblem(other, { status: 422, type: 'idempotency-key-reused' });
        }
      } finally {
        isOver = true;
        await Promise.all(others);
      }
    }).timeout(30_000);
  });
};

describeTwoInstances(`${eventStoreDbName}, with a read model each`, async ({ startEvents, ...started }) => {
  const url = await startEvents();
  const start = () => started.startProcess({ EVENTSTOREDB_URL: url, PRICEBOOK_DATA_DIR: started.folder() });
  return [await start(), await start()];
});
if (mongoDbName !== undefined) {
  describeTwoInstances(
    `${eventStoreDbName}, ${mongoDbName}`,
    async ({ startEvents, startDatabase, ...started }) => {
      const stores = { EVENTSTOREDB_URL: await startEvents(), MONGODB_URL: await startDatabase() };
      return [await started.startProcess(stores), await started.startProcess(stores)];
    },
  );
}

/** Sends every write once; gives back how to send them all again, and expect the same answers. */
const sendAll = async (service: Asked): Promise<(other: Asked) => Promise<void>> => {
  const sent: (readonly [Write, book: string, key: string, Answer])[] = [];
  for (const write of WRITES) {
    const [book, key] = [await createBook(() => service), randomUUID()];
    await setPrices(() => service, book, [usd('P', override(1))]);
    const answer = expectStatus(await sendWrite(() => service, write, book, key), write.status);
    sent.push([write, book, key, answer]);
  }
  return async (other) => {
    for (const [write, book, key, answer] of sent) {
      const again = await sendWrite(() => other, write, book, key);
      expect(essenceOf(again), write.name).to.deep.equal(essenceOf(answer));
      const reused = {
        ...write,
        method: 'PUT',
        path: () => `/v1/pricebooks/${book}/prices`,
        json: [usd('R', 1)],
      };
      expectProblem(await sendWrite(() => other, reused, book, key), { status: 422 });
    }
  };
};

const rebuild = async (environment: Readonly<Record<string, string>>): Promise<void> => {
  const { ended, said } = startCommand(['rebuild'], { LOG_LEVEL: 'fatal', ...environment });
  expect(await ended, said()).to.equal(0);
};

describe('what idempotency keys stand for', () => {
  const started = createStarted();
  afterEach(started.end);

  it('outlives a restart, a rebuild, and the loss of the read model', async () => {
    const first = await started.start();
    const expectAlike = await sendAll(first);
    await first.stop();
    const second = await started.start({}, first.folder);
    await expectAlike(second);
    await rebuild({ PRICEBOOK_DATA_DIR: first.folder });
    await expectAlike(second);
    await second.stop();
    const third = await started.start({}, first.folder);
    await expectAlike(third);
    await third.stop();
    for (const name of readModelsIn(first.folder)) fs.rmSync(path.join(first.folder, name));
    await expectAlike(await started.start({}, first.folder));
  }).timeout(30_000);

  (mongoDbName === undefined ? it.skip : it)(
    `outlives a restart on ${eventStoreDbName} and ${mongoDbName ?? 'MongoDB'}`,
    async () => {
      const [eventStoreDbUrl, mongoDbUrl] = [await started.startEvents(), await started.startDatabase()];
      const first = await started.start({ eventStoreDbUrl, mongoDbUrl });
      const expectAlike = await sendAll(first);
      await first.stop();
      const second = await started.start({ eventStoreDbUrl, mongoDbUrl });
      await expectAlike(second);
    },
  ).timeout(60_000);

  it('is carried over with the history to another store', async () => {
    const first = await started.start();
    const expectAlike = await sendAll(first);
    await first.stop();
    const file = path.join(first.folder, 'history.jsonl');
    const eventStoreDbUrl = await started.startEvents();
    for (const [args, environment] of [
      [['export', '--file', file], { PRICEBOOK_DATA_DIR: first.folder }],
      [['import', file], { EVENTSTOREDB_URL: eventStoreDbUrl }],
    ] as const) {
      const { ended, said } = startCommand(args, environment);
      expect(await ended, said()).to.equal(0);
    }
    await expectAlike(await started.start({ eventStoreDbUrl }));
  }).timeout(30_000);
});

describe('a process that is killed while it carries out a write with a key', () => {
  let folder: string;
  let running: ServiceProcess | undefined;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    running?.child.kill('SIGKILL');
    await running?.ended;
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const serve = async () => {
    running = startProcess(['serve'], {
      PORT: '0',
      PRICEBOOK_DATA_DIR: folder,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      LOG_LEVEL: 'fatal',
    });
    return { ...running, url: await running.ready };
  };

  it('has done it once when the write is sent again', async () => {
    let service = await serve();
    const ask = async (method: string, target: string, key: string, json?: unknown) => {
      const answer = await fetch(`${service.url}/v1${target}`, {
        method,
        headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json', 'idempotency-key': key },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    const created = await ask('POST', '/pricebooks', 'the book', { name: 'A' });
    const book = String((created.body as { id: unknown }).id);
    const cut: boolean[] = [];
    for (let time = 1; time <= 6; time += 1) {
      const requests = [
        ['PUT', `/pricebooks/${book}/prices`, [usd('P', override(time))]],
        ['POST', '/pricebooks', { name: `book ${String(time)}` }],
      ] as const;
      const send = () =>
        Promise.all(
          requests.map(([method, target, json]) => ask(method, target, `${method} ${String(time)}`, json)),
        );
      const sending = send().then(
        () => false,
        () => true,
      );
      await delay(time);
      service.child.kill('SIGKILL');
      cut.push(await sending);
      await service.ended;
      service = await serve();
      const [put, post] = await send();
      expect([put?.status, post?.status]).to.deep.equal([200, 201]);
      expect(put?.body).to.include({ revision: time });
    }
    const { body } = await ask('GET', '/pricebooks', 'none');
    expect((body as readonly { name: string }[]).map(({ name }) => name)).to.have.members([
      'A',
      ...cut.map((_, n) => `book ${String(n + 1)}`),
    ]);
    expect(cut).to.include(true);
  }).timeout(60_000);
});
