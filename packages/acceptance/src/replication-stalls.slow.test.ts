/** Replication that stalls, and a primary that is lost with what only it had. Needs `npm run mongod`. */
import { setTimeout as delay } from 'node:timers/promises';
import { STREAM_PREFIXES } from '@pricebook/application';
import { openEventStoreDb } from '@pricebook/eventstoredb';
import { spawnStandIn, type StandInProcess } from '@pricebook/eventstoredb/testing';
import { mongodIsThere, newDatabase, type ReplicaSet, startReplicaSet } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { expectLikeRebuilt } from './testing/audit';
import { endAll } from './testing/end-all';
import { type ServiceProcess, startProcess } from './testing/service-process';
import { TEST_KEY } from './testing/test-service';
import { runVerify } from './testing/verify';

/** So long after there is a primary with a majority, everything is as it was. */
const RECOVERY_MS = 5_000;
/** Longer than a command of the projection may take, and than it takes to be called not ready. */
const STALLED_MS = 20_000;

const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };

interface Health {
  readonly projection: { readonly position: string | null; readonly head: string | null };
}

const describeIfThere = mongodIsThere() ? describe : describe.skip;

describeIfThere('a primary that is lost with what no majority had', () => {
  let set: ReplicaSet;
  let events: StandInProcess;
  const running: ServiceProcess[] = [];

  afterEach(async () => {
    await endAll(running.splice(0));
    await events.kill();
    await set.remove();
  });

  const createBook = async (url: string) => {
    const body = JSON.stringify({ name: 'A' });
    const answer = await fetch(`${url}/v1/pricebooks`, { method: 'POST', headers, body });
    const { id } = (await answer.json()) as { readonly id: string };
    return { status: answer.status, isBehind: answer.headers.get('projection') === 'behind', id };
  };
  const read = async (url: string, book: string): Promise<number> =>
    (await fetch(`${url}/v1/pricebooks/${book}`, { headers })).status;

  /** Looks at a service until a condition is met, and says what is never to be seen. */
  const watch = async (
    url: string,
    what: string,
    milliseconds: number,
    isEnough: () => Promise<boolean>,
  ): Promise<void> => {
    const since = performance.now();
    for (;;) {
      const answer = await fetch(`${url}/health/ready`);
      const { position, head } = ((await answer.json()) as Health).projection;
      last = { status: answer.status, position, head, at: Math.round(performance.now() - since) };
      if (await isEnough()) return;
      expect(performance.now() - since, `${what}: ${JSON.stringify(last)}`).to.be.lessThan(milliseconds);
      await delay(50);
    }
  };
  let last: { status: number; position: string | null; head: string | null; at: number };

  const lose = async (
    begin: () => Promise<void>,
    failOver: () => Promise<void>,
    heal: () => Promise<void>,
  ) => {
    events = await spawnStandIn();
    const database = newDatabase(set);
    const environment = {
      PORT: '0',
      EVENTSTOREDB_URL: events.url,
      MONGODB_URL: database.url,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      LOG_LEVEL: 'info',
    };
    const service = startProcess(['serve'], environment);
    running.push(service);
    const url = await service.ready;
    expect(await createBook(url)).to.include({ status: 201, isBehind: false });

    await begin();
    const { id, ...answer } = await createBook(url);
    expect(answer).to.deep.equal({ status: 201, isBehind: true });
    // However long it lasts, the event counts as waiting.
    let notReadySince: number | undefined;
    await watch(url, 'not ready while replication stalls', STALLED_MS + 10_000, () => {
      if (last.head !== null) {
        expect(last.position, `applied by no majority, at ${String(last.at)} ms`).not.to.equal(last.head);
      }
      if (last.status === 200) notReadySince = undefined;
      else notReadySince ??= last.at;
      return Promise.resolve(last.at > STALLED_MS && notReadySince !== undefined);
    });

    await failOver();
    await watch(url, 'looks', STALLED_MS, async () => {
      if (last.status === 200) expect(await read(url, id), 'ready, without the book').to.equal(200);
      return last.at > 3_000;
    });
    await heal();

    await set.primary();
    await watch(url, 'the book is read again', RECOVERY_MS, async () => (await read(url, id)) === 200);
    await watch(url, 'ready again', RECOVERY_MS, () => Promise.resolve(last.status === 200));
    const after = await createBook(url);
    expect(after).to.include({ status: 201, isBehind: false });
    expect([await read(url, id), await read(url, after.id)]).to.deep.equal([200, 200]);
    const { status, found } = await runVerify(environment);
    expect({ status, found }).to.deep.equal({ status: 0, found: [] });
    const eventStore = openEventStoreDb(events.url, STREAM_PREFIXES);
    await expectLikeRebuilt(eventStore, database.url, set).finally(() => eventStore.close());
  };

  it('loses nothing of the read model, where a secondary was away and an arbiter voted', async () => {
    set = await startReplicaSet('arbiter');
    await lose(
      () => set.kill(1),
      async () => {
        await set.kill(0);
        await set.restart(1);
        expect(await set.primary()).to.equal(1);
      },
      () => set.restart(0),
    );
  }).timeout(120_000);

  it('loses nothing of the read model, where two secondaries did not keep up', async () => {
    set = await startReplicaSet();
    await lose(
      async () => {
        await set.stall(1, true);
        await set.stall(2, true);
      },
      async () => {
        await set.kill(0);
        await set.stall(1, false);
        await set.stall(2, false);
        await set.primary();
      },
      () => set.restart(0),
    );
  }).timeout(120_000);
});
