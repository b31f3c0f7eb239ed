/** Requests made from the OpenAPI document: nothing that comes of them is undocumented, and nothing is a 500. */
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { OpenApiDocument } from '../testing/openapi/document';
import { createExchangeCheck } from '../testing/openapi/exchange';
import {
  type Draft,
  LONG_VALUE,
  READ_KEY,
  requestsOf,
  SOME_BOOK,
  SOME_PRODUCTS,
} from '../testing/openapi/request-arbitrary';
import { type Answer, startTestService, type TestService } from '../testing/test-service';

/** So many requests get every status; fewer may miss one. */
export const MANY = 600;

const TABLES = {
  EUR: {
    type: 'enum',
    property: 'region',
    values: [{ value: 'EU', unitPrice: 19 }],
  },
  JPY: {
    type: 'volume',
    tiers: [
      { firstUnit: 1, lastUnit: 9, unitPrice: 200 },
      { firstUnit: 10, unitPrice: 150 },
    ],
  },
  USD: { type: 'override', amount: 49.99 },
};

export const describeRequestsFromDocument = (runs: number): void => {
  describe('Requests from the OpenAPI document', () => {
    let service: TestService;
    let readKey = '';
    const books: string[] = [];

    const idOf = ({ body }: Answer): string => (body as { readonly id: string }).id;

    const addBook = async (fields: object): Promise<string> => {
      const id = idOf(
        await service.request('POST', '/v1/pricebooks', { json: { name: 'A book', ...fields } }),
      );
      books.push(id);
      return id;
    };

    before(async () => {
      service = await startTestService();
      const key = await service.request('POST', '/v1/api-keys', {
        json: { name: 'Reader', scopes: ['read'] },
      });
      readKey = (key.body as { readonly key: string }).key;
      const root = await addBook({});
      await addBook({ basePriceBookId: root });
      const json = SOME_PRODUCTS.map((productId) => ({ productId, adjustments: TABLES }));
      await service.request('PUT', `/v1/pricebooks/${root}/prices`, { json });
    });
    after(async () => {
      await service.stop();
      service.remove();
    });

    /** As it goes over the wire; what URLs resolve, such as `..`, is resolved. */
    const targetOf = ({ template, path, query }: Draft): string => {
      const pathname = template.replaceAll(/\{(\w+)\}/g, (_found, name: string) => {
        const value = path[name] ?? '';
        return encodeURIComponent(value === SOME_BOOK ? (books.at(-1) ?? '') : value);
      });
      const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))
        .toString()
        .replace(LONG_VALUE, 'x'.repeat(9_000));
      const { pathname: sent } = new URL(pathname, service.url);
      return search === '' ? sent : `${sent}?${search}`;
    };

    const send = async (draft: Draft): Promise<{ readonly target: string; readonly answer: Answer }> => {
      const target = targetOf(draft);
      const { 'x-api-key': key, ...others } = draft.headers;
      const headers =
        key === undefined ? others : { ...others, 'x-api-key': key === READ_KEY ? readKey : key };
      const mayHaveBody = draft.method !== 'GET' && draft.method !== 'HEAD';
      const answer = await service.request(draft.method, target, {
        headers,
        ...(draft.body !== undefined && mayHaveBody && { raw: draft.body }),
      });
      return { target, answer };
    };

    const jsonIn = ({ body }: Draft): unknown => {
      try {
        return body === undefined ? undefined : JSON.parse(body);
      } catch {
        return undefined;
      }
    };

    it(`are answered as it says, ${String(runs)} of them`, async () => {
      const document = (await service.request('GET', '/openapi.json')).body as OpenApiDocument;
      const faultsIn = createExchangeCheck(document);
      const statuses = new Set<number>();
      await fc.assert(
        fc.asyncProperty(requestsOf(document), async (draft) => {
          const { target, answer } = await send(draft);
          const { method } = draft;
          statuses.add(answer.status);
          expect(answer.status, JSON.stringify(answer.body)).to.be.below(500);
          // What an operation does not know in a query it may refuse, or pass over.
          const [path = ''] = target.split('?');
          expect(faultsIn({ method, target: path, json: jsonIn(draft) }, answer).join('\n')).to.equal('');
          // There is always a book to ask about.
          if (method === 'DELETE' && answer.status === 204) await addBook({});
        }),
        { numRuns: runs },
      );
      // Many get to all that can be wrong with a request.
      if (runs >= MANY) expect([...statuses]).to.include.members([200, 201, 400, 401, 404, 405, 406, 415]);
    });
  });
};
