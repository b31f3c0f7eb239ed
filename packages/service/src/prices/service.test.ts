import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { createPriceService } from './service';

describe('what the commands for prices understand of an answer', () => {
  let tag: string;
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { etag: tag, 'content-type': 'text/csv' }).end();
  });
  let url: string;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const [given, revision] of [
    ['"3"', 3],
    ['"3-csv"', 3],
    // As proxies leave it that compress answers.
    ['W/"3"', 3],
    ['W/"3-csv"', 3],
    ['"3-csv-gzip"', 3],
    ['"abc"', undefined],
    ['3', undefined],
  ] as const) {
    it(`the ETag ${given} ${revision === undefined ? 'is not of the service' : `is revision ${String(revision)}`}`, async () => {
      tag = given;
      const service = createPriceService(url, 'a-key', new AbortController().signal);
      const expected = revision === undefined ? E.left({ _tag: 'Stranger', status: 200 }) : E.right(revision);
      expect(await service.revisionOf('book')).to.deep.equal(expected);
      const prices = await service.prices('book');
      expect(E.isRight(prices) ? E.right(prices.right.revision) : prices).to.deep.equal(expected);
    });
  }
});
