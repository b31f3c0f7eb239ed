/** `pricebook verify` beside services whose read model is on MongoDB. Needs MongoDB. */
import fs from 'node:fs';
import path from 'node:path';
import { startStandIn, type StandIn } from '@pricebook/eventstoredb/testing';
import {
  changeReadModel,
  mongoDbName,
  type MongoDbUnderTest,
  newDatabase,
  startMongoDb,
} from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { startCommand } from '../testing/command';
import { newFolder, startTestService, type TestService } from '../testing/test-service';
import { createBook, keepWriting, override, setPercent, setPrice, verifyAsProcess } from '../testing/verify';

const describeIfThere = mongoDbName === undefined ? describe.skip : describe;

describeIfThere(`the command verify, beside services on ${mongoDbName ?? 'MongoDB'}`, function () {
  this.timeout(120_000);
  let server: MongoDbUnderTest;
  let events: StandIn;
  let database: ReturnType<typeof newDatabase>;
  let folder: string;
  let service: TestService;

  before(async () => {
    server = await startMongoDb();
  });
  after(() => server.stop());
  beforeEach(async () => {
    folder = newFolder();
    events = await startStandIn();
    database = newDatabase(server);
    service = await startTestService(folder, { eventStoreDbUrl: events.url, mongoDbUrl: database.url });
  });
  afterEach(async () => {
    await service.stop();
    await database.remove();
    await events.stop();
    fs.rmSync(folder, { recursive: true });
  });

  /** As another process: one process has one connection to EventStoreDB, and the service here holds it. */
  const verify = (mongoDbUrl = database.url) =>
    verifyAsProcess({ EVENTSTOREDB_URL: events.url, MONGODB_URL: mongoDbUrl, PRICEBOOK_DATA_DIR: folder });

  const fill = async () => {
    const list = await createBook(service, 'List');
    const retail = await createBook(service, 'Retail', list);
    await setPrice(service, list, 'lamp', override(49.99));
    await setPrice(service, list, 'chair', override(80));
    await setPercent(service, retail, 5);
    await setPercent(service, retail, 10);
    return { list, retail };
  };

  it('finds a changed price, a missing one, an extra one and a stale percent, and names them', async () => {
    const { list, retail } = await fill();
    const before = await verify();
    expect(before).to.deep.equal({
      status: 0,
      found: [],
      said: 'Compared 9 entries of 2 books with 6 events: no differences.\n',
    });
    await changeReadModel(database.url, async ({ current, history }) => {
      const chair = await current.findOne({ _id: `held/${list}/USD/chair` });
      await current.updateOne(
        { _id: `held/${list}/USD/lamp` },
        { $set: { 'state.cell.absolute.adjustment.amount': 50 } },
      );
      await current.deleteOne({ _id: `held/${list}/USD/chair` });
      await current.insertOne({ ...chair, holder: 'chairs', _id: `held/${list}/USD/chairs` });
      await current.insertOne({ ...chair, _id: `held/${list}/USD/stool` });
      await current.insertOne({ _id: 'nothing of ours', state: null });
      const row = await history.findOne({ _id: `${retail}/USD/1/all` });
      await current.updateOne(
        { _id: `book/${retail}` },
        { $set: { 'state.allProducts': { revision: 1, cells: { USD: row?.['cell'] } } } },
      );
      await history.updateOne(
        { _id: `${list}/USD/2/chair` },
        { $set: { occurredAt: '2020-01-01T00:00:00.000Z' } },
      );
    });
    const { status, found, said } = await verify();
    const rowLine = found.find((line) => line.includes('history row'));
    expect(rowLine)
      .to.match(/^changed: history row of "chair" in USD, revision 2, of "List" \([^)]*\): read model has \{/)
      .and.to.include('2020-01-01');
    expect(found.filter((line) => line !== rowLine)).to.have.members([
      `changed: price of "lamp" in USD of "List" (${list}): read model has override 50 (revision 1), events say override 49.99 (revision 1)`,
      `missing: price of "chair" in USD of "List" (${list}): events say override 80 (revision 2)`,
      `extra: price of "chairs" in USD of "List" (${list}): read model has override 80 (revision 2), no event says so`,
      `changed: price of "stool" in USD of "List" (${list}): it has fields that contradict its name`,
      'extra: something that is not of a read model, "nothing of ours"',
      `stale: percent for all products in USD of "Retail" (${retail}): read model has percent 5 (revision 1), events say percent 10 (revision 2)`,
    ]);
    expect(said).to.equal('Compared 11 entries of 2 books with 6 events: 7 differences.\n');
    expect(status).to.equal(1);
    expect(fs.readdirSync(folder)).to.deep.equal([]);
  });

  it('finds nothing that is not there while writes go on, and what is', async () => {
    const { list } = await fill();
    const hot = await createBook(service, 'Hot');
    const writing = [keepWriting(service, hot), keepWriting(service, list)];
    for (let run = 0; run < 4; run += 1) {
      const { found, status, said } = await verify();
      expect(found, said).to.deep.equal([]);
      expect(status).to.equal(0);
    }
    await changeReadModel(database.url, async ({ current, history }) => {
      await current.deleteOne({ _id: `held/${list}/USD/lamp` });
      await history.updateOne({ _id: `${list}/USD/2/chair` }, { $set: { 'adjustment.amount': 81 } });
    });
    const { found, status } = await verify();
    expect(found.map((line) => line.split(' of "List"')[0])).to.have.members([
      'missing: price of "lamp" in USD',
      'changed: history row of "chair" in USD, revision 2,',
    ]);
    expect(status).to.equal(1);
    for (const one of writing) expect(await one.stop()).to.be.above(20);
  });

  it('says why where it cannot verify', async () => {
    await fill();
    const none = newDatabase(server);
    const missing = await verify(none.url);
    expect(missing.said).to.include('there is no read model in the database');
    expect(missing.status).to.equal(2);
    const other = await startTestService(path.join(folder, 'other'), { mongoDbUrl: none.url });
    await createBook(other, 'Other');
    await other.stop();
    const foreign = await verify(none.url);
    expect(foreign.said).to.include('was made of other events');
    expect(foreign.status).to.equal(2);
    await none.remove();
    const environment = { EVENTSTOREDB_URL: events.url, MONGODB_URL: 'mongodb://127.0.0.1:9' };
    const { said, ended, child } = startCommand(['verify'], environment);
    while (!said().includes('waiting for MongoDB')) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGTERM');
    expect(await ended).to.equal(2);
    expect(said()).to.include('MongoDB is not there');
  });
});
