import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Answer } from '../testing/test-service';
import { followers, until } from './follow-kit';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  override,
  percent,
  UNKNOWN_BOOK,
  usd,
} from './kit';

const BOOKS = '/v1/pricebooks';

/** No other test has it, on stores that tests share. */
const newKey = (): string => `key-${randomUUID()}`;

export const describeBookDetails = (api: Api): void => {
  const { follow } = followers(api);
  const get = (path: string) => api().request('GET', `${BOOKS}/${path}`);
  const patch = (path: string, json: unknown, headers = {}) =>
    api().request('PATCH', `${BOOKS}/${path}`, { json, headers });
  const post = (json: unknown, headers = {}) => api().request('POST', BOOKS, { json, headers });
  const idOf = (answer: Answer): string => String(bodyOf(answer)['id']);

  describe('The revision of a book', () => {
    it('is in every representation of it, and the same as in its ETag', async () => {
      const id = await createBook(api);
      const path = `${BOOKS}/${id}/prices`;
      expectStatus(await api().request('PUT', path, { json: [usd('P', override(1))] }), 200);
      const renamed = expectStatus(await patch(id, { name: 'B' }), 200);
      expect(bodyOf(renamed)['revision']).to.equal(2);
      const found = expectStatus(await get(id), 200);
      expect([bodyOf(found)['revision'], found.headers.get('etag')]).to.deep.equal([2, '"2"']);
      const listed = expectStatus(await api().request('GET', `${BOOKS}?name=B&sort=-updatedAt&limit=1`), 200);
      expect((listed.body as readonly object[])[0]).to.deep.equal(found.body);
      expectProblem(await patch(id, { revision: 3 }), { status: 400, says: 'assigned by the service' });
    });
  });

  describe('The metadata of a book', () => {
    it('is kept as it is given, as a whole', async () => {
      const metadata = { erpId: '4711', 'a.b$': 'Grüße 🎈', '': ' as is ', $set: '', constructor: 'x' };
      const { '': _empty, ...kept } = metadata;
      const created = expectStatus(await post({ name: 'A', metadata: kept }), 201);
      const id = idOf(created);
      expect(bodyOf(created)['metadata']).to.deep.equal(kept);
      expect(bodyOf(await get(id))['metadata']).to.deep.equal(kept);
      expect(bodyOf(await patch(id, { name: 'B' }))['metadata']).to.deep.equal(kept);
      expect(bodyOf(await patch(id, { metadata: { one: '1' } }))['metadata']).to.deep.equal({ one: '1' });
      expect(bodyOf(await patch(id, { metadata: {} }))['metadata']).to.deep.equal({});
      const events = (await get(`${id}/events`)).body as readonly { readonly data: object }[];
      expect(events.map(({ data }) => data)).to.deep.equal([
        { name: 'A', description: '', basePriceBookIds: [], metadata: kept },
        { name: 'B' },
        { metadata: { one: '1' } },
        { metadata: {} },
      ]);
    });

    it('has at most 50 texts of 500 characters by names of 40', async () => {
      const entries = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${String(n)}`, '🎈'.repeat(500)]));
      expectStatus(await post({ name: 'A', metadata: { ...entries(49), ['🎈'.repeat(40)]: '' } }), 201);
      const id = await createBook(api);
      for (const [metadata, pointer] of [
        [entries(51), '/metadata'],
        [{ a: '🎈'.repeat(501) }, '/metadata/a'],
        [{ ['x'.repeat(41)]: '' }, `/metadata/${'x'.repeat(41)}`],
        [{ '': '' }, '/metadata/'],
        [{ 'a\n': '' }, '/metadata/a\n'],
        [{ a: 1 }, '/metadata/a'],
        [{ a: null }, '/metadata/a'],
        [null, '/metadata'],
        [['a'], '/metadata'],
      ] as const) {
        expectProblem(await post({ name: 'A', metadata }), { status: 400, pointers: [pointer] });
        expectProblem(await patch(id, { metadata }), { status: 400, pointers: [pointer] });
      }
      const raw = '{"name":"A","metadata":{"__proto__":"x"}}';
      const headers = { 'content-type': 'application/json' };
      expectProblem(await api().request('POST', BOOKS, { raw, headers }), { status: 400 });
    });
  });

  describe('The key of a book', () => {
    it('is given at creation, changed and taken away by an update', async () => {
      const [one, other] = [newKey(), newKey()];
      const created = expectStatus(await post({ name: 'A', key: one }), 201);
      const id = idOf(created);
      expect(bodyOf(created)['key']).to.equal(one);
      expect(bodyOf(await get(`key=${one}`))).to.deep.equal(created.body);
      expect(bodyOf(await patch(id, { name: 'B' }))['key']).to.equal(one);
      expect(bodyOf(await patch(id, { key: other }))['key']).to.equal(other);
      expectProblem(await get(`key=${one}`), { status: 404, type: 'price-book-not-found' });
      expect(bodyOf(await get(`key=${other}`))['id']).to.equal(id);
      const without = expectStatus(await patch(id, { key: null }), 200);
      expect(without.body).not.to.have.property('key');
      expectProblem(await get(`key=${other}`), { status: 404, type: 'price-book-not-found' });
    });

    it('stands for the id in every path', async () => {
      const key = newKey();
      const base = await createBook(api);
      const book = await createBook(api, { key, basePriceBookId: base });
      const byKey = `key=${key}`;
      const set = { json: [usd('P', override(20))] };
      expectStatus(await api().request('PUT', `${BOOKS}/${byKey}/prices`, set), 200);
      const raw = 'productId,currency,type,amount\r\nall,USD,percent,10\r\n';
      const headers = { 'content-type': 'text/csv' };
      expectStatus(await api().request('PUT', `${BOOKS}/${byKey}/prices`, { raw, headers }), 200);
      for (const path of [
        '',
        '/prices?limit=1',
        '/percents',
        '/upcoming',
        '/P/USD',
        '/P/USD?explain=true',
        '/P/USD/history',
        '/events?limit=2',
        '/events?limit=2&cursor=ZXZlbnRzOjI',
      ]) {
        const [found, expected] = [await get(`${byKey}${path}`), await get(`${book}${path}`)];
        expect(expectStatus(found, 200).body, path).to.deep.equal(expected.body);
        expect(found.headers.get('etag'), path).to.equal(expected.headers.get('etag'));
        expect(found.headers.get('link'), path).to.equal(expected.headers.get('link'));
      }
      // As clients send it that encode whatever they can.
      expect(bodyOf(await get(`key%3D${key}`))['id']).to.equal(book);
      const quoted = await api().request('POST', `${BOOKS}/${byKey}/quote`, {
        json: [{ productId: 'P', currency: 'USD' }],
      });
      expect((expectStatus(quoted, 200).body as readonly object[])[0]).to.include({ price: 20 });
      const stream = await follow(byKey);
      await until(() => stream.events().length === 3);
      expectStatus(await patch(byKey, { description: 'x' }, { 'if-match': '"2"' }), 200);
      expectStatus(await api().request('DELETE', `${BOOKS}/${byKey}/prices`, { json: ['P'] }), 204);
      expectStatus(await api().request('DELETE', `${BOOKS}/${byKey}`), 204);
      expectProblem(await get(`${byKey}/events`), { status: 404, type: 'price-book-not-found' });
      expectStatus(await get(`${book}/events`), 200);
    });

    it('is answered 404 where no book has it, after what else is wrong', async () => {
      const path = `key=${newKey()}`;
      expectProblem(await get(path), { status: 404, type: 'price-book-not-found', says: '"key="' });
      expectProblem(await get(`${path}/P/XXX`), { status: 400, says: 'currency' });
      expectProblem(await patch(path, { name: '' }), { status: 400, pointers: ['/name'] });
      expectProblem(await patch(path, { name: 'B' }), { status: 404, type: 'price-book-not-found' });
      for (const malformed of ['key=', 'key=a%20b', `key=${'x'.repeat(257)}`, 'KEY=a', 'key']) {
        expectProblem(await get(malformed), { status: 404, type: 'price-book-not-found' });
      }
      const id = await createBook(api);
      for (const key of ['', 'a b', 'ü', 'a.b', 'x'.repeat(257), 7, `key=${id}`]) {
        expectProblem(await post({ name: 'A', key }), { status: 400, pointers: ['/key'] });
        expectProblem(await patch(id, { key }), { status: 400, pointers: ['/key'] });
      }
      expectProblem(await post({ name: 'A', key: null }), { status: 400, pointers: ['/key'] });
      expectStatus(await post({ name: 'A', key: newKey().padEnd(256, '_') }), 201);
    });

    it('belongs to one book: 409 for others, until it is free again', async () => {
      const key = newKey();
      const first = await createBook(api, { key });
      const second = await createBook(api);
      const taken = { status: 409, type: 'price-book-key-taken', says: first };
      expectProblem(await post({ name: 'A', key }), taken);
      expectProblem(await patch(second, { key }), taken);
      expectProblem(await patch(second, { key }, { 'if-match': '"7"' }), { status: 412 });
      expectProblem(await patch(UNKNOWN_BOOK, { key }), { status: 404 });
      expectProblem(await post({ name: 'A', key, basePriceBookId: UNKNOWN_BOOK }), {
        status: 400,
        pointers: ['/basePriceBookId'],
      });
      // To give a book the key that it has is no conflict; keys differ by letter case.
      expectStatus(await patch(first, { key }), 200);
      expectStatus(await post({ name: 'A', key: key.toUpperCase() }), 201);
      expectStatus(await patch(first, { key: null }), 200);
      expectStatus(await patch(second, { key }), 200);
      expectStatus(await api().request('DELETE', `${BOOKS}/${second}`), 204);
      expectStatus(await post({ name: 'A', key }), 201);
    });

    it('is given once, however many ask for it at once', async () => {
      const key = newKey();
      const books = await Promise.all([1, 2, 3].map(() => createBook(api)));
      const answers = await Promise.all([
        ...books.map((book) => patch(book, { key })),
        ...[1, 2, 3].map(() => post({ name: 'A', key })),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses.filter((status) => status < 300)).to.have.length(1);
      expect(statuses.slice(1).every((status) => status === 409 || status === 503)).to.equal(true);
      const winner = answers.find(({ status }) => status < 300);
      expect(bodyOf(await get(`key=${key}`))['id']).to.equal(winner && idOf(winner));
    });

    it('is answered alike to a write that is sent again, whichever book has it by then', async () => {
      const [key, other] = [newKey(), newKey()];
      const again = { 'idempotency-key': randomUUID() };
      const first = expectStatus(await post({ name: 'A', key }, again), 201);
      const update = { 'idempotency-key': randomUUID() };
      const changed = expectStatus(await patch(`key=${key}`, { key: other }, update), 200);
      const thief = expectStatus(await post({ name: 'B', key }), 201);
      expect((await post({ name: 'A', key }, again)).body).to.deep.equal(first.body);
      expect((await patch(`key=${key}`, { key: other }, update)).body).to.deep.equal(changed.body);
      expect(bodyOf(await get(`key=${key}`))['id']).to.equal(idOf(thief));
      expect(bodyOf(await get(`key=${other}`))['id']).to.equal(idOf(first));
    });

    it('is no help to a write of prices that is not allowed', async () => {
      const key = newKey();
      await createBook(api, { key });
      const options = { json: { productId: 'all', adjustments: { USD: percent(1_000_001) } } };
      expectProblem(await api().request('PUT', `${BOOKS}/key=${key}/prices`, options), { status: 400 });
    });
  });
};
