/** The HTTP application with use cases that are given, behind a real server. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { ApiKeys, PriceBooks, Readiness, SelectionRules, Webhooks } from '@pricebook/application';
import pino from 'pino';
import { createHttpApp, type HttpAppParts } from '../app';
import { createHttpServer, type ServerLimits } from '../server';

/** Those of production, but no time ends anything, however busy the machine is. */
export const patient: ServerLimits = {
  headersMs: 600_000,
  requestMs: 600_000,
  stalledMs: 600_000,
  keepAliveMs: 600_000,
  checkMs: 50,
  connections: 10_000,
  unreadBytes: 128 * 1024 * 1024,
};

export const KEY = 'a-key-of-this-test';

const ready: Readiness = {
  isReady: true,
  eventStore: 'up',
  readModel: 'up',
  projection: { state: 'running', position: '1', head: '1', lag: { events: 0, seconds: 0 } },
};

/** Every use case does the same. */
export const allDo = (useCase: () => unknown): PriceBooks =>
  new Proxy({}, { get: () => () => useCase }) as PriceBooks;

/** Every use case of keys does the same. */
export const allKeysDo = (useCase: () => unknown): ApiKeys =>
  ({ issue: () => useCase, list: useCase, revoke: () => useCase }) as unknown as ApiKeys;

/** Every use case of selection rules does the same. */
export const allRulesDo = (useCase: () => unknown): SelectionRules =>
  new Proxy({}, { get: (_target, name) => (name === 'list' ? useCase : () => useCase) }) as SelectionRules;
/** Every use case of webhooks does the same. */
export const allWebhooksDo = (useCase: () => unknown): Webhooks =>
  new Proxy({}, { get: (_target, name) => (name === 'list' ? useCase : () => useCase) }) as Webhooks;

export interface ServedApp {
  readonly port: number;
  readonly url: string;
  /** Every line of the log so far, as it is written. */
  readonly log: () => readonly string[];
  readonly close: () => void;
}

/** Serves; only KEY is a valid key unless a keyring is given. */
export const serveApp = async (
  parts: Partial<HttpAppParts> = {},
  limits?: ServerLimits,
): Promise<ServedApp> => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = pino(sink);
  const app = createHttpApp({
    priceBooks: allDo(() => Promise.reject(new Error('not expected to be reached'))),
    apiKeys: allKeysDo(() => Promise.reject(new Error('not expected to be reached'))),
    selectionRules: allRulesDo(() => Promise.reject(new Error('not expected to be reached'))),
    webhooks: allWebhooksDo(() => Promise.reject(new Error('not expected to be reached'))),
    keyring: {
      authenticate: (secret) => (secret === KEY ? { keyId: 'key-1', scopes: ['admin'] } : undefined),
    },
    readiness: () => Promise.resolve(ready),
    logger,
    clock: { now: () => new Date().toISOString() },
    newRequestId: () => 'request-1',
    stopping: new AbortController().signal,
    ...parts,
  });
  const server = createHttpServer(app, logger, limits, parts.allowedOrigins);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${String(port)}`,
    log: () => lines,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export interface Client {
  readonly socket: Socket;
  /** Everything that has come so far. */
  readonly received: () => string;
  /** Settles when the server has closed the connection: all that came. */
  readonly closed: Promise<string>;
}

/** A client that sends bytes as they are. */
export const connect = async (port: number, ...pieces: readonly (string | Buffer)[]): Promise<Client> => {
  const socket = net.connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  // A connection that is reset has ended as well.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => {
      resolve(received);
    });
  });
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece);
  return { socket, received: () => received, closed };
};

/** Asks again and again until it is so. */
export const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** The head of a request with the key. */
export const head = (method: string, path: string, ...headers: readonly string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: x', `x-api-key: ${KEY}`, ...headers].join('\r\n')}\r\n\r\n`;
