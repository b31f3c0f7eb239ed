/** How answers are compressed; packages/acceptance has them from real stores. */
import http from 'node:http';
import zlib from 'node:zlib';
import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import { type ApiAnswer, type Route, route } from './route';
import { EVENT_STREAM } from './server-sent-events';
import { KEY, type ServedApp, serveApp } from './testing/serve-app';

const PATH = '/v1/numbers';

interface Answer {
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

describe('a compressed answer', () => {
  let app: ServedApp;
  afterEach(() => {
    app.close();
  });

  const start = async (answer: ApiAnswer): Promise<void> => {
    const numbers: Route = route(
      {
        method: 'get',
        path: PATH,
        scope: 'read',
        operationId: 'listNumbers',
        summary: 'List Numbers',
        description: 'Of this test.',
        tag: 'Prices',
        answers: {},
      },
      () => TE.right(answer),
    );
    app = await serveApp({ routes: [numbers] });
  };

  const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = { 'x-api-key': KEY, 'accept-encoding': 'gzip', ...headers };
      http
        .get(app.url + path, { headers: sent }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject).on('end', () => {
            resolve({ headers: answer.headers, bytes: Buffer.concat(chunks) });
          });
        })
        .on('error', reject);
    });

  const streamOf = (contentType: string, pieces: () => AsyncIterable<string>): ApiAnswer => ({
    status: 200,
    stream: { contentType, pieces },
  });

  it('begins at 1 KB', async () => {
    for (const [characters, coding] of [
      [1_021, undefined],
      [1_022, 'gzip'],
    ] as const) {
      await start({ status: 200, body: 'x'.repeat(characters) });
      const { headers, bytes } = await ask(PATH);
      expect(headers['content-encoding'], String(characters)).to.equal(coding);
      expect(headers['content-length']).to.equal(String(bytes.length));
      app.close();
    }
  });

  it('of which the making fails breaks the connection off', async () => {
    // eslint-disable-next-line @typescript-eslint/require-await
    const pieces = async function* () {
      yield 'x'.repeat(100_000);
      throw new Error('of this test');
    };
    await start(streamOf('text/csv', pieces));
    const failure = await ask(PATH).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'ECONNRESET');
    expect(app.log().join()).to.include('of this test');
  });

  it('never is a stream of events, which must not wait for more of them', async () => {
    // eslint-disable-next-line @typescript-eslint/require-await
    const pieces = async function* () {
      yield ':\n\n'.repeat(1_000);
    };
    await start(streamOf(EVENT_STREAM, pieces));
    expect((await ask(PATH)).headers).not.to.have.any.keys('content-encoding', 'vary');
  });

  it('of a file is the same each time, and has a tag of its own', async () => {
    await start({ status: 200 });
    const page = await ask('/openapi.json');
    const { etag = '', 'content-encoding': coding } = page.headers;
    expect(coding).to.equal('gzip');
    expect(page.bytes.length).to.be.below(40_000);
    expect(JSON.parse(zlib.gunzipSync(page.bytes).toString())).to.have.property('openapi');
    const plain = await ask('/openapi.json', { 'accept-encoding': 'identity' });
    expect(etag).to.equal(plain.headers.etag?.replace(/"$/, '-gzip"'));
    expect(plain.headers['cache-control']).to.equal('no-cache');
    for (const tag of [etag, plain.headers.etag ?? '']) {
      const again = await ask('/openapi.json', { 'if-none-match': tag });
      expect([again.headers.etag, again.bytes.length]).to.deep.equal([tag, 0]);
    }
  });
});
