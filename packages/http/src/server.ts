import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';

/** Generous for clients, short for those that only hold connections. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** How often Node looks for connections whose time is over. */
const CHECK_MS = 5_000;
const MAX_CONNECTIONS = 10_000;

const statusOf = (code: string | undefined): string => {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
};

/** The whole answer to what never became a request. */
const refusalOf = (code: string | undefined): string => {
  const status = statusOf(code);
  const body = JSON.stringify({
    type: '/problems/invalid-request',
    title: 'The request is not valid',
    status: Number(status.slice(0, 3)),
    detail: 'The request is not one of HTTP, or did not come in time.',
  });
  return (
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n` +
    `Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`
  );
};

/** The server for an application; not yet listening. */
export const createHttpServer = (app: Koa): Server => {
  const callback = app.callback();
  /** Requests that are being answered, by connection. */
  const inHand = new WeakMap<Duplex, Set<ServerResponse>>();

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const responses = inHand.get(request.socket) ?? new Set();
    inHand.set(request.socket, responses.add(response));
    response.once('close', () => responses.delete(response));
    void callback(request, response);
  };

  /** Those whose request has come whole: they are being carried out, so their answers must go out. */
  const answersDue = (socket: Duplex): readonly ServerResponse[] =>
    [...(inHand.get(socket) ?? [])].filter(({ req, writableFinished }) => req.complete && !writableFinished);

  const server = http.createServer(
    {
      connectionsCheckingInterval: CHECK_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    answer,
  );
  server.maxConnections = MAX_CONNECTIONS;
  // Nothing else than 100-continue can be expected of HTTP; the rest is passed over, as RFC 9110 lets servers do.
  server.on('checkExpectation', answer);
  // What is not HTTP never becomes a request that the application could answer.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const last = answersDue(socket).at(-1);
    if (last === undefined) socket.end(refusalOf(error.code));
    else last.once('finish', () => socket.end());
  });
  return server;
};
