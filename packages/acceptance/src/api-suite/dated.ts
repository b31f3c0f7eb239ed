/** Dated prices: sales that begin and end by themselves, planned and cancelled, asked for before and after. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Answer, TestService } from '../testing/test-service';
import {
  bodyOf,
  createBook,
  csvOf,
  expectProblem,
  expectStatus,
  getPrice,
  nothing,
  override,
  percent,
  priceOf,
  putPrices,
  setCsv,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

const DAY_MS = 24 * 60 * 60 * 1_000;
const START = Date.now();

/** So many days from the beginning of the tests. */
const day = (days: number): string => new Date(START + days * DAY_MS).toISOString();
const dates = (from: number | undefined, until: number | undefined) => ({
  ...(from !== undefined && { validFrom: day(from) }),
  ...(until !== undefined && { validUntil: day(until) }),
});
const forAll = (adjustment: unknown) => ({ productId: 'all', adjustments: { USD: adjustment } });

export const describeDatedPrices = (api: () => Pick<TestService, 'url' | 'request' | 'setAhead'>): void => {
  const pricesAt = (book: string, days: readonly number[]): Promise<readonly unknown[]> =>
    Promise.all(days.map((days_) => priceOf(api, book, 'P', `?at=${day(days_)}`)));
  const list = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    expectStatus(await api().request('GET', `/v1/pricebooks/${path}`), 200).body as readonly Readonly<
      Record<string, unknown>
    >[];
  const cancel = (from: number | undefined, until: number | undefined) => ({
    type: 'cancel',
    ...dates(from, until),
  });

  /** A product at 100 and 10 % on all, which costs 66 from day 1 until day 3. */
  const withSale = async (): Promise<string> => {
    const book = await createBook(api);
    await setPrices(api, book, [usd('P', override(100))]);
    await setPrices(api, book, forAll(percent(10)));
    await setPrices(api, book, [usd('P', { ...override(60), ...dates(1, 3) })]);
    return book;
  };

  describe('Prices with dates', () => {
    it('begin and end by themselves, and a cancelled one does not', async () => {
      const book = await withSale();
      const days = [0.5, 1, 2, 3, 4, 5];
      expect(await pricesAt(book, days)).to.deep.equal([110, 66, 66, 110, 110, 110]);
      await setPrices(api, book, [usd('P', { ...override(120), ...dates(2, undefined) })]);
      expect(await pricesAt(book, days)).to.deep.equal([110, 66, 66, 132, 132, 132]);
      await setPrices(api, book, forAll({ ...percent(-50), ...dates(4, 5) }));
      await setPrices(api, book, [usd('P', { ...percent(-20), ...dates(2, 4) })]);
      expect(await pricesAt(book, days)).to.deep.equal([110, 66, 48, 96, 60, 132]);
      await setPrices(api, book, [usd('P', cancel(1, 3))]);
      expect(await pricesAt(book, days)).to.deep.equal([110, 110, 96, 96, 60, 132]);
      const derived = await createBook(api, { basePriceBookId: book });
      await setPrices(api, derived, [usd('P', { ...override(5), ...dates(3, 4) })]);
      expect(await pricesAt(derived, days)).to.deep.equal([110, 110, 96, 5, 60, 132]);
    });

    it('say until when they hold, where anything is dated or an explanation is asked for', async () => {
      const plain = await createBook(api);
      await setPrices(api, plain, [usd('P', override(100))]);
      expect(bodyOf(await getPrice(api, plain, 'P'))).to.not.have.property('validUntil');
      expect(bodyOf(await getPrice(api, plain, 'P', '?explain=true'))).to.have.property('validUntil', null);
      const book = await withSale();
      const asked = await Promise.all(
        ['', `?at=${day(1)}`, `?at=${day(3)}`].map(async (query) =>
          bodyOf(await getPrice(api, book, 'P', query)),
        ),
      );
      expect(asked.map(({ validUntil }) => validUntil)).to.deep.equal([day(1), day(3), null]);
      expect(asked.slice(1).map(({ effectiveDate }) => effectiveDate)).to.deep.equal([day(1), day(3)]);
    });

    it('are explained with their dates, and with what they lie over', async () => {
      const book = await withSale();
      const stepAt = async (days: number): Promise<Readonly<Record<string, unknown>>> => {
        const answer = await getPrice(api, book, 'P', `?explain=true&at=${day(days)}`);
        const { steps } = bodyOf(expectStatus(answer, 200))['explanation'] as {
          steps: readonly Readonly<Record<string, unknown>>[];
        };
        return steps[0] ?? {};
      };
      const during = await stepAt(2);
      expect(during['entered']).to.deep.include({
        adjustment: { ...override(60), ...dates(1, 3) },
        revision: 3,
      });
      expect((during['over'] as { product: { absolute: object } }).product.absolute).to.deep.include({
        adjustment: override(100),
        revision: 1,
      });
      expect(await stepAt(3)).to.deep.include({ listPrice: 100, ended: day(3), price: 110 });
      await setPrices(api, book, [usd('P', { ...nothing, ...dates(5, undefined) })]);
      expectProblem(await getPrice(api, book, 'P', `?at=${day(5)}`), { status: 404, says: day(5) });
    });

    it('change at the very instant', async () => {
      const book = await createBook(api);
      const begins = new Date(Date.now() + 700).toISOString();
      await setPrices(api, book, [usd('P', [override(100), { ...override(60), validFrom: begins }])]);
      expect(await priceOf(api, book, 'P')).to.equal(100);
      for (;;) {
        const before = Date.now();
        const price = await priceOf(api, book, 'P');
        if (before >= Date.parse(begins)) expect(price).to.equal(60);
        if (price === 60) break;
        await delay(20);
      }
      expect(Date.now()).to.be.at.least(Date.parse(begins));
      const { effectiveDate } = bodyOf(await getPrice(api, book, 'P'));
      expect(effectiveDate).to.equal(begins);
      expect(await list(`${book}/prices`)).to.deep.equal([
        { productId: 'P', adjustments: { USD: override(60) }, percents: {} },
      ]);
    });

    it('are answered as they were known at another time', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(100))]);
      const written = await setPrices(api, book, [usd('P', { ...override(60), ...dates(1, 3) })]);
      const known = String(bodyOf(written)['updatedAt']);
      const earlier = new Date(Date.parse(known) - 1).toISOString();
      while (Date.now() <= Date.parse(known)) await delay(1);
      await setPrices(api, book, [usd('P', cancel(1, 3))]);
      const at = day(2);
      expect([
        await priceOf(api, book, 'P', `?at=${at}`),
        await priceOf(api, book, 'P', `?at=${at}&knownAt=${known}`),
        await priceOf(api, book, 'P', `?at=${at}&knownAt=${earlier}`),
      ]).to.deep.equal([100, 60, 100]);
      const line = { productId: 'P', currency: 'USD' };
      const quote = (lines: readonly unknown[]): Promise<Answer> =>
        api().request('POST', `/v1/pricebooks/${book}/quote`, { json: lines });
      const quoted = expectStatus(await quote([line, { ...line, at, knownAt: known }, { ...line, at }]), 200);
      expect(
        (quoted.body as readonly { price: number; validUntil?: string | null }[]).map(
          ({ price, validUntil }) => [price, validUntil],
        ),
      ).to.deep.equal([
        [100, undefined],
        [60, day(3)],
        [100, undefined],
      ]);

      for (const query of [`?knownAt=${known}`, `?at=${at}&knownAt=${day(1)}`, `?at=${at}&knownAt=now`]) {
        expectProblem(await getPrice(api, book, 'P', query), { status: 400, says: '"knownAt"' });
      }
      const faulty = [{ ...line, knownAt: known }, line, { ...line, at, knownAt: 'now' }];
      expectProblem(await quote(faulty), { status: 400, pointers: ['/0/knownAt', '/2/knownAt'] });
      expectProblem(await quote([line, { ...line, at, knownAt: day(1) }]), {
        status: 400,
        pointers: ['/1/knownAt'],
      });
      const table = { type: 'enum', property: 'knownAt', values: [{ value: 'x', unitPrice: 1 }] };
      expectProblem(await putPrices(api, book, [usd('Q', table)]), { status: 400, says: 'knownAt' });
    });
  });

  describe('Dates that cannot be', () => {
    it('are refused with their pointers, all at once', async () => {
      const book = await createBook(api);
      const refused = await putPrices(api, book, [
        usd('A', { ...override(1), validFrom: '2026-11-27T00:00:00' }),
        usd('B', { ...override(1), validFrom: '2027-02-30T00:00:00Z' }),
        usd('C', { ...override(1), ...dates(2, 1) }),
        usd('D', [
          { ...override(1), ...dates(1, 2) },
          { ...percent(1), ...dates(1, 2) },
        ]),
        usd('E', { type: 'cancel' }),
        usd('F', [override(1), override(2)]),
      ]);
      expectProblem(refused, {
        status: 400,
        pointers: [
          '/0/adjustments/USD/validFrom',
          '/1/adjustments/USD/validFrom',
          '/2/adjustments/USD/validUntil',
          '/3/adjustments/USD/1',
          '/4/adjustments/USD',
          '/5/adjustments/USD/1',
        ],
      });
    });

    it('are those that have ended, in JSON and in CSV, but not to cancel', async () => {
      const book = await createBook(api);
      const json = [
        usd('A', { ...override(1), ...dates(-2, -1) }),
        usd('B', { ...override(1), ...dates(-2, 1) }),
        { productId: 'C', adjustments: { usd: [override(1), { ...percent(1), ...dates(undefined, -1) }] } },
        usd('D', cancel(-2, -1)),
        usd('E', [{ ...nothing, ...dates(-2, -1) }]),
      ];
      expectProblem(await putPrices(api, book, json), {
        status: 400,
        pointers: [
          '/0/adjustments/USD/validUntil',
          '/2/adjustments/usd/1/validUntil',
          '/4/adjustments/USD/0/validUntil',
        ],
        says: 'must be after the time of the request',
      });
      expectProblem(await putPrices(api, book, forAll({ ...percent(1), ...dates(-2, -1) })), {
        status: 400,
        pointers: ['/adjustments/USD/validUntil'],
      });
      const csv = await api().request('PUT', `/v1/pricebooks/${book}/prices`, {
        headers: { 'content-type': 'text/csv' },
        raw: [
          'productId,currency,type,amount,validFrom,validUntil',
          `A,USD,override,1,${day(-2)},${day(1)}`,
          `A,USD,cancel,,${day(-3)},${day(-1)}`,
          `B,USD,override,1,,${day(-1)}`,
          `all,USD,percent,1,${day(-2)},${day(-1)}`,
        ].join('\n'),
      });
      const { errors } = bodyOf(expectStatus(csv, 400)) as {
        errors: readonly { line: number; column: string }[];
      };
      expect(errors.map(({ line, column }) => [line, column])).to.deep.equal([
        [4, 'validUntil'],
        [5, 'validUntil'],
      ]);
      expect(await list(`${book}/prices`)).to.deep.equal([]);
      await setPrices(api, book, [usd('D', cancel(-2, -1)), usd('B', { ...override(1), ...dates(-2, 1) })]);
    });

    it('are answered alike when a request that was done is sent again after them', async () => {
      const book = await createBook(api);
      // Of now: a whole run of the tests may take longer than that.
      const validUntil = new Date(Date.now() + 10 * 60_000).toISOString();
      const send = (key: string): Promise<Answer> =>
        api().request('PUT', `/v1/pricebooks/${book}/prices`, {
          json: [usd('P', { ...override(1), validUntil })],
          headers: { 'idempotency-key': key },
        });
      const first = expectStatus(await send('sale'), 200);
      api().setAhead(60 * 60_000);
      try {
        const again = expectStatus(await send('sale'), 200);
        expect(again.body).to.deep.equal(first.body);
        expectProblem(await send('another'), { status: 400, pointers: ['/0/adjustments/USD/validUntil'] });
      } finally {
        api().setAhead(0);
      }
    });

    it('are more than 1,000 of a product and currency', async () => {
      const book = await createBook(api);
      const many = (count: number, first = 0) =>
        Array.from({ length: count }, (_, n) => ({ ...override(n), ...dates(first + n + 1, undefined) }));
      for (let first = 0; first < 1_000; first += 100) {
        await setPrices(api, book, [usd('P', many(100, first))]);
      }
      const another = { ...override(1), ...dates(2_000, undefined) };
      expectProblem(await putPrices(api, book, [usd('P', another)]), {
        status: 409,
        type: 'too-many-dated-adjustments',
        says: 'more than 1,000 adjustments in USD',
      });
      expectProblem(await putPrices(api, book, [usd('Q', many(101))]), { status: 400 });
      await setPrices(api, book, [usd('P', [cancel(1, undefined), another])]);
      expect(await priceOf(api, book, 'P', `?at=${day(2_000)}`)).to.equal(1);
    }).timeout(30_000);
  });

  describe('What is dated in a book', () => {
    /** Something of everything. */
    const filled = async (): Promise<string> => {
      const book = await withSale();
      await setPrices(api, book, [
        usd('P', [percent(-5), { ...percent(7), ...dates(8, undefined) }]),
        usd('Q', { ...nothing, ...dates(6, 7) }),
      ]);
      await setPrices(api, book, forAll({ ...percent(-50), ...dates(4, 5) }));
      await setPrices(api, book, {
        productId: 'all',
        adjustments: { EUR: { ...percent(1), ...dates(4, undefined) } },
      });
      return book;
    };

    it('is listed beside what stands, in the shape in which it is set', async () => {
      const book = await filled();
      expect(await list(`${book}/prices`)).to.deep.equal([
        {
          productId: 'P',
          adjustments: { USD: override(100) },
          percents: { USD: percent(-5) },
          dated: {
            USD: [
              { ...percent(7), ...dates(8, undefined) },
              { ...override(60), ...dates(1, 3) },
            ],
          },
        },
        {
          productId: 'Q',
          adjustments: {},
          percents: {},
          dated: { USD: [{ ...nothing, ...dates(6, 7) }] },
        },
      ]);
      const percents = bodyOf(await api().request('GET', `/v1/pricebooks/${book}/percents`));
      expect(percents['EUR']).to.deep.equal({
        percent: null,
        adjustment: null,
        since: null,
        revision: null,
        dated: [{ ...percent(1), ...dates(4, undefined) }],
      });
      expect(percents['USD']).to.deep.include({
        percent: 10,
        revision: 2,
        dated: [{ ...percent(-50), ...dates(4, 5) }],
      });
    });

    it('gives a list another tag when it begins or ends', async () => {
      const book = await createBook(api);
      const soon = new Date(Date.now() + 20 * 60_000).toISOString();
      const less = { ...percent(-5), validUntil: soon };
      await setPrices(api, book, [usd('P', [override(100), less])]);
      await setPrices(api, book, forAll([percent(10), less]));
      const ask = (path: string, accept: string, tag = ''): Promise<Answer> =>
        api().request('GET', `/v1/pricebooks/${book}/${path}`, { headers: { accept, 'if-none-match': tag } });
      const lists = [
        ['prices', 'application/json', '"2"'],
        ['prices', 'text/csv', '"2-csv"'],
        ['percents', 'application/json', '"2"'],
      ] as const;
      const tags: string[] = [];
      for (const [path, accept] of lists) {
        const tag = expectStatus(await ask(path, accept), 200).headers.get('etag') ?? '';
        expect(tag).to.match(/^"2(-csv)?-d[0-9a-f]{12}"$/);
        expectStatus(await ask(path, accept, tag), 304);
        tags.push(tag);
      }
      api().setAhead(60 * 60_000);
      try {
        for (const [place, [path, accept, tag]] of lists.entries()) {
          const answer = expectStatus(await ask(path, accept, tags[place]), 200);
          expect(answer.headers.get('etag')).to.equal(tag);
        }
      } finally {
        api().setAhead(0);
      }
      const write = await api().request('PUT', `/v1/pricebooks/${book}/prices`, {
        json: [usd('P', override(1))],
        headers: { 'if-match': tags[1] ?? '' },
      });
      expectStatus(write, 200);
    });

    it('goes out and in as CSV', async () => {
      const book = await filled();
      const csv = await csvOf(api, book);
      expect(csv.split('\r\n')).to.deep.equal([
        'productId,currency,type,amount,property,value,firstUnit,lastUnit,unitPrice,validFrom,validUntil,roundTo,ending',
        `all,EUR,percent,1,,,,,,${day(4)},,,`,
        'all,USD,percent,10,,,,,,,,,',
        `all,USD,percent,-50,,,,,,${day(4)},${day(5)},,`,
        'P,USD,override,100,,,,,,,,,',
        'P,USD,percent,-5,,,,,,,,,',
        `P,USD,percent,7,,,,,,${day(8)},,,`,
        `P,USD,override,60,,,,,,${day(1)},${day(3)},,`,
        `Q,USD,null,,,,,,,${day(6)},${day(7)},,`,
        '',
      ]);
      const copy = await createBook(api);
      await setCsv(api, copy, csv);
      expect(await csvOf(api, copy)).to.equal(csv);
      const days = [0.5, 1, 3, 4, 5, 8];
      expect(await pricesAt(copy, days)).to.deep.equal(await pricesAt(book, days));
    });

    it('is going to begin or end, in pages', async () => {
      const book = await filled();
      const named = (items: readonly Readonly<Record<string, unknown>>[]) =>
        items.map(({ at, productId, currency, change }) => [at, productId, currency, change]);
      const all = [
        [day(1), 'P', 'USD', 'begins'],
        [day(3), 'P', 'USD', 'ends'],
        [day(4), 'all', 'EUR', 'begins'],
        [day(4), 'all', 'USD', 'begins'],
        [day(5), 'all', 'USD', 'ends'],
        [day(6), 'Q', 'USD', 'begins'],
        [day(7), 'Q', 'USD', 'ends'],
        [day(8), 'P', 'USD', 'begins'],
      ];
      const whole = await list(`${book}/upcoming`);
      expect(named(whole)).to.deep.equal(all);
      expect(whole[0]).to.deep.equal({
        at: day(1),
        productId: 'P',
        currency: 'USD',
        change: 'begins',
        adjustment: { ...override(60), ...dates(1, 3) },
      });
      expect(named(await list(`${book}/upcoming?from=${day(3)}&to=${day(5)}`))).to.deep.equal(
        all.slice(1, 4),
      );
      const paged: Readonly<Record<string, unknown>>[] = [];
      for (let next = `upcoming?to=${day(8)}&limit=2`; next !== '';) {
        const answer = expectStatus(await api().request('GET', `/v1/pricebooks/${book}/${next}`), 200);
        paged.push(...(answer.body as typeof paged));
        next = /<(.*)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
      }
      expect(named(paged)).to.deep.equal(all.slice(0, -1));
      await setPrices(api, book, [usd('P', cancel(1, 3))]);
      expect(named(await list(`${book}/upcoming`))).to.deep.equal(all.slice(2));

      for (const query of ['from=x', 'to=x', 'limit=0', 'cursor=x', 'at=x']) {
        const answer = await api().request('GET', `/v1/pricebooks/${book}/upcoming?${query}`);
        expectProblem(answer, { status: 400, says: query.split('=')[0] ?? '' });
      }
      const unknown = await api().request('GET', `/v1/pricebooks/${UNKNOWN_BOOK}/upcoming`);
      expectProblem(unknown, { status: 404, type: 'price-book-not-found' });
    });

    it('goes on in the price history, as it is planned', async () => {
      const book = await withSale();
      const told = (query: string) => list(`${book}/P/USD/history${query}`);
      expect((await told('')).map(({ price }) => price)).to.deep.equal([100, 110]);
      const periods = (await told(`?to=${day(3.5)}`)).slice(2);
      expect(
        periods.map(({ from, to, price, planned, cause }) => [
          from,
          to,
          price,
          planned,
          (cause as { planned?: string }).planned,
        ]),
      ).to.deep.equal([
        [day(1), day(3), 66, true, 'begins'],
        [day(3), null, 110, true, 'ends'],
      ]);
      expect((periods[1]?.['cause'] as { adjustment: unknown }).adjustment).to.deep.equal({
        ...override(60),
        ...dates(1, 3),
      });
      expect(await told(`?to=${day(3)}`)).to.have.length(3);
      for (const name of ['at', 'knownAt', 'explain']) {
        expectProblem(await api().request('GET', `/v1/pricebooks/${book}/P/USD/history?${name}=x`), {
          status: 400,
          says: name,
        });
      }
    });
  });
};
