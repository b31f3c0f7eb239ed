/** A reverse proxy that serves a service below a path. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PrefixProxy {
  /** Such as http://127.0.0.1:40000/shop/prices. */
  readonly url: string;
  readonly stop: () => void;
}

/** @param prefix such as /shop/prices; what is asked outside of it is answered 404. */
export const startPrefixProxy = async (service: string, prefix: string): Promise<PrefixProxy> => {
  const server = http.createServer((request, response) => {
    const url = request.url ?? '';
    if (!url.startsWith(`${prefix}/`)) {
      response.writeHead(404).end();
      return;
    }
    const path = url.slice(prefix.length);
    const { method, headers } = request;
    const onwards = http.request(service + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    // Who goes away before the end of an answer wants no more of it.
    response.on('close', () => onwards.destroy());
    request.pipe(onwards);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${prefix}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
