/** A client with connections that it keeps, lighter than fetch: campaigns send many requests from one process. */
import http from 'node:http';
import { TEST_KEY } from '@pricebook/acceptance';

export interface Answer {
  readonly status: number;
  /** The revision in the ETag, where there is one. */
  readonly revision: number | undefined;
  /** Parsed JSON; undefined where there is no body. */
  readonly body: unknown;
  /** The path of the next page, where there is one. */
  readonly next: string | undefined;
  readonly milliseconds: number;
}

interface Sent {
  readonly method: string;
  /** From the root, such as /v1/pricebooks. */
  readonly path: string;
  readonly json?: unknown;
  readonly requestId?: string;
  /** The test key where none is given. */
  readonly key?: string;
}

export interface Client {
  /** Fails where the connection ends before the answer has come, or with `no answer` after a while. */
  readonly send: (sent: Sent) => Promise<Answer>;
  readonly close: () => void;
}

const REVISION = /^"(\d+)"$/;
const NEXT = /<([^>]*)>; rel="next"/;
/** A request that has no answer after so long hangs: nothing of the service waits for longer than some 2 s. */
const HANGS_MS = 20_000;
export const NO_ANSWER = 'no answer';

export const createClient = (url: string): Client => {
  const agent = new http.Agent({ keepAlive: true });
  return {
    send: ({ method, path, json, requestId, key = TEST_KEY }) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const body = json === undefined ? undefined : JSON.stringify(json);
        const headers = {
          'x-api-key': key,
          ...(requestId !== undefined && { 'x-request-id': requestId }),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        };
        const request = http.request(url + path, { method, agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('aborted', () => {
            reject(new Error('the answer was cut off'));
          });
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const revision = REVISION.exec(response.headers.etag ?? '')?.[1];
            const link = NEXT.exec(String(response.headers['link'] ?? ''))?.[1];
            const next = link === undefined ? undefined : new URL(link, url + path);
            resolve({
              status: response.statusCode ?? 0,
              revision: revision === undefined ? undefined : Number(revision),
              body: text === '' ? undefined : JSON.parse(text),
              next: next === undefined ? undefined : `${next.pathname}${next.search}`,
              milliseconds: performance.now() - began,
            });
          });
        });
        request.setTimeout(HANGS_MS, () => request.destroy(new Error(NO_ANSWER)));
        request.on('error', reject);
        request.end(body);
      }),
    close: () => {
      agent.destroy();
    },
  };
};
