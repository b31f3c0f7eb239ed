/** A reverse proxy that compresses what a service did not, and makes the tags of what it compresses weak, as nginx does. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';

export interface CompressingProxy {
  readonly url: string;
  readonly stop: () => void;
}

/** `gzip_min_length` of nginx. */
const MIN_BYTES = 20;

const compresses = ({ headers }: http.IncomingMessage): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length'] ?? 0) >= MIN_BYTES;

export const startCompressingProxy = async (service: string): Promise<CompressingProxy> => {
  const server = http.createServer((request, response) => {
    const { method, headers, url = '' } = request;
    const onwards = http.request(service + url, { method, headers }, (answer) => {
      if (!compresses(answer)) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      const { etag, 'content-length': _length, ...others } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, {
        ...others,
        'content-encoding': 'gzip',
        ...(etag !== undefined && { etag: `W/${etag.replace(/^W\//, '')}` }),
      });
      answer.pipe(zlib.createGzip()).pipe(response);
    });
    onwards.on('error', () => response.destroy());
    request.pipe(onwards);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
