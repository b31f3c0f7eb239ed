/** The projector as a process of its own, beside services that do not project. */
import { startEventStoreDb, type EventStoreDbUnderTest } from '@pricebook/eventstoredb/testing';
import { mongoDbName, type MongoDbUnderTest, newDatabase, startMongoDb } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { endAll } from './testing/end-all';
import { type ServiceProcess, startProcess } from './testing/service-process';
import { TEST_KEY } from './testing/test-service';

interface Answered {
  readonly status: number;
  readonly projection: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

const ask = async (url: string, method: string, target: string, json?: unknown): Promise<Answered> => {
  const answer = await fetch(url + target, {
    method,
    headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return {
    status: answer.status,
    projection: answer.headers.get('projection'),
    body: (await answer.json()) as Record<string, unknown>,
  };
};

const usd = (amount: number) => [{ productId: 'P', adjustments: { USD: { type: 'override', amount } } }];

const describeIfThere = mongoDbName === undefined ? describe.skip : describe;

describeIfThere('the projector as a process of its own', () => {
  let events: EventStoreDbUnderTest;
  let documents: MongoDbUnderTest;
  let database: ReturnType<typeof newDatabase>;
  const running: ServiceProcess[] = [];

  before(async () => {
    [events, documents] = await Promise.all([startEventStoreDb(), startMongoDb()]);
    database = newDatabase(documents);
  });
  after(async () => {
    await endAll(running);
    await database.remove();
    await Promise.all([events.stop(), documents.stop()]);
  });

  const start = (command: string): ServiceProcess => {
    const started = startProcess([command], {
      PORT: '0',
      EVENTSTOREDB_URL: events.url,
      MONGODB_URL: database.url,
      PRICEBOOK_PROJECTOR: 'off',
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      LOG_LEVEL: 'silent',
    });
    running.push(started);
    return started;
  };

  it('serves writes on one instance that are read at once on another, and says when nobody projects', async () => {
    const [first, second] = [start('serve'), start('serve')];
    const [writer, reader] = [await first.ready, await second.ready];
    const alone = await ask(writer, 'POST', '/v1/pricebooks', { name: 'A' });
    expect(alone).to.include({ status: 201, projection: 'behind' });
    const book = String(alone.body['id']);
    const lagging = await ask(writer, 'GET', '/health/ready');
    expect(lagging.body['projection']).to.deep.include({ state: 'elsewhere' });
    const { lag } = lagging.body['projection'] as { lag: { events: number; seconds: number } };
    expect(lag.events).to.equal(1);
    expect(lag.seconds).to.be.greaterThan(1.9);

    const projector = start('project');
    const health = await projector.ready;
    for (let amount = 1; amount <= 40; amount += 1) {
      const set = await ask(writer, 'PUT', `/v1/pricebooks/${book}/prices`, usd(amount));
      expect(set).to.include({ status: 200, projection: null });
      const price = await ask(reader, 'GET', `/v1/pricebooks/${book}/P/USD`);
      expect(price.body['price']).to.equal(amount);
    }
    const ready = await ask(health, 'GET', '/health/ready');
    expect(ready.status).to.equal(200);
    expect(ready.body['projection']).to.deep.include({ state: 'running', lag: { events: 0, seconds: 0 } });
    const metrics = await (await fetch(`${health}/metrics`)).text();
    expect(metrics).to.match(/^pricebook_projection_lag_events 0$/m);
    expect(metrics).to.match(/^pricebook_projection_lag_seconds 0$/m);

    projector.child.kill('SIGTERM');
    expect(await projector.ended).to.deep.equal({ code: 0, signal: null });
  }).timeout(30_000);

  it('needs both servers', async () => {
    const projector = startProcess(['project'], { PORT: '0' });
    running.push(projector);
    expect((await projector.ended).code).to.equal(1);
    expect(projector.output()).to.include('EVENTSTOREDB_URL');
  });
});
