import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import { undecodableIn } from './percent-encoding';
import { allDo, KEY, serveApp } from './testing/serve-app';

describe('percent-encoding', () => {
  for (const [path, query, said] of [
    ['/v1/a%20b', 'name=%C3%A9&limit=1', undefined],
    ['/v1', '', undefined],
    ['/v1', 'a+b=c+d&&=', undefined],
    ['/v1/%FF', 'name=%FF', 'path'],
    ['/v1', 'limit=1&name=%FF', 'query parameter "name"'],
    ['/v1', 'na%6De=%C3', 'query parameter "name"'],
    ['/v1', 'name=100%', 'query parameter "name"'],
    // Each half is none, though both together would be.
    ['/v1', 'a=%C3&b=%A9', 'query parameter "a"'],
    ['/v1', 'n%E2%80%AE=%FF', 'query parameter "n\\u202e"'],
    ['/v1', '%FF=1', 'query parameter "%FF"'],
  ] as const) {
    it(`${path}?${query}: ${said ?? 'well'}`, () => {
      expect(undecodableIn(path, query)).to.equal(said);
    });
  }

  it('is 400 where it is amiss, with the name of the parameter', async () => {
    const noBooks = TE.right({ priceBooks: [], next: undefined });
    const app = await serveApp({ priceBooks: allDo(noBooks) });
    try {
      const get = (query: string) =>
        fetch(`${app.url}/v1/pricebooks?${query}`, { headers: { 'x-api-key': KEY } });
      const answer = await get('name=%FF');
      expect(answer.status).to.equal(400);
      expect(await answer.json()).to.include({
        type: '/problems/invalid-request',
        detail: 'The query parameter "name" is not percent-encoded UTF-8.',
      });
      expect((await get('name=%C3%A9')).status).to.equal(200);
    } finally {
      app.close();
    }
  });
});
