import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import { route } from './route';
import { KEY, type ServedApp, serveApp } from './testing/serve-app';

describe('what is answered for an Accept header', () => {
  let app: ServedApp;
  before(async () => {
    const offers = ['application/json', 'text/csv', 'text/event-stream'];
    const tells = route(
      {
        method: 'get',
        path: '/v1/type',
        scope: 'read',
        offers,
        operationId: 'x',
        summary: '',
        description: '',
        tag: 'Service',
        answers: {},
      },
      (_priceBooks, { mediaType }) => TE.right({ status: 200, body: mediaType }),
    );
    const nothing = route(
      {
        method: 'delete',
        path: '/v1/nothing',
        scope: 'write',
        operationId: 'y',
        summary: '',
        description: '',
        tag: 'Service',
        answers: { 204: { description: '' } },
      },
      () => TE.right({ status: 204 }),
    );
    app = await serveApp({ routes: [tells, nothing] });
  });
  after(() => {
    app.close();
  });

  const typeFor = async (accept: string): Promise<unknown> => {
    const answer = await fetch(`${app.url}/v1/type`, { headers: { 'x-api-key': KEY, accept } });
    return answer.status === 200 ? answer.json() : answer.status;
  };

  it('nothing is refused where a success has no body', async () => {
    const headers = { 'x-api-key': KEY, accept: 'text/html' };
    const answer = await fetch(`${app.url}/v1/nothing`, { method: 'DELETE', headers });
    expect(answer.status).to.equal(204);
  });

  for (const [accept, type] of [
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json;charset=UTF-8', 'application/json'],
    ['text/csv; charset=utf-8', 'text/csv'],
    ['text/csv; charset="utf-8, or so; q=0"; header=present', 'text/csv'],
    ['text/event-stream;charset=utf-8', 'text/event-stream'],
    ['application/json; charset=utf-8; q=0.5, text/csv;header=present;q=0.9', 'text/csv'],
    ['text/csv; charset=utf-8; Q=0.1, */*; q=0.2', 'application/json'],
    ['application/json;q=0, text/*;version=1', 'text/csv'],
    ['*', 'application/json'],
    ['text/html, *;q=0.1', 'application/json'],
    ['application/problem+json', 'application/json'],
    ['Application/Problem+JSON;q=0.9, text/csv', 'text/csv'],
    ['application/json;q=0, application/problem+json', 'text/csv'],
    ['application/problem+xml', 406],
    ['text/html; charset=utf-8, text/csv; charset=utf-8; q=0', 406],
    ['text/html;x=application/json', 406],
  ] as const) {
    it(`${accept}: ${String(type)}`, async () => {
      expect(await typeFor(accept)).to.equal(type);
    });
  }
});
