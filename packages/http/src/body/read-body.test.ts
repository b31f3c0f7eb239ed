import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Reader } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import Koa from 'koa';
import { createBodyBudget } from './body-budget';
import { collectBody, jsonFormat } from './read-body';

const anything: Reader<unknown> = { name: 'anything', schema: {}, validate: E.right, decode: E.right };

describe('the body of a request', () => {
  it('is one that could not be read, where its client was gone before anybody began to read it', async () => {
    const answered = new Promise<Awaited<ReturnType<typeof collectBody>>>((resolve, reject) => {
      const app = new Koa();
      app.use(async (context) => {
        const { req } = context;
        while (!req.destroyed) await nextTurn();
        await nextTurn();
        collectBody(context, createBodyBudget().coming, [jsonFormat(anything)]).then(resolve, reject);
      });
      const server = app.listen(0, '127.0.0.1', () => {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
          const half = gzipSync(Buffer.alloc(10_000)).subarray(0, 20);
          socket.write(
            'PUT / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n',
          );
          socket.write(half, () => {
            socket.resetAndDestroy();
            server.close();
          });
        });
      });
    });
    const body = await answered;
    expect(E.isLeft(body) && body.left._tag).to.equal('InvalidBody');
  });
});
