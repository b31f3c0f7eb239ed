/** Sentences for the suites of the API. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { OpenApiDocument } from '../testing/openapi/document';
import { createExchangeCheck } from '../testing/openapi/exchange';
import type { Answer, TestService } from '../testing/test-service';

/** The service that runs at the time of the test. */
export type Api = () => Pick<TestService, 'url' | 'request'>;

const jsonIn = (raw: string | Uint8Array | undefined): unknown => {
  try {
    return raw === undefined ? undefined : JSON.parse(Buffer.from(raw).toString('utf8'));
  } catch {
    return undefined;
  }
};

/** The service, whose every answer has to be as its OpenAPI document says. */
export const asDocumented = async (service: TestService): Promise<TestService> => {
  const { body } = await service.request('GET', '/openapi.json');
  const faultsIn = createExchangeCheck(body as OpenApiDocument);
  return {
    ...service,
    request: async (method, target, options = {}) => {
      const answer = await service.request(method, target, options);
      const { json = jsonIn(options.raw) } = options;
      const faults = faultsIn({ method, target, json }, answer);
      expect(faults, `${method} ${target} ${String(answer.status)}`).to.deep.equal([]);
      return answer;
    },
  };
};

/** An answer's body as an object. */
export const bodyOf = (answer: Answer): Readonly<Record<string, unknown>> =>
  answer.body as Readonly<Record<string, unknown>>;

/** Fails the test where the answer has another status, and shows its body. */
export const expectStatus = (answer: Answer, status: number): Answer => {
  expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
  return answer;
};

export interface ExpectedProblem {
  readonly status: number;
  readonly type?: string;
  /** Pointers of the faults, in order. */
  readonly pointers?: readonly string[];
  /** Part of the detail, or of that of a fault. */
  readonly says?: string;
}

/** An answer has to be a problem document, complete and as expected. */
export const expectProblem = (answer: Answer, { status, type, pointers, says }: ExpectedProblem): void => {
  expectStatus(answer, status);
  expect(answer.headers.get('content-type')).to.match(/^application\/problem\+json/);
  const problem = bodyOf(answer);
  expect(problem).to.include({ status, requestId: answer.headers.get('x-request-id') });
  expect(problem).to.have.property('title').that.is.a('string');
  expect(problem).to.have.property('detail').that.is.a('string');
  expect(problem['type']).to.match(/^\/problems\/[a-z-]+$/);
  if (type !== undefined) expect(problem['type']).to.equal(`/problems/${type}`);
  const faults = (problem['errors'] ?? []) as readonly { pointer: string; detail: string }[];
  if (pointers !== undefined) expect(faults.map(({ pointer }) => pointer)).to.deep.equal(pointers);
  if (says !== undefined) {
    expect([String(problem['detail']), ...faults.map(({ detail }) => detail)].join('\n')).to.include(says);
  }
};

export const createBook = async (
  api: Api,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const answer = await api().request('POST', '/v1/pricebooks', { json: { name: 'A book', ...fields } });
  return String(bodyOf(expectStatus(answer, 201))['id']);
};

/** Asks until the read side has applied every event. */
const untilApplied = async (api: Api): Promise<void> => {
  for (;;) {
    const { projection } = bodyOf(await api().request('GET', '/health/ready'));
    if ((projection as { lag?: { events?: number } }).lag?.events === 0) return;
    await delay(50);
  }
};

export const putPrices = (api: Api, book: string, json: unknown): Promise<Answer> =>
  api().request('PUT', `/v1/pricebooks/${book}/prices`, { json });

/** Comes back when what was written can be read. */
const settled = async (api: Api, answer: Answer): Promise<Answer> => {
  // A store that needs more than 2 s for a large request has the answer say so.
  if (answer.headers.get('projection') === 'behind') await untilApplied(api);
  return answer;
};

/** Sets prices; when it comes back they can be read. */
export const setPrices = async (api: Api, book: string, json: unknown): Promise<Answer> =>
  settled(api, expectStatus(await putPrices(api, book, json), 200));

/** All prices of a book as CSV. */
export const csvOf = async (api: Api, book: string): Promise<string> => {
  for (;;) {
    const headers = { accept: 'text/csv' };
    const answer = await api().request('GET', `/v1/pricebooks/${book}/prices`, { headers });
    // A store without indexes may need too long for it just now.
    if (answer.status !== 503) return String(expectStatus(answer, 200).body);
  }
};

/** Sets prices by CSV; when it comes back they can be read. */
export const setCsv = async (api: Api, book: string, raw: string): Promise<Answer> => {
  const headers = { 'content-type': 'text/csv' };
  const answer = await api().request('PUT', `/v1/pricebooks/${book}/prices`, { headers, raw });
  return settled(api, expectStatus(answer, 200));
};

export const getPrice = (
  api: Api,
  book: string,
  product: string,
  query = '',
  currency = 'USD',
): Promise<Answer> =>
  api().request('GET', `/v1/pricebooks/${book}/${encodeURIComponent(product)}/${currency}${query}`);

/** The price itself; undefined where there is none. */
export const priceOf = async (
  api: Api,
  book: string,
  product: string,
  query = '',
  currency = 'USD',
): Promise<unknown> => {
  const answer = await getPrice(api, book, product, query, currency);
  return answer.status === 404 ? undefined : bodyOf(expectStatus(answer, 200))['price'];
};

export const override = (amount: number) => ({ type: 'override', amount });
export const percent = (amount: number) => ({ type: 'percent', amount });
export const nothing = { type: 'null', amount: null };

/** A product's item with one adjustment in USD. */
export const usd = (productId: string, adjustment: unknown) => ({
  productId,
  adjustments: { USD: adjustment },
});

export const UNKNOWN_BOOK = '01a1fced-c116-737b-90d3-d0ce7dc012dc';
