import { priceRequests } from '@pricebook/domain/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Answer } from '../testing/test-service';
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

const tiers = {
  type: 'volume',
  tiers: [
    { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
    { firstUnit: 10, lastUnit: 99, unitPrice: 15 },
  ],
};
const colours = {
  type: 'enum',
  property: 'colour',
  values: [
    { value: 'dark blue', unitPrice: 1 },
    { value: '7', unitPrice: 2 },
  ],
};
const seats = { type: 'range', property: 'seats', values: [{ firstUnit: 0, lastUnit: 10.5, unitPrice: 3 }] };

/** A question that can be asked of Quote and of Get Product Price. */
interface Asked {
  readonly productId: string;
  readonly given: { readonly json: string; readonly query: string; readonly isInLine: boolean } | undefined;
  readonly region: string | undefined;
}

export const describeQuotes = (api: Api): void => {
  const ask = (book: string, json: unknown, query = '') =>
    api().request('POST', `/v1/pricebooks/${book}/quote${query}`, { json });
  const answersOf = async (book: string, json: unknown, query = '') =>
    expectStatus(await ask(book, json, query), 200).body as readonly Readonly<Record<string, unknown>>[];
  const line = (productId: string, others: object = {}) => ({ productId, currency: 'USD', ...others });

  const createList = async (): Promise<string> => {
    const base = await createBook(api);
    const book = await createBook(api, { basePriceBookId: base });
    await setPrices(api, base, [
      usd('V', tiers),
      usd('C', colours),
      usd('S', seats),
      usd('plain', override(9.99)),
      { productId: 'euro', adjustments: { EUR: override(5) } },
    ]);
    await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(10) } });
    return book;
  };

  /** What a line is answered, and what Get Product Price is. */
  const expectSame = (
    quoted: Readonly<Record<string, unknown>> | undefined,
    answer: Answer,
    { id: _id, at: _at, ...asked }: Readonly<Record<string, unknown>>,
  ): void => {
    const { problem, lineTotal, ...others } = quoted ?? {};
    const body = bodyOf(answer);
    if (answer.status === 200) {
      expect(problem).to.equal(undefined);
      expect(others).to.deep.equal({ ...asked, ...body });
      expect(typeof lineTotal).to.equal('number');
      return;
    }
    expect(others).to.deep.equal({ ...asked, currency: String(asked['currency']).toUpperCase() });
    expect({ ...(problem as object), requestId: body['requestId'] }).to.deep.equal(body);
  };

  describe('Quote', () => {
    it('answers each line in the order asked, with its price or its problem', async () => {
      const book = await createList();
      const answers = await answersOf(book, [
        line('V', { quantity: 10 }),
        line('C', { properties: { colour: 'dark blue' } }),
        line('C'),
        line('unknown'),
        { productId: 'euro', currency: 'eur' },
        line('S', { properties: { seats: 10.5 } }),
        line('S', { properties: { seats: 'many' } }),
        line('V', { quantity: 100 }),
        line('V', { quantity: 10 }),
      ]);
      expect(answers.map(({ price }) => price)).to.deep.equal([
        16.5,
        1.1,
        undefined,
        undefined,
        5,
        3.3,
        undefined,
        undefined,
        16.5,
      ]);
      expect(Object.keys(answers[4] ?? {})).to.deep.equal([
        'productId',
        'price',
        'currency',
        'effectiveDate',
        'lineTotal',
      ]);
      expect(answers[3]).to.deep.equal({
        productId: 'unknown',
        currency: 'USD',
        problem: {
          type: '/problems/no-price',
          title: 'There is no such price',
          status: 404,
          detail: 'The product has no list price in this currency, in this book or in its bases.',
        },
      });
      const statuses = [2, 6, 7].map((place) => (answers[place]?.['problem'] as { status: number }).status);
      expect(statuses).to.deep.equal([400, 400, 404]);
      expect(
        [2, 6].map((place) => (answers[place]?.['problem'] as { detail: string }).detail.split(/[:,] /)[0]),
      ).to.deep.equal(['The price needs "colour"', 'The value of "seats" must be a number']);
    });

    it('answers line by line what Get Product Price answers', async () => {
      const book = await createList();
      const values = fc.oneof(
        fc.constantFrom('dark blue', '7', '', 'ä&=+ %'),
        fc.constantFrom(7, 10.5, 1e-7, -1),
      );
      const lines = fc.record(
        {
          productId: fc.constantFrom('V', 'C', 'S', 'plain', 'euro'),
          currency: fc.constantFrom('USD', 'usd', 'EUR'),
          quantity: fc.constantFrom(1, 9.5, 10, 1e21, 0.1),
          properties: fc.dictionary(fc.constantFrom('colour', 'seats', 'other'), values),
          at: fc.constantFrom('2020-01-01T00:00:00+01:00', '2999-01-01T00:00:00Z'),
        },
        { requiredKeys: ['productId', 'currency'] },
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(lines, { minLength: 1, maxLength: 8 }),
          fc.boolean(),
          async (asked, explain) => {
            const answers = await answersOf(book, asked, `?explain=${String(explain)}`);
            expect(answers).to.have.length(asked.length);
            for (const [place, { productId, currency, quantity, properties = {}, at }] of asked.entries()) {
              const query = new URLSearchParams({
                explain: String(explain),
                ...Object.fromEntries(
                  Object.entries(properties).map(([name, value]) => [name, String(value)]),
                ),
                ...(quantity !== undefined && { quantity: String(quantity) }),
                ...(at !== undefined && { at }),
              });
              const answer = await getPrice(api, book, productId, `?${query.toString()}`, currency);
              expectSame(answers[place], answer, asked[place] ?? {});
              if (answer.status !== 200) expect(answers[place]).to.include({ productId });
            }
          },
        ),
        { numRuns: 25 },
      );
    }).timeout(60_000);

    it('agrees with Get Product Price in any book, however a quantity is written and wherever it stands', async () => {
      // Numbers as they can be written in JSON and in a query alike, and what is none in either.
      const quantity = fc.constantFrom(
        ...['1', '2', '2.0', '2e0', '0.20e1', '10', '10.5', '1e21', '1E400', '5e-324', '0.1'],
        ...['0', '0.0', '-0', '-1', '1e-400'],
      );
      const text = fc.constantFrom('abc', '', ' 2', '02', '+2', '2,0', 'EU', '0x2');
      const { productRequest, allProductsRequest } = priceRequests(
        fc.constantFrom('P', 'Q'),
        fc.constant('USD'),
      );
      const tables = ['enum', 'range', 'volume'].map((type) => ({
        type,
        ...(type !== 'volume' && { property: 'quantity' }),
        [type === 'volume' ? 'tiers' : 'values']: ['2', '10'].map((value, index) =>
          type === 'enum'
            ? { value, unitPrice: index }
            : { firstUnit: Number(value), lastUnit: Number(value), unitPrice: index },
        ),
      }));
      const question = fc.record({
        productId: fc.constantFrom('P', 'Q', 'enum', 'range', 'volume', 'plain'),
        // A quantity as text of JSON and as that of a query.
        given: fc.oneof(
          fc.record({ json: quantity, isInLine: fc.boolean() }).map((one) => ({ ...one, query: one.json })),
          text.map((query) => ({ json: JSON.stringify(query), isInLine: false, query })),
          fc.constant(undefined),
        ),
        region: fc.constantFrom(undefined, 'EU', 'US', '1'),
      });
      const rawOf = (asked: Asked): string => {
        const { productId, given, region } = asked;
        const quantityField = given === undefined ? [] : [`"quantity":${given.json}`];
        const isInLine = given?.isInLine === true;
        const properties = [
          ...(region === undefined ? [] : [`"region":"${region}"`]),
          ...(isInLine ? [] : quantityField),
        ];
        const fields = [
          `"productId":"${productId}","currency":"USD","properties":{${properties.join(',')}}`,
          ...(isInLine ? quantityField : []),
        ];
        return `[{${fields.join(',')}}]`;
      };
      const queryOf = ({ given, region }: Asked): string =>
        new URLSearchParams({
          ...(given !== undefined && { quantity: given.query }),
          ...(region !== undefined && { region }),
        }).toString();
      const headers = { 'content-type': 'application/json' };
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(productRequest, allProductsRequest), { maxLength: 5 }),
          fc.array(question, { minLength: 8, maxLength: 16 }),
          async (requests, questions) => {
            const book = await createBook(api);
            await setPrices(api, book, [
              ...tables.map((table) => usd(table.type, table)),
              usd('plain', override(9.99)),
            ]);
            for (const { operation, body } of requests) {
              if (operation === 'set') await setPrices(api, book, body);
            }
            for (const asked of questions) {
              const raw = rawOf(asked);
              const [line] = JSON.parse(raw) as [Readonly<Record<string, unknown>>];
              const price = await getPrice(api, book, asked.productId, `?${queryOf(asked)}`);
              const quoted = await api().request('POST', `/v1/pricebooks/${book}/quote`, { raw, headers });
              if (quoted.status === 200) {
                expectSame((quoted.body as readonly Readonly<Record<string, unknown>>[])[0], price, line);
              } else {
                expectProblem(quoted, { status: 400, type: 'invalid-request', says: 'must be' });
                expectProblem(price, { status: 400, says: 'The value of "quantity" must be a number' });
              }
            }
          },
        ),
        { numRuns: 15 },
      );
    }).timeout(60_000);

    it('repeats what a line gave, and gives its total, rounded once', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [
        usd('token', override(0.00035)),
        usd('lamp', override(54.99)),
        { productId: 'yen', adjustments: { JPY: override(33) } },
      ]);
      const lines = [
        line('token', { id: 'a', quantity: 1_000_001 }),
        line('token', { id: 'a', quantity: 1 }),
        line('lamp', { properties: { quantity: '10.0', other: 5 } }),
        { productId: 'yen', currency: 'JPY', quantity: 1.5 },
        line('lamp'),
        line('unknown', { id: 'b', quantity: 2, properties: { x: 'y' } }),
      ];
      const answers = await answersOf(book, lines);
      expect(answers.map(({ lineTotal }) => lineTotal)).to.deep.equal([350, 0, 549.9, 50, 54.99, undefined]);
      for (const [place, asked] of lines.entries()) expect(answers[place]).to.deep.include(asked);
      expectProblem(await ask(book, [line('lamp', { id: '' })]), { status: 400, pointers: ['/0/id'] });
    });

    it('adds up by currency, and says how many lines are not in a total', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [
        usd('lamp', override(54.99)),
        usd('token', override(0.00035)),
        { productId: 'yen', adjustments: { JPY: override(33) } },
      ]);
      const lines = [
        line('lamp', { id: 'a', quantity: 10 }),
        { productId: 'yen', currency: 'jpy', quantity: 1.5 },
        line('token', { quantity: 20 }),
        line('unknown'),
        { productId: 'lamp', currency: 'EUR' },
      ];
      const path = `/v1/pricebooks/${book}/quote-with-totals`;
      const withTotals = expectStatus(await api().request('POST', path, { json: lines }), 200);
      expect(withTotals.body).to.deep.equal({
        lines: await answersOf(book, lines),
        totals: {
          USD: { amount: 549.91, lines: 2, linesWithoutTotal: 1 },
          JPY: { amount: 50, lines: 1, linesWithoutTotal: 0 },
          EUR: { amount: 0, lines: 0, linesWithoutTotal: 1 },
        },
      });
      expectProblem(await api().request('POST', path, { json: [] }), { status: 400, pointers: [''] });
      expectProblem(await api().request('POST', path.replace(book, UNKNOWN_BOOK), { json: lines }), {
        status: 404,
        type: 'price-book-not-found',
      });
    });

    it('refuses a malformed line for the whole, with every fault at its place', async () => {
      const book = await createList();
      expectProblem(
        await ask(book, [
          line('plain'),
          line('all', { quantity: 0 }),
          line('V', { quantity: 1, properties: { quantity: 2 } }),
          line('V', { at: 'yesterday', extra: true }),
        ]),
        {
          status: 400,
          pointers: ['/1/productId', '/1/quantity', '/2/properties/quantity', '/3/at', '/3/extra'],
        },
      );
      for (const json of [[], {}, null])
        expectProblem(await ask(book, json), { status: 400, pointers: [''] });
      expectProblem(await ask(book, [line('V')], '?quantity=1'), { status: 400, says: 'quantity' });
      expectProblem(await ask(book, [line('V')], '?explain=yes'), { status: 400, says: 'explain' });
    });

    it('answers 404 where no line finds the book, and for single lines of a deleted one', async () => {
      for (const id of [UNKNOWN_BOOK, 'x']) {
        const json = [line('plain'), line('plain', { at: '2999-01-01T00:00:00Z' })];
        expectProblem(await ask(id, json), { status: 404, type: 'price-book-not-found' });
        expectProblem(await ask(id, [{}]), { status: 400 });
      }
      const book = await createBook(api);
      const set = await setPrices(api, book, [usd('P', override(3))]);
      const at = bodyOf(set)['updatedAt'];
      // Not in the same millisecond: then the price would be over when it began.
      await new Promise((resolve) => setTimeout(resolve, 2));
      expectStatus(await api().request('DELETE', `/v1/pricebooks/${book}`), 204);
      expectProblem(await ask(book, [line('P')]), { status: 404, type: 'price-book-not-found' });
      const answers = await answersOf(book, [line('P', { at }), line('P')]);
      expect(answers[0]).to.include({ price: 3 });
      expect(answers[1]?.['problem']).to.include({ type: '/problems/price-book-not-found', status: 404 });
    });

    it('gives the exact total of graduated tiers, and the price of a unit', async () => {
      const book = await createBook(api);
      const tiers = [
        { firstUnit: 1, lastUnit: 10, unitPrice: 20 },
        { firstUnit: 11, unitPrice: 15 },
      ];
      await setPrices(api, book, [usd('seat', { type: 'graduated', tiers })]);
      const line = { productId: 'seat', currency: 'USD', quantity: 15 };
      const quote = async () =>
        (await api().request('POST', `/v1/pricebooks/${book}/quote`, { json: [line] }))
          .body as readonly object[];
      expect((await quote())[0]).to.include({ price: 18.33, lineTotal: 275 });
      expect(await priceOf(api, book, 'seat', '?quantity=15')).to.equal(18.33);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(10) } });
      expect((await quote())[0]).to.include({ price: 20.16, lineTotal: 302.4 });
    });
  });
};
