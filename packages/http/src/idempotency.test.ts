/** What makes a request the same as another one, and which requests are carried out under their key. */
import type { IdempotentRequest, PriceBooks } from '@pricebook/application';
import { expect } from 'chai';
import fc from 'fast-check';
import * as TE from 'fp-ts/TaskEither';
import { connect, head, type ServedApp, serveApp } from './testing/serve-app';

const ID = '01a1fced-c116-737b-90d3-d0ce7dc012dc';
const BOOK = `/v1/pricebooks/${ID}`;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

const put: Sent = { method: 'PUT', path: `${BOOK}/prices`, type: 'application/json', body: '[]' };

describe('the idempotency key of a request', () => {
  let app: ServedApp;
  let seen: IdempotentRequest[];
  before(async () => {
    const once: PriceBooks['once'] = (_caller, idempotency) => {
      seen.push(idempotency);
      return TE.left({ _tag: 'IdempotencyKeyReused' });
    };
    // There is nothing else: who does without is answered 500.
    app = await serveApp({ priceBooks: { once } as PriceBooks });
  });
  beforeEach(() => {
    seen = [];
  });
  after(() => {
    app.close();
  });

  const send = async ({ method, path, type, body }: Sent, ...keys: readonly string[]): Promise<string> => {
    const client = await connect(
      app.port,
      head(
        method,
        path,
        'Connection: close',
        `Content-Type: ${type}`,
        `Content-Length: ${String(Buffer.byteLength(body))}`,
        ...keys.map((key) => `Idempotency-Key: ${key}`),
      ),
      body,
    );
    return /^HTTP\/1\.1 (\d+)/.exec(await client.closed)?.[1] ?? '';
  };

  /** What tells a request from others. */
  const requestOf = async (sent: Sent): Promise<string | undefined> => {
    expect(await send(sent, 'k')).to.equal('422');
    return seen.pop()?.request;
  };

  it('is taken as it is sent, for every write of price books, before its body is read', async () => {
    const [book, prices] = [BOOK, `${BOOK}/prices`];
    for (const [method, path] of [
      ['POST', '/v1/pricebooks'],
      ['PATCH', book],
      ['DELETE', book],
      ['PUT', prices],
      ['DELETE', prices],
    ] as const) {
      expect(await send({ ...put, method, path, body: '{' }, ' "a b" '), `${method} ${path}`).to.equal('422');
    }
    expect(seen.map(({ key }) => key)).to.deep.equal(Array.from({ length: 5 }, () => '"a b"'));
    expect(await send(put)).to.equal('500');
    expect(await send({ ...put, method: 'POST', path: `${BOOK}/quote` }, 'k')).to.be.oneOf(['400', '500']);
    expect(seen).to.have.length(5);
  });

  it('is refused where it is empty, too long, sent twice, or has other characters than visible ones', async () => {
    for (const keys of [[''], ['x'.repeat(256)], ['a', 'a'], ['a', ''], ['é'], ['a\tb']]) {
      expect(await send(put, ...keys), keys.join()).to.equal('400');
    }
    expect(seen).to.deep.equal([]);
    expect(await send(put, 'x'.repeat(255))).to.equal('422');
  });

  it('stands for method, path, type and body, and for nothing else', async () => {
    const same: readonly Partial<Sent>[] = [
      { path: `${put.path}?a=b` },
      { path: put.path.replaceAll('-', '%2D') },
      { path: put.path.replace(ID, ID.toUpperCase()) },
      { type: 'Application/JSON; charset=utf-8' },
    ];
    const other: readonly Partial<Sent>[] = [
      { method: 'DELETE' },
      { path: put.path.replace('01a1', '01a2') },
      { body: '[] ' },
      { body: '{}' },
    ];
    const request = await requestOf(put);
    for (const change of same) expect(await requestOf({ ...put, ...change })).to.equal(request);
    const others = [];
    for (const change of other) others.push(await requestOf({ ...put, ...change }));
    expect(new Set([request, ...others]).size).to.equal(other.length + 1);
  });

  it('tells any two bodies apart, byte by byte', async () => {
    const body = fc.string({ unit: 'binary', minLength: 1 });
    await fc.assert(
      fc.asyncProperty(body, body, async (one, another) => {
        const [first, second] = [
          await requestOf({ ...put, body: one }),
          await requestOf({ ...put, body: another }),
        ];
        const isSame = Buffer.from(one).equals(Buffer.from(another));
        expect(first === second).to.equal(isSame);
      }),
      { numRuns: 15 },
    );
  });
});
