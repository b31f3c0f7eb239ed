import { expect } from 'chai';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  getPrice,
  nothing,
  override,
  percent,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';
import { cursorOf, pagesFrom } from './pages';

const tiers = {
  type: 'volume',
  tiers: [
    { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
    { firstUnit: 10, lastUnit: 99, unitPrice: 15 },
  ],
};
const regions = { type: 'enum', property: 'region', values: [{ value: 'EU', unitPrice: 12 }] };

type Line = Readonly<Record<string, unknown>>;

export const describeEffectivePrices = (api: Api): void => {
  const pathOf = (book: string, query = '') => `/v1/pricebooks/${book}/effective-prices?currency=USD${query}`;
  const list = async (book: string, query = ''): Promise<readonly Line[]> =>
    (await pagesFrom(api, pathOf(book, query))).flat() as readonly Line[];
  const csvOf = (book: string, query = '') =>
    api().request('GET', pathOf(book, query), { headers: { accept: 'text/csv' } });

  /** A book on a base, each with products of its own. */
  const createChain = async (): Promise<string> => {
    const base = await createBook(api);
    const book = await createBook(api, { basePriceBookId: base });
    await setPrices(api, base, [
      usd('lamp', override(100)),
      usd('seat', tiers),
      usd('rent', regions),
      usd('gone', override(1)),
      { productId: 'euro', adjustments: { EUR: override(5) } },
    ]);
    await setPrices(api, base, [usd('gone', nothing)]);
    await setPrices(api, book, [usd('own, "one"', override(7)), usd('waits', percent(5))]);
    await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(-50) } });
    return book;
  };

  describe('List Effective Prices', () => {
    it('answers the price of every product of the book and of its base', async () => {
      const book = await createChain();
      const answers = await list(book, '&region=EU');
      expect(answers.map(({ productId, price }) => [productId, price])).to.deep.equal([
        ['lamp', 50],
        ['own, "one"', 7],
        ['rent', 6],
        ['seat', 10],
      ]);
      for (const line of answers) {
        const answer = await getPrice(api, book, String(line['productId']), '?region=EU');
        expect(line).to.deep.equal(answer.body);
      }
      expect((await list(book, '&region=EU&quantity=10')).at(-1)).to.include({ price: 7.5 });
    });

    it('says of a table why it has no price', async () => {
      const book = await createChain();
      const answers = await list(book, '&quantity=100');
      expect(answers.map(({ productId, price }) => [productId, price])).to.deep.equal([
        ['lamp', 50],
        ['own, "one"', 7],
        ['rent', undefined],
        ['seat', undefined],
      ]);
      for (const { productId, problem } of answers.slice(2)) {
        const { requestId, ...expected } = bodyOf(
          await getPrice(api, book, String(productId), '?quantity=100'),
        );
        expect(requestId).to.be.a('string');
        expect(problem).to.deep.equal(expected);
      }
    });

    it('gives the same list in pages of any size', async () => {
      const book = await createChain();
      const whole = await list(book);
      for (const limit of [1, 2, 3, 1_000]) {
        const pages = await pagesFrom(api, pathOf(book, `&limit=${String(limit)}&at=2999-01-01T00:00:00Z`));
        expect(pages.flat()).to.deep.equal(whole);
        for (const page of pages) expect(page.length).to.be.at.most(limit);
      }
    });

    it('answers prices of a time, also of a deleted book', async () => {
      const book = await createBook(api);
      const set = bodyOf(await setPrices(api, book, [usd('lamp', override(3))]));
      const at = String(set['updatedAt']);
      // Not in the same millisecond: then the price would be over when it began.
      await new Promise((resolve) => setTimeout(resolve, 2));
      await setPrices(api, book, [
        usd('lamp', { ...override(2), validFrom: '2999-01-01T00:00:00Z' }),
        usd('new', override(9)),
      ]);
      const pricesAt = async (query: string) => (await list(book, query)).map(({ price }) => price);
      expect(await pricesAt(`&at=${at}`)).to.deep.equal([3]);
      expect(await pricesAt('')).to.deep.equal([3, 9]);
      expect(await pricesAt('&at=2999-01-01T00:00:00Z')).to.deep.equal([2, 9]);
      expect(await pricesAt(`&at=2999-01-01T00:00:00Z&knownAt=${at}`)).to.deep.equal([3]);
      expectStatus(await api().request('DELETE', `/v1/pricebooks/${book}`), 204);
      expect(await pricesAt(`&at=${at}`)).to.deep.equal([3]);
      expectProblem(await api().request('GET', pathOf(book)), { status: 404, type: 'price-book-not-found' });
    });

    it('lists the products of a prefix alone, in pages of any size', async () => {
      const base = await createBook(api);
      const book = await createBook(api, { basePriceBookId: base });
      const ids = ['a', 'all-1', 'lamp', 'lamp-1', 'lamp-2', 'lamp-🎈', 'lampe', 'lan', '🎈'];
      await setPrices(
        api,
        base,
        ids.map((id) => usd(id, override(2))),
      );
      await setPrices(api, book, [usd('lamp-1b', override(3)), usd('lamp-2', percent(50))]);
      const prefixed = (prefix: string) => `&productIdPrefix=${encodeURIComponent(prefix)}`;
      for (const [prefix, found] of [
        ['lamp-', ['lamp-1', 'lamp-1b', 'lamp-2', 'lamp-🎈']],
        ['all', ['all-1']],
        ['🎈', ['🎈']],
        ['Lamp', []],
        ['.', []],
        ['z'.repeat(256), []],
      ] as const) {
        const whole = await list(book, prefixed(prefix));
        expect(whole.map(({ productId }) => productId)).to.deep.equal(found);
        for (const limit of [1, 2, 3]) {
          expect(await list(book, `${prefixed(prefix)}&limit=${String(limit)}`)).to.deep.equal(whole);
        }
      }
      const lines = String(expectStatus(await csvOf(book, prefixed('lamp-1')), 200).body).split('\r\n');
      expect(lines.slice(1).map((line) => line.split(',').slice(0, 3).join(' '))).to.deep.equal([
        'lamp-1 USD 2',
        'lamp-1b USD 3',
        '',
      ]);
    });

    it('answers CSV: all of it, or a page', async () => {
      const book = await createChain();
      const answer = expectStatus(await csvOf(book), 200);
      expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present');
      const dates = new Map(
        (await list(book)).map(({ productId, effectiveDate }) => [productId, String(effectiveDate)]),
      );
      const { detail } = bodyOf(await getPrice(api, book, 'rent')) as { detail: string };
      expect(String(answer.body).split('\r\n')).to.deep.equal([
        'productId,currency,price,effectiveDate,validUntil,problem',
        `lamp,USD,50,${dates.get('lamp') ?? ''},,`,
        `"own, ""one""",USD,7,${dates.get('own, "one"') ?? ''},,`,
        `rent,USD,,,,"${detail.replaceAll('"', '""')}"`,
        `seat,USD,10,${dates.get('seat') ?? ''},,`,
        '',
      ]);
      const page = expectStatus(await csvOf(book, '&limit=1'), 200);
      expect(String(page.body).split('\r\n')).to.have.length(3);
      expect(page.headers.get('link')).to.match(/^<effective-prices\?currency=USD&limit=1&cursor=/);
    });

    it('explains prices as Get Product Price does', async () => {
      const book = await createChain();
      const answers = await list(book, '&explain=true&limit=2');
      expect(answers.map(({ productId }) => productId)).to.deep.equal(['lamp', 'own, "one"', 'rent', 'seat']);
      for (const { productId, ...answer } of answers) {
        if ('problem' in answer) expect(answer).not.to.have.property('explanation');
        else {
          const single = bodyOf(await getPrice(api, book, String(productId), '?explain=true'));
          expect({ productId, ...answer }).to.deep.equal(single);
        }
      }
    });

    it('refuses what it cannot read', async () => {
      const book = await createBook(api);
      for (const [query, says] of [
        ['&currency=EUR', '"currency"'],
        ['&productIdPrefix=', '"productIdPrefix"'],
        [`&productIdPrefix=${'z'.repeat(257)}`, '"productIdPrefix"'],
        ['&limit=0', '"limit"'],
        ['&cursor=x', '"cursor"'],
        [`&cursor=${cursorOf('effective-prices:all')}`, '"cursor"'],
        ['&at=yesterday', '"at"'],
        ['&knownAt=2020-01-01T00:00:00Z', '"knownAt"'],
        ['&explain=maybe', '"explain"'],
      ] as const) {
        expectProblem(await api().request('GET', pathOf(book, query)), { status: 400, says });
        expectProblem(await csvOf(book, query), { status: 400, says });
      }
      const tooMany = await api().request('GET', pathOf(book, '&explain=true&limit=101'));
      expectProblem(tooMany, { status: 400, says: '100' });
      expectProblem(await csvOf(book, '&explain=true'), { status: 400, says: 'JSON' });
      const bare = `/v1/pricebooks/${book}/effective-prices`;
      expectProblem(await api().request('GET', bare), { status: 400, says: '"currency"' });
      expectProblem(await api().request('GET', `${bare}?currency=XXX`), { status: 400, says: '"currency"' });
      for (const id of [UNKNOWN_BOOK, 'x']) {
        expectProblem(await api().request('GET', pathOf(id)), { status: 404, type: 'price-book-not-found' });
        expectProblem(await csvOf(id), { status: 404, type: 'price-book-not-found' });
      }
    });
  });
};
