import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  getPrice,
  override,
  percent,
  priceOf,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

const BOOKS = '/v1/pricebooks';

export const describeClones = (api: Api): void => {
  const post = (book: string, json: unknown, headers = {}) =>
    api().request('POST', `${BOOKS}/${book}/clone`, { json, headers });
  const get = (path: string) => api().request('GET', `${BOOKS}/${path}`);
  const clone = async (book: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    String(bodyOf(expectStatus(await post(book, { name: 'A clone', ...fields }), 201))['id']);
  const listed = async (book: string) => expectStatus(await get(`${book}/prices`), 200).body;
  const all = (amount: number) => ({ productId: 'all', adjustments: { USD: percent(amount) } });

  describe('A clone of a book', () => {
    it('is a book of its own that holds all that its source does, and says where it is from', async () => {
      const metadata = { erpId: '4711' };
      const source = await createBook(api, { description: 'x', metadata, key: `k-${randomUUID()}` });
      await setPrices(api, source, [usd('P', override(100)), usd('Q', override(7))]);
      await setPrices(api, source, all(10));
      const answer = expectStatus(await post(source, { name: 'Spring' }), 201);
      const { id, createdAt, updatedAt, ...rest } = bodyOf(answer);
      expect(rest).to.deep.equal({
        name: 'Spring',
        description: 'x',
        metadata,
        revision: 0,
        clonedFrom: { priceBookId: source, revision: 2 },
      });
      const location = new URL(
        String(answer.headers.get('location')),
        `http://proxy/prefix${BOOKS}/${source}/clone`,
      );
      expect(location.pathname).to.equal(`/prefix${BOOKS}/${String(id)}`);
      expect(answer.headers.get('etag')).to.equal('"0"');
      const found = expectStatus(await get(String(id)), 200);
      expect(found.body).to.deep.equal(answer.body);
      expect(updatedAt).to.equal(createdAt);

      const book = String(id);
      expect(await listed(book)).to.deep.equal(await listed(source));
      expect(await priceOf(api, book, 'P')).to.equal(110);
      await setPrices(api, source, [usd('P', override(1))]);
      await setPrices(api, book, all(20));
      expect([await priceOf(api, book, 'P'), await priceOf(api, source, 'P')]).to.deep.equal([120, 1.1]);
      const of = expectStatus(await api().request('GET', '/v1/products/Q/pricebooks?limit=1000'), 200);
      expect(JSON.stringify(of.body)).to.include(source).and.to.include(book);
    });

    it('has one event, whatever its size, with the reason of the request; explanations name it', async () => {
      const source = await createBook(api);
      await setPrices(api, source, [usd('P', override(100))]);
      const headers = { 'change-reason': 'New market' };
      const { id, createdAt } = bodyOf(expectStatus(await post(source, { name: 'Market' }, headers), 201));
      const book = String(id);
      const events = expectStatus(await get(`${book}/events`), 200).body as readonly object[];
      expect(events).to.have.length(1);
      const [event] = events as readonly Readonly<Record<string, unknown>>[];
      expect(event).to.include({ revision: 0, type: 'PriceBookCloned', reason: 'New market' });
      expect(event?.['data'])
        .to.have.property('clonedFrom')
        .that.includes({ priceBookId: source, revision: 1 });
      const { effectiveDate, explanation } = bodyOf(await getPrice(api, book, 'P', '?explain=true'));
      expect(effectiveDate).to.equal(createdAt);
      const { steps } = explanation as { readonly steps: readonly object[] };
      expect(JSON.stringify(steps)).to.include('"revision":0').and.to.include('New market');
      const periods = bodyOf(expectStatus(await get(`${book}/P/USD/history`), 200));
      expect(JSON.stringify(periods)).to.include('PriceBookCloned');
    });

    it('keeps the base of its source; flattened, it has none, and the prices as its own', async () => {
      const base = await createBook(api);
      await setPrices(api, base, [usd('P', override(100)), usd('Q', override(10))]);
      const source = await createBook(api, { basePriceBookId: base });
      await setPrices(api, source, [usd('P', percent(-20))]);
      await setPrices(api, source, all(50));
      const derived = await clone(source);
      const flat = await clone(source, { flattenBase: true });
      expect(bodyOf(await get(derived))['basePriceBookId']).to.equal(base);
      expect(bodyOf(await get(flat))).not.to.have.property('basePriceBookId');
      await setPrices(api, base, [usd('P', override(200))]);
      await setPrices(api, source, [usd('P', percent(0))]);
      const prices = async (product: string) =>
        Promise.all([source, derived, flat].map((book) => priceOf(api, book, product)));
      expect(await prices('P')).to.deep.equal([200, 160, 80]);
      expect(await prices('Q')).to.deep.equal([15, 15, 15]);
      expect(await listed(flat)).to.deep.equal([
        { productId: 'P', adjustments: { USD: override(80) }, percents: {} },
        { productId: 'Q', adjustments: { USD: override(15) }, percents: {} },
      ]);
      await setPrices(api, flat, [usd('P', percent(10))]);
      expect(await priceOf(api, flat, 'P')).to.equal(88);
    });

    it('flattened of a book without a base has the percents of that in its prices', async () => {
      const source = await createBook(api);
      await setPrices(api, source, [usd('P', override(100))]);
      await setPrices(api, source, all(-20));
      const flat = await clone(source, { flattenBase: true });
      expect(await listed(flat)).to.deep.equal([
        { productId: 'P', adjustments: { USD: override(80) }, percents: {} },
      ]);
      expect(bodyOf(await get(`${flat}/percents`))).to.deep.equal({});
      const timeline = { body: (await get(`${flat}/events?productId=P`)).body as readonly object[] };
      expect(timeline.body).to.have.length(1);
    });

    it('cancels a temporary price by the dates that its source has', async () => {
      const source = await createBook(api);
      const validUntil = '2099-01-01T00:00:00.000Z';
      await setPrices(api, source, [usd('P', override(100))]);
      await setPrices(api, source, [usd('P', { ...override(70), validUntil })]);
      const book = await clone(source);
      expect(await priceOf(api, book, 'P')).to.equal(70);
      await setPrices(api, book, [usd('P', { type: 'cancel', validUntil })]);
      expect([await priceOf(api, book, 'P'), await priceOf(api, source, 'P')]).to.deep.equal([100, 70]);
    });

    it('is not flattened where too much is planned for all products', async () => {
      const source = await createBook(api);
      const yearly = (n: number) => ({
        ...percent(-10),
        validFrom: `${String(2100 + n)}-11-27T00:00:00.000Z`,
        validUntil: `${String(2100 + n)}-11-30T00:00:00.000Z`,
      });
      const windows = Array.from({ length: 51 }, (_, n) => yearly(n));
      await setPrices(api, source, { productId: 'all', adjustments: { USD: windows } });
      expectProblem(await post(source, { name: 'x', flattenBase: true }), {
        status: 409,
        type: 'too-many-dated-adjustments',
        says: '100',
      });
      expectStatus(await post(source, { name: 'x' }), 201);
    });

    it('can be cloned, be a base and be deleted, and none of it depends on its source', async () => {
      const source = await createBook(api);
      await setPrices(api, source, [usd('P', override(5))]);
      const first = await clone(source);
      const second = await clone(first);
      const derived = await createBook(api, { basePriceBookId: second });
      for (const book of [source, first]) {
        expectStatus(await api().request('DELETE', `${BOOKS}/${book}`), 204);
      }
      expect(await priceOf(api, derived, 'P')).to.equal(5);
      expectProblem(await post(source, { name: 'x' }), { status: 404 });
    });

    it('is made once of a request that is sent again, also when its source is gone since', async () => {
      const source = await createBook(api);
      const headers = { 'idempotency-key': randomUUID() };
      const made = expectStatus(await post(source, { name: 'Once' }, headers), 201);
      expectStatus(await api().request('DELETE', `${BOOKS}/${source}`), 204);
      const again = expectStatus(await post(source, { name: 'Once' }, headers), 201);
      expect(again.body).to.deep.equal(made.body);
    });

    it('is refused for what is wrong with its source, its body or its key', async () => {
      const source = await createBook(api);
      const key = `k-${randomUUID()}`;
      expectStatus(await post(source, { name: 'x', key }, { 'if-match': '"0"' }), 201);
      expectProblem(await post(source, { name: 'x', key }), { status: 409, type: 'price-book-key-taken' });
      expectProblem(await post(source, { name: 'x' }, { 'if-match': '"7"' }), { status: 412 });
      expectProblem(await post(UNKNOWN_BOOK, { name: 'x' }), { status: 404 });
      const free = `k-${randomUUID()}`;
      expectProblem(await post(UNKNOWN_BOOK, { name: 'x', key: free }), { status: 404 });
      await createBook(api, { key: free });
      expectProblem(
        await post(source, { flattenBase: 'yes', basePriceBookId: source, revision: 1, extra: 1 }),
        {
          status: 400,
          pointers: ['/name', '/flattenBase', '/basePriceBookId', '/revision', '/extra'],
        },
      );
    });
  });
};
