/**
 * The least that Koa can do for this API, with the same router and body parser: a constant answer to a read, and one
 * append to the same store for a write. The appends go to as many streams as there are books, each in its order.
 *
 *   TOGETHER=1   hands requests on as the service does: see packages/http/src/together.ts
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './set-up.mjs';

const http = createRequire(path.join(root, 'packages/http/package.json'));
const service = createRequire(path.join(root, 'packages/service/package.json'));
const Koa = http('koa');
const Router = http('@koa/router');
const bodyParser = http('koa-bodyparser');
const { createTogether } = http('./dist/together.js');
const { openEmbeddedEventStore } = service('@pricebook/embedded');

const eventStore = openEmbeddedEventStore(process.env.PRICEBOOK_DATA_DIR);
const revisions = new Map();

const router = new (Router.default ?? Router)();
router.get('/v1/pricebooks/:priceBookId/:productId/:currency', (context) => {
  context.body = {
    productId: 'product-1',
    price: 54.99,
    currency: 'USD',
    effectiveDate: '2026-11-21T07:20:01.486Z',
  };
});
router.put('/v1/pricebooks/:priceBookId/prices', async (context) => {
  const stream = `priceBook-${context.params.priceBookId}`;
  const expected = revisions.get(stream) ?? 'noStream';
  const revision = expected === 'noStream' ? 0 : expected + 1;
  revisions.set(stream, revision);
  const commandId = randomUUID();
  const appended = await eventStore.append(stream, expected, [
    {
      id: randomUUID(),
      type: 'ProductPricesSet',
      data: { items: context.request.body },
      metadata: {
        schemaVersion: 1,
        occurredAt: new Date().toISOString(),
        actor: 'bench',
        $correlationId: commandId,
        $causationId: commandId,
        commandId,
      },
    },
  ])();
  context.status = appended._tag === 'Right' ? 200 : 409;
  context.body = { revision };
});

const app = new Koa();
app.use(bodyParser()).use(router.routes());
const answer = app.callback();
const together = createTogether((response) => void answer(response.req, response));
const server = createServer(
  process.env.TOGETHER === '1' ? (_request, response) => together(response) : answer,
);
server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${server.address().port}/`);
});
process.on('SIGTERM', () => process.exit(0));
