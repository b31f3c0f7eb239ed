/** Answers as they are on the wire: compressed from 1 KB, where the client takes it. */
import http from 'node:http';
import zlib from 'node:zlib';
import { expect } from 'chai';
import { TEST_KEY } from '../testing/test-service';
import { type Api, bodyOf, createBook, expectStatus, getPrice, override, setPrices, usd } from './kit';

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
};

/** Enough for several pieces of CSV. */
const PRODUCTS = 4_000;

export const describeCompression = (api: Api): void => {
  describe('compression', () => {
    let book: string;
    before(async () => {
      book = await createBook(api);
      const items = Array.from({ length: PRODUCTS }, (_, i) => usd(`product ${String(i)}`, override(i + 1)));
      await setPrices(api, book, items);
    });

    const raw = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
      new Promise((resolve, reject) => {
        const options = { headers: { 'x-api-key': TEST_KEY, ...headers } };
        http
          .get(api().url + path, options, (answer) => {
            const chunks: Buffer[] = [];
            answer
              .on('data', (chunk: Buffer) => chunks.push(chunk))
              .on('end', () => {
                resolve({
                  status: answer.statusCode,
                  headers: answer.headers,
                  bytes: Buffer.concat(chunks),
                });
              })
              .on('error', reject);
          })
          .on('error', reject);
      });
    const prices = (): string => `/v1/pricebooks/${book}/prices`;
    const list = (accept: string, headers: Readonly<Record<string, string>> = {}) =>
      raw(prices(), { 'accept-encoding': accept, ...headers });

    for (const [type, tag] of [
      ['application/json', '1'],
      ['text/csv', '1-csv'],
    ] as const) {
      it(`is undone to the same ${type}, under a tag of its own`, async () => {
        const plain = await list('identity', { accept: type });
        expect(plain.headers).to.include({ etag: `"${tag}"`, vary: 'Accept, Accept-Encoding' });
        expect(plain.headers).not.to.have.property('content-encoding');
        for (const coding of ['br', 'gzip']) {
          const { headers, bytes } = await list(coding, { accept: type });
          expect(headers).to.include({
            etag: `"${tag}-${coding}"`,
            'content-encoding': coding,
            vary: 'Accept, Accept-Encoding',
          });
          expect(bytes.length).to.be.below(plain.bytes.length / 3);
          expect(DECODERS[coding]?.(bytes).equals(plain.bytes)).to.equal(true);
        }
      });
    }

    it('is what the client takes: brotli where it takes both, and none where it wants none', async () => {
      for (const [accept, coding] of [
        ['gzip, deflate, br', 'br'],
        ['*', 'br'],
        ['br;q=0, gzip', 'gzip'],
        ['deflate', undefined],
        ['identity, br;q=0.1', undefined],
        ['', undefined],
      ] as const) {
        expect((await list(accept)).headers['content-encoding'], accept).to.equal(coding);
      }
    });

    it('answers 304 to each tag that stands for the same list, in a coding that the client takes', async () => {
      const plain = '"1"';
      const gzip = '"1-gzip"';
      const known = async (accept: string, tags: string) => {
        const { status, headers } = await list(accept, { 'if-none-match': tags });
        return [status, headers.etag];
      };
      expect(await known('gzip', gzip)).to.deep.equal([304, gzip]);
      expect(await known('gzip', `W/${gzip}`)).to.deep.equal([304, gzip]);
      expect(await known('gzip', plain)).to.deep.equal([304, plain]);
      expect(await known('gzip', `"0", ${gzip}`)).to.deep.equal([304, gzip]);
      // A cache may have it for another client, and may not give it to this one.
      expect(await known('identity', gzip)).to.deep.equal([200, plain]);
      expect((await list('gzip', { 'if-none-match': plain })).headers.vary).to.include('Accept-Encoding');
    });

    it('leaves small answers alone, such as a price', async () => {
      const price = await raw(`/v1/pricebooks/${book}/product%201/USD`, { 'accept-encoding': 'br, gzip' });
      expect(price.headers).not.to.have.any.keys('content-encoding', 'vary');
      expect(bodyOf(await getPrice(api, book, 'product 1'))).to.include(JSON.parse(price.bytes.toString()));
    });

    it('compresses long problems as well', async () => {
      const json = Array.from({ length: 50 }, (_, i) => usd(`product ${String(i)}`, { type: 'unknown' }));
      const answer = await api().request('PUT', prices(), { json, headers: { 'accept-encoding': 'gzip' } });
      expect(expectStatus(answer, 400).headers.get('content-encoding')).to.equal('gzip');
    });
  });
};
