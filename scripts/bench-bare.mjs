/** The least that an HTTP handler can do with the same clients: one append, or one document read. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './set-up.mjs';

const http = createRequire(path.join(root, 'packages/http/package.json'));
const events = createRequire(path.join(root, 'packages/eventstoredb/package.json'));
const documents = createRequire(path.join(root, 'packages/mongodb/package.json'));
const Koa = http('koa');
const Router = http('@koa/router');
const bodyParser = http('koa-bodyparser');
const { EventStoreDBClient, jsonEvent } = events('@eventstore/db-client');
const { MongoClient } = documents('mongodb');

const client = EventStoreDBClient.connectionString(process.env.EVENTSTOREDB_URL);
const database = (await MongoClient.connect(process.env.MONGODB_URL)).db();
// The version of the read model is in the name.
const [{ name } = {}] = await database.listCollections({ name: /^current-/ }).toArray();
if (name === undefined) throw new Error('the read model is not there');
const current = database.collection(name);

const router = new (Router.default ?? Router)();
router.put('/append/:stream', async (context) => {
  const { nextExpectedRevision } = await client.appendToStream(
    `bare-${context.params.stream}`,
    jsonEvent({
      type: 'ProductPricesSet',
      data: { items: context.request.body },
      metadata: { occurredAt: new Date().toISOString(), actor: 'bench', schemaVersion: 1 },
    }),
  );
  context.body = { revision: Number(nextExpectedRevision) };
});
router.get('/read/:book/:product', async (context) => {
  const { book, product } = context.params;
  context.body = await current.findOne({ _id: `held/${book}/USD/${product}` });
});

const app = new Koa();
app.use(bodyParser()).use(router.routes());
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${server.address().port}/`);
});
process.on('SIGTERM', () => process.exit(0));
