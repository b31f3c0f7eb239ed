import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Answer } from '../testing/test-service';
import { followers, until } from './follow-kit';
import { WRITES } from './idempotency';
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

interface Reasoned {
  readonly type: string;
  readonly reason?: string;
}

const because = (reason: string) => ({ 'change-reason': reason });

export const describeReasons = (api: Api): void => {
  const { follow } = followers(api);
  const eventsOf = async (book: string): Promise<readonly Reasoned[]> =>
    expectStatus(await api().request('GET', `/v1/pricebooks/${book}/events`), 200)
      .body as readonly Reasoned[];
  const reasonsOf = async (book: string) =>
    (await eventsOf(book)).map(({ type, reason }) => (reason === undefined ? [type] : [type, reason]));
  const put = async (book: string, json: unknown, reason?: string): Promise<Answer> => {
    // Nothing happens in the millisecond of what was before, so that each change begins a period.
    await delay(2);
    const headers = reason === undefined ? {} : because(reason);
    return expectStatus(await api().request('PUT', `/v1/pricebooks/${book}/prices`, { json, headers }), 200);
  };
  const stepsOf = async (book: string, query = ''): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { explanation } = bodyOf(await getPrice(api, book, 'P', `?explain=true${query}`));
    return (explanation as { readonly steps: readonly Readonly<Record<string, unknown>>[] }).steps;
  };

  describe('The reason of a write', () => {
    it('is in the history of the book, in the list and in the stream, whichever write it is', async () => {
      const created = await api().request('POST', '/v1/pricebooks', {
        json: { name: 'Reasoned' },
        headers: because('New market'),
      });
      const book = String(bodyOf(expectStatus(created, 201))['id']);
      const others = WRITES.filter(({ method }) => method !== 'POST');
      for (const [place, { method, path, json, status }] of others.entries()) {
        const headers = because(`Reason ${String(place)}`);
        expectStatus(await api().request(method, path(book), { json, headers }), status);
      }
      const expected = [
        ['PriceBookCreated', 'New market'],
        ['PriceBookUpdated', 'Reason 0'],
        ['ProductPricesSet', 'Reason 1'],
        ['PriceBookEntriesDeleted', 'Reason 2'],
        ['PriceBookDeleted', 'Reason 3'],
      ];
      expect(await reasonsOf(book)).to.deep.equal(expected);
      const stream = await follow(book);
      await until(() => stream.events().length === expected.length);
      expect(stream.events().map(({ type, data }) => [type, (data as Reasoned).reason])).to.deep.equal(
        expected,
      );
    });

    it('is absent where none was given, and does not stay with what comes next', async () => {
      const book = await createBook(api);
      await put(book, [usd('P', override(1))], 'Because');
      await put(book, [usd('P', override(2))]);
      expect(await reasonsOf(book)).to.deep.equal([
        ['PriceBookCreated'],
        ['ProductPricesSet', 'Because'],
        ['ProductPricesSet'],
      ]);
      expect(JSON.stringify(await stepsOf(book))).not.to.include('reason');
    });

    it('is that of each write by itself, where several are done together', async () => {
      const book = await createBook(api);
      const places = Array.from({ length: 20 }, (_, place) => place);
      await Promise.all(
        places.map((place) =>
          api().request('PUT', `/v1/pricebooks/${book}/prices`, {
            json: [usd(`P${String(place)}`, override(place))],
            headers: place % 3 === 0 ? {} : because(`Reason of P${String(place)}`),
          }),
        ),
      );
      for (const place of places) {
        const { explanation } = bodyOf(await getPrice(api, book, `P${String(place)}`, '?explain=true'));
        const reason = place % 3 === 0 ? undefined : `Reason of P${String(place)}`;
        expect((explanation as { steps: { entered: Reasoned }[] }).steps[0]?.entered.reason).to.equal(reason);
      }
    });

    it('is that of every event that a body of CSV makes', async () => {
      const book = await createBook(api);
      const raw = 'productId,currency,type,amount\r\nP,USD,override,5\r\nall,USD,percent,10\r\n';
      const headers = { 'content-type': 'text/csv', ...because('Weekly list') };
      expectStatus(await api().request('PUT', `/v1/pricebooks/${book}/prices`, { raw, headers }), 200);
      expect(await reasonsOf(book)).to.deep.equal([
        ['PriceBookCreated'],
        ['ProductPricesSet', 'Weekly list'],
        ['AllProductsAdjusted', 'Weekly list'],
      ]);
    });

    it('stands in explanations, with each adjustment and removal that decides a price', async () => {
      const root = await createBook(api);
      const book = await createBook(api, { basePriceBookId: root });
      await put(root, [usd('P', override(100))], 'List of 2026');
      const before = bodyOf(
        await put(root, { productId: 'all', adjustments: { USD: percent(10) } }, 'Costs'),
      );
      await put(book, [usd('P', percent(-50))], 'Partner deal');
      const [ofRoot, ofBook] = await stepsOf(book);
      expect(ofRoot).to.deep.nested.include({ 'entered.reason': 'List of 2026', 'change.reason': 'Costs' });
      expect(ofBook).to.deep.nested.include({ 'change.reason': 'Partner deal' });
      const headers = because('Deal ended');
      const path = `/v1/pricebooks/${book}/prices`;
      expectStatus(await api().request('DELETE', path, { json: ['P'], headers }), 204);
      expect((await stepsOf(book))[1]).to.deep.nested.include({ 'removed.reason': 'Deal ended' });
      // What was there at a time has the reason of that time.
      const then = await stepsOf(root, `&at=${String(before['updatedAt'])}`);
      expect(then[0]).to.deep.nested.include({ 'entered.reason': 'List of 2026', 'change.reason': 'Costs' });
      // What is dated, and what it lies over.
      const dated = { ...override(80), validUntil: '2099-01-01T00:00:00Z' };
      await put(root, [usd('P', dated)], 'Clearance');
      expect((await stepsOf(root))[0]).to.deep.nested.include({
        'entered.reason': 'Clearance',
        'over.product.absolute.reason': 'List of 2026',
      });
    });

    it('stands in the history of a price, with the cause of each period', async () => {
      const book = await createBook(api);
      await put(book, [usd('P', override(1))], 'First');
      await put(book, [usd('P', override(2))]);
      const planned = { ...override(3), validFrom: '2099-01-01T00:00:00.000Z' };
      await put(book, [usd('P', planned)], 'Planned');
      await put(book, { productId: 'all', adjustments: { USD: percent(10) } }, 'Inflation');
      const target = `/v1/pricebooks/${book}/P/USD/history?to=2100-01-01T00:00:00Z`;
      const periods = expectStatus(await api().request('GET', target), 200).body as readonly {
        readonly cause: Reasoned;
      }[];
      expect(periods.map(({ cause }) => cause.reason)).to.deep.equal([
        'First',
        undefined,
        'Inflation',
        'Planned',
      ]);
    });

    it('is printable ASCII, or a Display String of anything else', async () => {
      const book = await createBook(api);
      const understood: readonly (readonly [sent: string, reason: string])[] = [
        ['50% off, "as agreed" \\o/', '50% off, "as agreed" \\o/'],
        ['%c3%bc', '%c3%bc'],
        ['%"f%c3%bcr Q4"', 'für Q4'],
        ['%"f%C3%BCr Q4"', 'für Q4'],
        ['%"%f0%9f%8e%88 %25 %22 plain"', '🎈 % " plain'],
        ['%"  trimmed "', 'trimmed'],
        ['x'.repeat(200), 'x'.repeat(200)],
        [`%"${'%f0%9f%8e%88'.repeat(200)}"`, '🎈'.repeat(200)],
      ];
      for (const [place, [sent]] of understood.entries()) await put(book, [usd('P', override(place))], sent);
      expect((await eventsOf(book)).slice(1).map(({ reason }) => reason)).to.deep.equal(
        understood.map(([, reason]) => reason),
      );
    });

    it('is refused where it is malformed, and nothing is done', async () => {
      const book = await createBook(api);
      const malformed: readonly (readonly [sent: string, says: string])[] = [
        ['', '1 to 200 characters'],
        ['x'.repeat(201), 'it has 201'],
        [`%"${'%c3%bc'.repeat(201)}"`, 'it has 201'],
        ['%""', '1 to 200 characters'],
        ['%"%20"', '1 to 200 characters'],
        ['für', 'printable ASCII'],
        ['a\tb', 'printable ASCII'],
        ['%"open', 'Display String'],
        ['%"a" ; b', 'Display String'],
        ['%"%zz"', 'Display String'],
        ['%"%c"', 'Display String'],
        ['%"%fc"', 'Display String'],
        ['%"%ed%a0%80"', 'Display String'],
        ['%"a%0ab"', 'control characters'],
        ['%"%c2%85x"', 'control characters'],
      ];
      for (const { method, path, json } of WRITES) {
        for (const [sent, says] of malformed) {
          const answer = await api().request(method, path(book), { json, headers: because(sent) });
          expectProblem(answer, { status: 400, type: 'invalid-request', says });
          expectProblem(answer, { status: 400, says: 'The header Change-Reason' });
        }
      }
      expect(await reasonsOf(book)).to.deep.equal([['PriceBookCreated']]);
    });

    it('is no part of what makes a request the same: a retry is answered alike, and the first reason stays', async () => {
      const book = await createBook(api);
      const key = { 'idempotency-key': randomUUID() };
      const send = (reason: string) =>
        api().request('PUT', `/v1/pricebooks/${book}/prices`, {
          json: [usd('P', override(7))],
          headers: { ...key, ...because(reason) },
        });
      const first = expectStatus(await send('First'), 200);
      const again = expectStatus(await send('Second'), 200);
      expect(again.body).to.deep.equal(first.body);
      expect(await reasonsOf(book)).to.deep.equal([['PriceBookCreated'], ['ProductPricesSet', 'First']]);
    });

    it('makes no event of a write that changes nothing, and means nothing to reads', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(5))]);
      const headers = because('No news');
      expectStatus(await api().request('PATCH', `/v1/pricebooks/${book}`, { json: {}, headers }), 200);
      const read = { headers: because('für') };
      expectStatus(await api().request('GET', `/v1/pricebooks/${book}`, read), 200);
      expect(await reasonsOf(book)).to.deep.equal([['PriceBookCreated'], ['ProductPricesSet']]);
      expect(await priceOf(api, book, 'P')).to.equal(5);
    });

    it('does not help a write to a book that is not there', async () => {
      const options = { json: [usd('P', override(5))], headers: because('Anyway') };
      const answer = await api().request('PUT', `/v1/pricebooks/${UNKNOWN_BOOK}/prices`, options);
      expectProblem(answer, { status: 404, type: 'price-book-not-found' });
    });
  });
};
