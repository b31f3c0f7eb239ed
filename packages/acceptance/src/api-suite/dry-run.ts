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

const tiers = (first: number, second: number) => ({
  type: 'volume',
  tiers: [
    { firstUnit: 1, lastUnit: 9, unitPrice: first },
    { firstUnit: 10, lastUnit: null, unitPrice: second },
  ],
});
const from = '2999-01-01T00:00:00.000Z';
const until = '2999-02-01T00:00:00.000Z';

interface Change {
  readonly productId: string;
  readonly currency: string;
  readonly at?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly before: number | null;
  readonly after: number | null;
}

export const describeDryRun = (api: Api): void => {
  const pathOf = (book: string, query = '?dryRun=true') => `/v1/pricebooks/${book}/prices${query}`;
  const write = (method: string, book: string, json: unknown, query?: string, headers = {}) =>
    api().request(method, pathOf(book, query), { json, headers });
  const previewIn = (answer: Awaited<ReturnType<typeof write>>) =>
    bodyOf(expectStatus(answer, 200))['preview'] as { changes: readonly Change[]; hasMore: boolean };
  const eventsOf = async (book: string) =>
    expectStatus(await api().request('GET', `/v1/pricebooks/${book}/events`), 200).body;
  const priceNow = async (book: string, { productId, currency, at, parameters = {} }: Change) => {
    const query = new URLSearchParams({ ...parameters, ...(at !== undefined && { at }) });
    const answer = await getPrice(api, book, productId, `?${query.toString()}`, currency);
    return answer.status === 200 ? bodyOf(answer)['price'] : null;
  };

  /** Tries a write, carries it out, and has the prices before and after be those of the preview. */
  const tryAndWrite = async (method: string, book: string, json: unknown): Promise<readonly unknown[]> => {
    const before = await eventsOf(book);
    const { changes, hasMore } = previewIn(await write(method, book, json));
    expect(hasMore).to.equal(false);
    expect(await eventsOf(book)).to.deep.equal(before);
    const now = () => Promise.all(changes.map((change) => priceNow(book, change)));
    expect(await now()).to.deep.equal(changes.map((change) => change.before));
    expectStatus(await write(method, book, json, ''), method === 'PUT' ? 200 : 204);
    expect(await now()).to.deep.equal(changes.map((change) => change.after));
    return changes;
  };

  describe('A dry run', () => {
    it('answers what prices of products would be, and stores nothing', async () => {
      const book = await createBook(api);
      const set = await setPrices(api, book, [usd('lamp', override(100)), usd('same', override(1))]);
      const json = [usd('lamp', override(80)), usd('new', override(5)), usd('same', override(1))];
      const answer = expectStatus(await write('PUT', book, json), 200);
      const { revision, updatedAt } = bodyOf(set);
      expect(answer.body).to.deep.equal({
        priceBookId: book,
        revision,
        updatedAt,
        productsSet: 3,
        preview: {
          changes: [
            { productId: 'lamp', currency: 'USD', before: 100, after: 80 },
            { productId: 'new', currency: 'USD', before: null, after: 5 },
          ],
          hasMore: false,
        },
      });
      expect(answer.headers.get('etag')).to.equal(set.headers.get('etag'));
      expect(await priceOf(api, book, 'lamp')).to.equal(100);
      expect(await tryAndWrite('PUT', book, json)).to.have.length(2);
    });

    it('answers prices of all products, those of bases too', async () => {
      const base = await createBook(api);
      const book = await createBook(api, { basePriceBookId: base });
      await setPrices(api, base, [usd('b', override(10)), usd('a', override(20))]);
      await setPrices(api, book, [usd('own', override(7))]);
      expect(
        await tryAndWrite('PUT', book, { productId: 'all', adjustments: { USD: percent(-50) } }),
      ).to.deep.equal([
        { productId: 'a', currency: 'USD', before: 20, after: 10 },
        { productId: 'b', currency: 'USD', before: 10, after: 5 },
      ]);
    });

    it('answers each row of a table, and each instant at which something begins or ends', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('seat', tiers(20, 15)), usd('lamp', override(100))]);
      const dated = { ...percent(-10), validFrom: from, validUntil: until };
      expect(await tryAndWrite('PUT', book, [usd('seat', tiers(20, 12)), usd('lamp', dated)])).to.deep.equal([
        { productId: 'seat', currency: 'USD', parameters: { quantity: '10' }, before: 15, after: 12 },
        { productId: 'lamp', currency: 'USD', at: from, before: 100, after: 90 },
      ]);
      expect(await tryAndWrite('PUT', book, [usd('lamp', override(50))])).to.deep.equal([
        { productId: 'lamp', currency: 'USD', before: 100, after: 50 },
        { productId: 'lamp', currency: 'USD', at: from, before: 90, after: 45 },
        { productId: 'lamp', currency: 'USD', at: until, before: 100, after: 50 },
      ]);
    });

    it('answers what a deletion would leave', async () => {
      const base = await createBook(api);
      const book = await createBook(api, { basePriceBookId: base });
      await setPrices(api, base, [usd('lamp', override(10))]);
      const EUR = override(3);
      await setPrices(api, book, [{ productId: 'lamp', adjustments: { USD: override(7), EUR } }]);
      const answer = await write('DELETE', book, ['lamp', 'unknown']);
      expect(Object.keys(bodyOf(answer))).to.deep.equal(['priceBookId', 'revision', 'updatedAt', 'preview']);
      expect(await tryAndWrite('DELETE', book, ['lamp', 'unknown'])).to.have.deep.members([
        { productId: 'lamp', currency: 'EUR', before: 3, after: null },
        { productId: 'lamp', currency: 'USD', before: 7, after: 10 },
      ]);
    });

    it('takes CSV, and sets what it says for products and for all in the order of the write', async () => {
      const book = await createBook(api);
      const raw = 'productId,currency,type,amount\r\nall,USD,percent,10\r\nlamp,USD,override,100\r\n';
      const headers = { 'content-type': 'text/csv' };
      const preview = previewIn(await api().request('PUT', pathOf(book), { raw, headers }));
      expect(preview).to.deep.equal({
        changes: [{ productId: 'lamp', currency: 'USD', before: null, after: 110 }],
        hasMore: false,
      });
      expect(await priceOf(api, book, 'lamp')).to.equal(undefined);
    });

    it('shows 100 changes, and says that there are more', async () => {
      const book = await createBook(api);
      const items = Array.from({ length: 101 }, (_, n) => usd(`p${String(n).padStart(3, '0')}`, override(1)));
      const first = previewIn(await write('PUT', book, items));
      expect([first.changes.length, first.hasMore]).to.deep.equal([100, true]);
      expect(previewIn(await write('PUT', book, items.slice(1))).hasMore).to.equal(false);
      await setPrices(api, book, items);
      const all = previewIn(
        await write('PUT', book, { productId: 'all', adjustments: { USD: percent(100) } }),
      );
      expect([all.changes.length, all.changes[99]?.productId, all.hasMore]).to.deep.equal([
        100,
        'p099',
        true,
      ]);
    });

    it('is checked as the write is', async () => {
      const book = await createBook(api);
      const json = [usd('lamp', override(1))];
      for (const query of ['?dryRun=yes', '?dryRun=true&dryRun=true', '?dryRun=', '?dryrun=true']) {
        expectProblem(await write('PUT', book, json, query), { status: 400 });
        expectProblem(await write('DELETE', book, ['lamp'], query), { status: 400 });
      }
      expect(bodyOf(await api().request('GET', `/v1/pricebooks/${book}/events`))).to.have.length(1);
      for (const [method, body] of [
        ['PUT', json],
        ['DELETE', ['lamp']],
      ] as const) {
        const stale = await write(method, book, body, undefined, { 'if-match': '"7"' });
        expectProblem(stale, { status: 412, type: 'revision-mismatch' });
        expectStatus(await write(method, book, body, undefined, { 'if-match': '"0"' }), 200);
        expectProblem(await write(method, UNKNOWN_BOOK, body), { status: 404, type: 'price-book-not-found' });
        expectProblem(await write(method, book, [{}]), { status: 400 });
        expectProblem(await api().request(method, pathOf(book)), { status: 400 });
      }
      const ended = { ...override(1), validUntil: '2020-01-01T00:00:00Z' };
      expectProblem(await write('PUT', book, [usd('lamp', ended)]), { status: 400 });
      expect(expectStatus(await write('PUT', book, json, '?dryRun=false'), 200).body).not.to.have.property(
        'preview',
      );
    });

    it('refuses too many dated adjustments as the write does', async () => {
      const book = await createBook(api);
      const sales = (first: number) =>
        Array.from({ length: 100 }, (_, n) => ({
          ...percent(-1),
          validFrom: new Date(Date.UTC(2999, 0, 1, 0, first + n)).toISOString(),
        }));
      for (let n = 0; n < 10; n += 1) await setPrices(api, book, [usd('lamp', sales(n * 100))]);
      const json = [usd('lamp', sales(5_000).slice(0, 1))];
      for (const query of [undefined, '']) {
        const answer = await write('PUT', book, json, query);
        expectProblem(answer, { status: 409, type: 'too-many-dated-adjustments' });
      }
    });

    it('leaves an idempotency key alone', async () => {
      const book = await createBook(api);
      const headers = { 'idempotency-key': `dry ${String(Date.now())}` };
      const [json, other] = [[usd('lamp', override(1))], [usd('lamp', override(2))]];
      expectStatus(await write('PUT', book, other, undefined, headers), 200);
      expectStatus(await write('PUT', book, json, '', headers), 200);
      expect(await priceOf(api, book, 'lamp')).to.equal(1);
      // Nor is it another request with the key, or the one that was done.
      expect(previewIn(await write('PUT', book, other, undefined, headers)).changes).to.have.length(1);
      expect(previewIn(await write('PUT', book, json, undefined, headers)).changes).to.deep.equal([]);
    });
  });
};
