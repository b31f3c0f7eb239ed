import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
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

type Json = Readonly<Record<string, unknown>>;

const when = (attribute: string, operator: string, ...values: readonly string[]) => ({
  attribute,
  operator,
  values,
});

/** Tests share a service: each has rules for a tenant of its own, and takes them away again. */
export const describeSelectionRules = (api: Api): void => {
  describe('the choice of a book', () => {
    let made: string[] = [];
    let tenant = '';
    let count = 0;
    beforeEach(() => {
      made = [];
      count += 1;
      tenant = `t${String(count)}`;
    });
    afterEach(async () => {
      for (const id of made) await api().request('DELETE', `/v1/selection-rules/${id}`);
    });

    const send = (json: unknown) => api().request('POST', '/v1/selection-rules', { json });
    const createRule = async (
      priceBookId: string,
      priority: number,
      conditions: readonly object[] = [],
      name = 'A rule',
    ): Promise<string> => {
      const json = {
        name,
        priority,
        priceBookId,
        conditions: [...conditions, when('tenant', 'eq', tenant)],
      };
      const id = String(bodyOf(expectStatus(await send(json), 201))['id']);
      made.push(id);
      return id;
    };
    const bookWith = async (...amounts: readonly (readonly [product: string, amount: number])[]) => {
      const book = await createBook(api);
      await setPrices(
        api,
        book,
        amounts.map(([product, amount]) => usd(product, override(amount))),
      );
      return book;
    };
    const get = (product: string, query = '') =>
      api().request('GET', `/v1/prices/${product}/USD?tenant=${tenant}${query === '' ? '' : `&${query}`}`);
    const priceOf = async (product: string, query = ''): Promise<unknown> => {
      const answer = await get(product, query);
      return answer.status === 404 ? undefined : bodyOf(expectStatus(answer, 200))['price'];
    };
    const triedIn = (body: Json): readonly unknown[] =>
      (body['triedRules'] as readonly Json[])
        .filter(({ selectionRuleId }) => made.includes(String(selectionRuleId)))
        .map(({ selectionRuleId, outcome, condition, given }) => [
          made.indexOf(String(selectionRuleId)),
          outcome,
          ...(condition === undefined ? [] : [(condition as Json)['attribute'], given]),
        ]);

    describe('Selection rules', () => {
      it('are created, found, replaced and deleted, each at a revision', async () => {
        const book = await createBook(api);
        const json = {
          name: 'Gold',
          priority: 7,
          priceBookId: book,
          conditions: [when('group', 'eq', 'gold')],
        };
        const created = expectStatus(await send(json), 201);
        const { id, revision, createdAt, updatedAt, updatedBy, ...content } = bodyOf(created);
        made.push(String(id));
        const path = `/v1/selection-rules/${String(id)}`;
        expect(content).to.deep.equal(json);
        expect(created.headers.get('location')).to.equal(`selection-rules/${String(id)}`);
        expect(created.headers.get('etag')).to.equal(`"${String(revision)}"`);
        expect([createdAt, updatedBy]).to.deep.equal([updatedAt, 'bootstrap']);
        const found = await api().request('GET', path);
        expect(found.body).to.deep.equal(created.body);
        const tag = String(found.headers.get('etag'));
        expectStatus(await api().request('GET', path, { headers: { 'if-none-match': tag } }), 304);

        const changed = { ...json, priority: 8 };
        const headers = { 'if-match': tag };
        const why = { ...headers, 'change-reason': 'Autumn' };
        const replaced = expectStatus(await api().request('PUT', path, { json: changed, headers: why }), 200);
        expect(bodyOf(replaced)).to.include({ priority: 8, createdAt });
        // The same content changes nothing.
        const again = await api().request('PUT', path, { json: changed });
        expect(again.body).to.deep.equal(replaced.body);
        expectProblem(await api().request('PUT', path, { json, headers }), {
          status: 412,
          type: 'revision-mismatch',
          says: String(bodyOf(replaced)['revision']),
        });
        expectProblem(await api().request('DELETE', path, { headers }), { status: 412 });
        expectStatus(
          await api().request('DELETE', path, {
            headers: { 'if-match': String(replaced.headers.get('etag')) },
          }),
          204,
        );
        expectProblem(await api().request('GET', path), { status: 404, type: 'selection-rule-not-found' });
        expectProblem(await api().request('PUT', path, { json }), { status: 404 });
        expectProblem(await api().request('DELETE', path), { status: 404 });

        const events = expectStatus(await api().request('GET', `${path}/events`), 200)
          .body as readonly Json[];
        expect(
          events.map(({ type, actor, rule }) => [type, actor, (rule as Json | undefined)?.['priority']]),
        ).to.deep.equal([
          ['SelectionRuleCreated', 'bootstrap', 7],
          ['SelectionRuleReplaced', 'bootstrap', 8],
          ['SelectionRuleDeleted', 'bootstrap', undefined],
        ]);
        expect(events.map(({ reason }) => reason)).to.deep.equal([undefined, 'Autumn', undefined]);
        const first = await api().request('GET', `${path}/events?limit=2`);
        expect(first.body).to.deep.equal(events.slice(0, 2));
        const [, next] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];
        const rest = await api().request('GET', `/v1/selection-rules/${String(id)}/${String(next)}`);
        expect([rest.body, rest.headers.get('link')]).to.deep.equal([events.slice(2), null]);
        expectProblem(await api().request('GET', '/v1/selection-rules/none/events'), { status: 404 });
      });

      it('are listed in the order in which they are tried', async () => {
        const book = await createBook(api);
        for (const priority of [1, 3, 2, 3]) await createRule(book, priority);
        const list = expectStatus(await api().request('GET', '/v1/selection-rules'), 200)
          .body as readonly Json[];
        const ours = list.map(({ id }) => made.indexOf(String(id))).filter((place) => place >= 0);
        expect(ours).to.deep.equal([1, 3, 2, 0]);
      });

      it('are told every fault of the body at once', async () => {
        const conditions = [
          when('at', 'eq', 'x'),
          when('a', 'near', 'x'),
          when('a', 'eq', 'x', 'y'),
          when('a', 'gt', 'x'),
          when('quantity', 'in', '1', 'x'),
          when('a', 'in'),
        ];
        expectProblem(await send({ name: '', priority: 1.5, priceBookId: 'x', conditions, id: 'mine' }), {
          status: 400,
          pointers: [
            '/name',
            '/priority',
            '/priceBookId',
            '/conditions/0/attribute',
            '/conditions/1/operator',
            '/conditions/2/values',
            '/conditions/3/values/0',
            '/conditions/4/values/1',
            '/conditions/5/values',
            '/id',
          ],
        });
        const many = Array.from({ length: 2 }, () => when('a', 'in', ...Array<string>(51).fill('x')));
        expectProblem(await send({ name: 'A', priority: 1, priceBookId: UNKNOWN_BOOK, conditions: many }), {
          status: 400,
          pointers: ['/conditions'],
          says: 'at most 100',
        });
        expectProblem(await send({ name: 'A', priority: 1, priceBookId: UNKNOWN_BOOK, conditions: [] }), {
          status: 400,
          pointers: ['/priceBookId'],
          says: 'existing price book',
        });
      });
    });

    describe('Get Price by Context', () => {
      it('answers from the book of the first rule that matches, and says which one that is', async () => {
        const [gold, many, everyone] = [
          await bookWith(['lamp', 8]),
          await bookWith(['lamp', 9]),
          await bookWith(['lamp', 10]),
        ];
        await createRule(everyone, 0);
        await createRule(many, 10, [when('quantity', 'gte', '100'), when('quantity', 'lt', '1e3')]);
        await createRule(gold, 20, [when('group', 'in', 'gold', 'staff')], 'Gold');
        expect(await priceOf('lamp')).to.equal(10);
        expect(await priceOf('lamp', 'quantity=100')).to.equal(9);
        expect(await priceOf('lamp', 'quantity=1000')).to.equal(10);
        expect(await priceOf('lamp', 'quantity=100&group=gold')).to.equal(8);
        // A customer may be in several groups.
        expect(await priceOf('lamp', 'group=silver&group=staff')).to.equal(8);
        expect(await priceOf('lamp', 'group=Gold')).to.equal(10);
        const plain = bodyOf(await get('lamp', 'group=gold'));
        expect(plain)
          .to.include({ priceBookId: gold, selectionRuleId: made[2] })
          .and.not.have.any.keys('triedRules', 'explanation');
      });

      it('explains each rule that was tried, and then the price', async () => {
        const [empty, book] = [await createBook(api), await bookWith(['lamp', 10])];
        await createRule(book, 0);
        await createRule(empty, 10, [when('country', 'eq', 'DE')]);
        await createRule(book, 20, [when('country', 'in', 'DE', 'AT'), when('seats', 'gt', '5')]);
        const body = bodyOf(expectStatus(await get('lamp', 'country=DE&seats=five&explain=true'), 200));
        expect(triedIn(body)).to.deep.equal([
          [2, 'conditionNotMet', 'seats', ['five']],
          [1, 'noListPrice'],
          [0, 'answered'],
        ]);
        expect((body['explanation'] as Json)['steps']).to.have.length(1);
        // The book before may have a price later: nothing is said of how long this one holds.
        expect(body).not.to.have.property('validUntil');
        const [first] = body['triedRules'] as readonly Json[];
        expect(first).to.include({ name: 'A rule', priority: 20, priceBookId: book, actor: 'bootstrap' });

        expectProblem(await get('chair', 'country=DE'), {
          status: 404,
          type: 'no-price',
          says: 'none of their books',
        });
        const none = bodyOf(await get('chair', 'country=DE&explain=true'));
        expect(triedIn(none).map((tried) => (tried as unknown[])[1])).to.deep.equal([
          'conditionNotMet',
          'noListPrice',
          'noListPrice',
        ]);
        const path = '/v1/prices/chair/USD?tenant=nobody';
        expectProblem(await api().request('GET', path), {
          status: 404,
          type: 'no-price',
          says: 'No selection rule',
        });
      });

      it('passes over a rule whose book is deleted, and says so', async () => {
        const [gone, book] = [await bookWith(['lamp', 1]), await bookWith(['lamp', 10])];
        await createRule(gone, 9);
        await createRule(book, 8);
        expect(await priceOf('lamp')).to.equal(1);
        expectStatus(await api().request('DELETE', `/v1/pricebooks/${gone}`), 204);
        const body = bodyOf(await get('lamp', 'explain=true'));
        expect(body['price']).to.equal(10);
        expect(triedIn(body)).to.deep.equal([
          [0, 'priceBookNotFound'],
          [1, 'answered'],
        ]);
      });

      it('does not go on to the next book where a table of the chosen one refuses the request', async () => {
        const regions = { type: 'enum', property: 'region', values: [{ value: 'EU', unitPrice: 5 }] };
        const [book, other] = [await createBook(api), await bookWith(['seat', 10])];
        await setPrices(api, book, [usd('seat', regions)]);
        await createRule(book, 2);
        await createRule(other, 1);
        expect(await priceOf('seat', 'region=EU')).to.equal(5);
        expectProblem(await get('seat', 'region=US'), { status: 404, says: 'No row' });
        expectProblem(await get('seat'), { status: 400, says: 'region' });
        expectProblem(await get('seat', 'region=EU&quantity=0'), { status: 400 });
      });

      it('answers about the past with the rules of then', async () => {
        const [before, after] = [await bookWith(['lamp', 1]), await bookWith(['lamp', 2])];
        const id = await createRule(before, 5);
        const rule = bodyOf(await api().request('GET', `/v1/selection-rules/${id}`));
        const { name, priority, conditions } = rule;
        const json = { name, priority, conditions, priceBookId: after };
        const path = `/v1/selection-rules/${id}`;
        await delay(5);
        const changed = bodyOf(expectStatus(await api().request('PUT', path, { json }), 200));
        await delay(5);
        expectStatus(await api().request('DELETE', path), 204);
        expect(await priceOf('lamp')).to.equal(undefined);
        const events = (await api().request('GET', `${path}/events`)).body as readonly Json[];
        const deleted = String(events[2]?.['occurredAt']);
        expect(await priceOf('lamp', `at=${String(rule['createdAt'])}`)).to.equal(1);
        expect(await priceOf('lamp', `at=${String(changed['updatedAt'])}`)).to.equal(2);
        expect(await priceOf('lamp', `at=${deleted}`)).to.equal(undefined);
      });
    });

    describe('Quote by Context', () => {
      const quote = (json: unknown, query = '') => api().request('POST', `/v1/quote${query}`, { json });
      const line = (productId: string, others: object = {}) => ({ productId, currency: 'USD', ...others });

      it('answers each line as Get Price by Context does, with totals', async () => {
        const [gold, many, everyone] = [
          await bookWith(['a', 1], ['b', 2]),
          await bookWith(['b', 3], ['c', 4]),
          await bookWith(['a', 5], ['b', 6], ['c', 7]),
        ];
        await createRule(gold, 3, [when('group', 'eq', 'gold')]);
        await createRule(many, 2, [when('quantity', 'gt', '10')]);
        await createRule(everyone, 1, [when('country', 'in', 'DE', 'AT')]);
        const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined });
        const someLine = fc.record({
          productId: fc.constantFrom('a', 'b', 'c', 'd'),
          quantity: maybe(fc.constantFrom(1, 10, 10.5, 200)),
          group: maybe(fc.constantFrom('gold', 'silver')),
        });
        await fc.assert(
          fc.asyncProperty(
            fc.array(someLine, { minLength: 1, maxLength: 6 }),
            maybe(fc.constantFrom('gold', 'silver')),
            maybe(fc.constantFrom('DE', 'FR')),
            async (lines, group, country) => {
              const context = {
                tenant: [tenant],
                ...(group !== undefined && { group: [group] }),
                ...(country !== undefined && { country: [country] }),
              };
              const json = {
                context,
                lines: lines.map(({ group: own, ...rest }) => ({
                  ...(JSON.parse(JSON.stringify(rest)) as object),
                  currency: 'USD',
                  ...(own !== undefined && { properties: { group: own } }),
                })),
              };
              const { lines: answers } = bodyOf(expectStatus(await quote(json), 200));
              for (const [place, asked] of lines.entries()) {
                const query = new URLSearchParams({
                  ...(asked.quantity !== undefined && { quantity: String(asked.quantity) }),
                  ...((asked.group ?? group) !== undefined && { group: String(asked.group ?? group) }),
                  ...(country !== undefined && { country }),
                });
                const { body } = await get(asked.productId, query.toString());
                const answer = (answers as readonly Json[])[place];
                if ((body as Json)['status'] === 404) {
                  const { requestId: _requestId, ...problem } = body as Json;
                  expect(answer?.['problem']).to.deep.equal(problem);
                } else expect(answer).to.deep.include(body);
              }
            },
          ),
          { numRuns: 15 },
        );
        const { totals } = bodyOf(
          await quote({ context: { tenant: [tenant] }, lines: [line('b', { quantity: 20 }), line('x')] }),
        );
        expect(totals).to.deep.equal({ USD: { amount: 60, lines: 1, linesWithoutTotal: 1 } });
      });

      it('gives the exact total of graduated tiers, as Quote does', async () => {
        const book = await createBook(api);
        const tiers = [
          { firstUnit: 1, lastUnit: 10, unitPrice: 20 },
          { firstUnit: 11, lastUnit: null, unitPrice: 15 },
        ];
        await setPrices(api, book, [usd('g', { type: 'graduated', tiers })]);
        await createRule(book, 1);
        const lines = [line('g', { quantity: 15 })];
        const { lines: chosen } = bodyOf(await quote({ context: { tenant: [tenant] }, lines }));
        const plain = await api().request('POST', `/v1/pricebooks/${book}/quote`, { json: lines });
        const [{ lineTotal } = {}] = plain.body as readonly Json[];
        expect(lineTotal).to.equal(275);
        expect((chosen as readonly Json[])[0]).to.include({ lineTotal });
      });

      it('explains a few lines, and refuses to explain many', async () => {
        const book = await bookWith(['a', 1]);
        await createRule(book, 1);
        const context = { tenant: [tenant] };
        const answer = await quote({ context, lines: [line('a'), line('z')] }, '?explain=true');
        const [priced, unpriced] = bodyOf(expectStatus(answer, 200))['lines'] as readonly Json[];
        expect(priced && triedIn(priced)).to.deep.equal([[0, 'answered']]);
        expect(unpriced && triedIn(unpriced)).to.deep.equal([[0, 'noListPrice']]);
        const many = Array.from({ length: 21 }, () => line('a'));
        expectProblem(await quote({ context, lines: many }, '?explain=true'), {
          status: 400,
          says: '20 lines',
        });
      });

      it('is told what is wrong with the context and with lines', async () => {
        const context = { at: ['x'], quantity: ['1'], group: [], country: 'DE' };
        expectProblem(await quote({ context, lines: [line('a', { quantity: 0 })] }), {
          status: 400,
          pointers: [
            '/context/at',
            '/context/quantity',
            '/context/group',
            '/context/country',
            '/lines/0/quantity',
          ],
        });
        const future = { at: '2999-01-02T00:00:00Z', knownAt: '2999-01-01T00:00:00Z' };
        expectProblem(await quote({ context: {}, lines: [line('a', future)] }), {
          status: 400,
          pointers: ['/lines/0/knownAt'],
        });
      });
    });
  });
};
