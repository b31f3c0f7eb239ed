import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import { route } from '../route';
import { KEY, type ServedApp, serveApp } from '../testing/serve-app';
import { openApiDocument } from './document';

const deprecated = route(
  {
    method: 'get',
    path: '/v1/old',
    scope: 'read',
    operationId: 'getOld',
    summary: 'Get Old',
    description: 'Something old.',
    tag: 'Service',
    answers: { 200: { description: 'It.', content: { 'application/json': { type: 'string' } } } },
    deprecation: {
      since: '2026-12-01T00:00:00Z',
      sunset: '2027-12-01T00:00:00Z',
      instead: 'Use Get New.',
    },
  },
  () => TE.right({ status: 200, body: 'old' }),
);

describe('A deprecated operation', () => {
  let app: ServedApp;
  before(async () => {
    app = await serveApp({ routes: [deprecated] });
  });
  after(() => {
    app.close();
  });

  for (const [query, status] of [
    ['', 200],
    ['?x=1', 400],
  ] as const) {
    it(`says so and until when it works, with ${String(status)}`, async () => {
      const answer = await fetch(`${app.url}/v1/old${query}`, { headers: { 'x-api-key': KEY } });
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('deprecation')).to.equal('@1796083200');
      expect(answer.headers.get('sunset')).to.equal('Wed, 01 Dec 2027 00:00:00 GMT');
    });
  }

  it('is deprecated in the document, and its answers have the headers', () => {
    const { paths } = openApiDocument([deprecated]) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    const operation = paths['/v1/old']?.['get'];
    expect(operation).to.include({ deprecated: true, 'x-sunset': '2027-12-01' });
    expect(operation).to.have.property('description').that.includes('Deprecated: Use Get New.');
    expect(operation)
      .to.have.nested.property('responses.200.headers')
      .that.includes.keys('Deprecation', 'Sunset');
  });
});
