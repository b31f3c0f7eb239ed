import type { OwnPricesPage, OwnPricesQuestion, PriceBooks } from '@pricebook/application';
import { CSV_HEAD, type Currency, type ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { KEY, type ServedApp, serveApp } from '../testing/serve-app';

const BOOK = '/v1/pricebooks/01890000-0000-7000-8000-000000000000';
const USD = 'USD' as Currency;

const idOf = (number: number): ProductId => `product-${String(number).padStart(6, '0')}` as ProductId;

describe('A book that is answered as CSV', () => {
  let app: ServedApp | undefined;
  const asked: OwnPricesQuestion[] = [];
  afterEach(() => {
    app?.close();
    asked.length = 0;
  });

  /** A book of so many products; from the one that is faulty on they cannot be read. */
  const serve = async (count: number, faulty = Infinity): Promise<ServedApp> => {
    const priceBooks: Partial<PriceBooks> = {
      upcoming: () => () => Promise.resolve(E.right({ changes: [], next: undefined })),
      percents: () => () =>
        Promise.resolve(
          E.right({
            revision: 7,
            percents: {
              [USD]: {
                adjustment: { type: 'percent', amount: 10 },
                since: '2026-01-01T00:00:00.000Z',
                revision: 3,
              },
            },
          }),
        ),
      ownPrices: (question) => () => {
        asked.push(question);
        const start = question.from === undefined ? 0 : Number(question.from.slice(8));
        if (start >= faulty) return Promise.resolve(E.left({ _tag: 'StoreUnavailable', reason: 'away' }));
        const end = Math.min(start + question.limit, count);
        const page: OwnPricesPage = {
          revision: 8,
          products: Array.from({ length: end - start }, (_, index) => ({
            productId: idOf(start + index),
            adjustments: { [USD]: { type: 'override', amount: start + index } },
            percents: {},
            dated: {},
          })),
          next: end < count ? idOf(end) : undefined,
        };
        return Promise.resolve(E.right(page));
      },
    };
    app = await serveApp({ priceBooks: priceBooks as PriceBooks });
    return app;
  };

  const ask = ({ url }: ServedApp, query = '', method = 'GET'): Promise<Response> =>
    fetch(`${url}${BOOK}/prices${query}`, {
      method,
      headers: { 'x-api-key': KEY, accept: 'text/csv', 'accept-encoding': 'identity' },
    });

  it('comes whole, page by page, at the revision with which it begins', async () => {
    const answer = await ask(await serve(12_345));
    expect(answer.headers.get('etag')).to.equal('"7-csv"');
    const rows = Array.from(
      { length: 12_345 },
      (_, n) => `${idOf(n)},USD,override,${String(n)},,,,,,,,,\r\n`,
    );
    expect(await answer.text()).to.equal(`${CSV_HEAD}all,USD,percent,10,,,,,,,,,\r\n${rows.join('')}`);
    expect(asked.map(({ from }) => from)).to.deep.equal([
      undefined,
      ...Array.from({ length: 12 }, (_, n) => idOf((n + 1) * 1_000)),
    ]);
  });

  it('is one page where a limit is given, without the percents where it goes on', async () => {
    const served = await serve(5);
    const first = await ask(served, '?limit=2');
    expect((await first.text()).split('\r\n')).to.have.length(5);
    const [, next = ''] = /<prices(.*)>/.exec(first.headers.get('link') ?? '') ?? [];
    expect((await (await ask(served, next)).text()).split('\r\n').slice(1, 3)).to.deep.equal([
      'product-000002,USD,override,2,,,,,,,,,',
      'product-000003,USD,override,3,,,,,,,,,',
    ]);
  });

  it('is an error where nothing can be read, and breaks off where it cannot be read on', async () => {
    expect((await ask(await serve(5, 0))).status).to.equal(503);
    app?.close();
    const answer = await ask(await serve(5_000, 2_000));
    expect(answer.status).to.equal(200);
    const failure = await answer.text().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect(app?.log().join('')).to.include('a stream could not be completed');
  });

  it('is not read on for who only asks for its head', async () => {
    const answer = await ask(await serve(5_000), '', 'HEAD');
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(asked).to.have.length(1);
  });
});
