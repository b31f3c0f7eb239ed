import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  getPrice,
  override,
  percent,
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
              const body = bodyOf(answer);
              const { problem, ...others } = answers[place] ?? {};
              if (answer.status === 200)
                expect({ problem, ...others }).to.deep.equal({ problem: undefined, ...body });
              else {
                expect(others).to.deep.equal({ productId, currency: currency.toUpperCase() });
                expect({ ...(problem as object), requestId: body['requestId'] }).to.deep.equal(body);
              }
            }
          },
        ),
        { numRuns: 25 },
      );
    }).timeout(60_000);

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
  });
};
