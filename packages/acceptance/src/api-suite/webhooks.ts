/** Webhooks over HTTP: created, delivered to, tried, changed, rotated and deleted. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { isSignedWith, type Receiver, startReceiver } from '../testing/receiver';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  override,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

const UNKNOWN = '6d1c3a0e-1f57-4c55-9a3e-2f1b7c5a9d10';

export const describeWebhooks = (api: Api): void => {
  const open: Receiver[] = [];
  const made: string[] = [];
  afterEach(async () => {
    for (const id of made.splice(0)) await api().request('DELETE', `/v1/webhooks/${id}`);
    for (const receiver of open.splice(0)) receiver.close();
  });

  const receive = async (): Promise<Receiver> => {
    const receiver = await startReceiver();
    open.push(receiver);
    return receiver;
  };
  const create = async (json: Readonly<Record<string, unknown>>) => {
    const answer = expectStatus(await api().request('POST', '/v1/webhooks', { json }), 201);
    const body = bodyOf(answer);
    made.push(String(body['id']));
    return { answer, body, id: String(body['id']), secret: String(body['secret']) };
  };
  const on = (id: string, method: string, path = '', json?: unknown) =>
    api().request(method, `/v1/webhooks/${id}${path}`, json === undefined ? {} : { json });
  const find = async (id: string) => bodyOf(expectStatus(await on(id, 'GET'), 200));
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await delay(20);
  };
  const deliveryOf = async (id: string) => (await find(id))['delivery'] as Readonly<Record<string, unknown>>;

  describe('webhooks', () => {
    it('are sent every event from then on, in order, signed, as the feed has them', async () => {
      await createBook(api);
      const { url, received, until: untilReceived } = await receive();
      const { answer, body, id, secret } = await create({ url, description: 'Shop' });
      expect(body).to.include({ url, description: 'Shop', status: 'active' });
      expect(body['delivery']).to.deep.equal({});
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(answer.headers.get('location')).to.equal(`webhooks/${id}`);
      expect(answer.headers.get('cache-control')).to.equal('no-store');

      const book = await createBook(api);
      await setPrices(api, book, [usd('lamp', override(5))]);
      await untilReceived(({ length }) => length === 2);
      expect(received.map(({ message }) => message.type)).to.deep.equal([
        'PriceBookCreated',
        'ProductPricesSet',
      ]);
      const [first] = received;
      expect(first?.headers).to.include({ 'content-type': 'application/json; charset=utf-8' });
      for (const one of received) {
        expect(isSignedWith(secret, one)).to.equal(true);
        expect(isSignedWith(`whsec_${Buffer.alloc(32).toString('base64')}`, one)).to.equal(false);
      }
      const feed = bodyOf(await api().request('GET', '/v1/events?limit=1000'));
      const events = feed['events'] as readonly Readonly<Record<string, unknown>>[];
      for (const { message } of received) {
        expect(events).to.deep.include(message.data);
        expect(message.timestamp).to.equal(message.data['occurredAt']);
      }
      await until(async () => 'lastDeliveredAt' in (await deliveryOf(id)));
      expect(await find(id)).not.to.have.property('secret');
    }).timeout(20_000);

    it('are sent only what they ask for', async () => {
      const [all, some] = [await receive(), await receive()];
      const book = await createBook(api);
      await create({ url: all.url });
      await create({ url: some.url, priceBookId: book, eventTypes: ['ProductPricesSet'] });
      const other = await createBook(api);
      for (const of of [other, book]) await setPrices(api, of, [usd('lamp', override(5))]);
      await some.until(({ length }) => length === 1);
      await all.until(({ length }) => length === 3);
      expect(some.received.map(({ message }) => message.data['priceBookId'])).to.deep.equal([book]);
      expect(some.received[0]?.id).not.to.equal(all.received[2]?.id);
    }).timeout(20_000);

    it('show that they fail and why, and go on when they are changed', async () => {
      const [broken, sound] = [await receive(), await receive()];
      broken.answerWith(500);
      const { id } = await create({ url: broken.url });
      await createBook(api);
      await createBook(api);
      await until(async () => 'nextAttemptAt' in (await deliveryOf(id)));
      const delivery = await deliveryOf(id);
      expect(delivery).to.include({ attempts: 1 }).and.to.have.property('failingSince');
      expect(delivery['lastFailure']).to.include({ status: 500, reason: 'the answer is not 2xx' });
      expectStatus(await on(id, 'PATCH', '', { url: sound.url }), 200);
      await sound.until(({ length }) => length === 2);
      expect(sound.received[0]?.id).to.equal(broken.received[0]?.id);
      await until(async () => !('failingSince' in (await deliveryOf(id))));
    }).timeout(20_000);

    it('are paused and keep their place', async () => {
      const { url, received, until: untilReceived } = await receive();
      const { id } = await create({ url });
      const paused = expectStatus(await on(id, 'PATCH', '', { status: 'paused' }), 200);
      expect(paused.body).to.include({ status: 'paused', pausedReason: 'requested' });
      await createBook(api, { name: 'Meanwhile' });
      const active = expectStatus(await on(id, 'PATCH', '', { status: 'active' }), 200);
      expect(active.body).to.include({ status: 'active' }).and.not.to.have.property('pausedReason');
      await untilReceived(({ length }) => length === 1);
      expect(received[0]?.message.data['data']).to.deep.include({ name: 'Meanwhile' });
    }).timeout(20_000);

    it('are paused by a receiver that is gone', async () => {
      const gone = await receive();
      gone.answerWith(410);
      const { id } = await create({ url: gone.url });
      await createBook(api);
      await until(async () => (await find(id))['status'] === 'paused');
      expect(await find(id)).to.include({ pausedReason: 'gone' });
    }).timeout(20_000);

    it('are tried by a message that says so', async () => {
      const receiver = await receive();
      const { id, secret } = await create({ url: receiver.url });
      const test = async () => bodyOf(expectStatus(await on(id, 'POST', '/test'), 200));
      expect(await test()).to.include({ delivered: true, status: 204 });
      expect(receiver.received[0]?.message).to.deep.include({ type: 'WebhookTest', data: { webhookId: id } });
      expect(receiver.received.every((one) => isSignedWith(secret, one))).to.equal(true);
      receiver.answerWith(307);
      expect(await test()).to.include({
        delivered: false,
        status: 307,
        reason: 'redirects are not followed',
      });
    });

    it('have two signatures while a secret is rotated', async () => {
      const receiver = await receive();
      const { id, secret } = await create({ url: receiver.url });
      const rotated = bodyOf(expectStatus(await on(id, 'POST', '/rotate-secret'), 200));
      expect(rotated['secret']).not.to.equal(secret);
      const hours = (Date.parse(String(rotated['previousSecretUntil'])) - Date.now()) / 3_600_000;
      expect(hours).to.be.within(23.9, 24.1);
      await on(id, 'POST', '/test');
      const [message] = receiver.received;
      if (message === undefined) throw new Error('no message arrived');
      expect(isSignedWith(secret, message)).to.equal(true);
      expect(isSignedWith(String(rotated['secret']), message)).to.equal(true);
    });

    it('are listed without secrets, changed in part, and deleted once', async () => {
      const { url } = await receive();
      const book = await createBook(api);
      const { id, body } = await create({ url, priceBookId: book, eventTypes: ['PriceBookDeleted'] });
      const { secret: _secret, ...rest } = body;
      const listed = expectStatus(await api().request('GET', '/v1/webhooks'), 200);
      expect(listed.body).to.deep.include(rest);
      const changed = bodyOf(
        expectStatus(await on(id, 'PATCH', '', { description: 'B', priceBookId: null }), 200),
      );
      expect(changed).to.include({ description: 'B', url }).and.not.to.have.property('priceBookId');
      expect(changed['eventTypes']).to.deep.equal(['PriceBookDeleted']);
      expectStatus(await on(id, 'PATCH', '', {}), 200);
      expectStatus(await on(id, 'DELETE'), 204);
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['POST', '/rotate-secret'],
        ['GET', '/dead-letters'],
        ['POST', '/dead-letters/x/redeliver'],
      ] as const) {
        expectProblem(await on(id, method, path), { status: 404, type: 'webhook-not-found' });
      }
    });

    it('have no dead letters as long as messages are delivered', async () => {
      const { url } = await receive();
      const { id } = await create({ url });
      expect(expectStatus(await on(id, 'GET', '/dead-letters'), 200).body).to.deep.equal([]);
      expectProblem(await on(id, 'POST', `/dead-letters/${UNKNOWN}/redeliver`), {
        status: 404,
        type: 'dead-letter-not-found',
      });
      expectProblem(await on(id, 'GET', '/dead-letters?cursor=x'), { status: 400 });
    });

    it('are refused where they lead to what is not public, or nowhere', async () => {
      const post = (json: unknown) => api().request('POST', '/v1/webhooks', { json });
      for (const [url, says] of [
        ['https://127.0.0.2/', 'not public'],
        ['https://[::1]/', 'not public'],
        ['https://169.254.169.254/latest/meta-data', 'not public'],
        ['https://localhost/', 'not public'],
        ['https://nowhere.invalid/', 'does not resolve'],
        ['http://1.1.1.1/', 'https'],
        ['ftp://1.1.1.1/', 'https'],
        ['https://user:secret@1.1.1.1/', 'user or a password'],
        ['/hooks', 'absolute'],
      ] as const) {
        expectProblem(await post({ url }), { status: 400, pointers: ['/url'], says });
      }
      const { url } = await receive();
      const { id } = await create({ url });
      expectProblem(await on(id, 'PATCH', '', { url: 'https://10.0.0.1/' }), {
        status: 400,
        pointers: ['/url'],
      });
      expect(await find(id)).to.include({ url });
    }).timeout(20_000);

    it('are told every fault of the body at once', async () => {
      const post = (json: unknown) => api().request('POST', '/v1/webhooks', { json });
      expectProblem(await post({ eventTypes: [], priceBookId: 'x', secret: 's', status: 'active' }), {
        status: 400,
        pointers: ['/url', '/eventTypes', '/priceBookId', '/secret', '/status'],
      });
      const { url } = await receive();
      expectProblem(await post({ url, priceBookId: UNKNOWN_BOOK }), {
        status: 400,
        pointers: ['/priceBookId'],
      });
      expectProblem(await on(UNKNOWN, 'PATCH', '', { status: 'gone' }), {
        status: 400,
        pointers: ['/status'],
      });
    });

    it('leave no trace in the feed', async () => {
      const { url } = await receive();
      const before = bodyOf(await api().request('GET', '/v1/events?after=now'));
      const { id } = await create({ url });
      await on(id, 'POST', '/rotate-secret');
      const after = bodyOf(await api().request('GET', `/v1/events?after=${String(before['next'])}`));
      expect(after['events']).to.deep.equal([]);
    });
  });
};
