import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { ANSWER_HEADERS } from './answer-headers';
import { onceClosed } from './closed';
import { crossOriginHeaders, originIn } from './cross-origin';
import { createConnections } from './limits/connections';
import { createHoldings } from './limits/holdings';
import { createTogether } from './together';
import { rawRefusal, refuseWithoutHost } from './raw-refusal';

/** Generous for clients, short for those that only hold connections. */
export interface ServerLimits {
  /** For the headers of a request, from the beginning of its connection or from its first byte. */
  readonly headersMs: number;
  /** For the whole of a request. */
  readonly requestMs: number;
  /** For a client that takes nothing of its answer. */
  readonly stalledMs: number;
  /** Between requests. */
  readonly keepAliveMs: number;
  /** How often connections whose time is over are looked for. */
  readonly checkMs: number;
  readonly connections: number;
  /** What the answers that clients have not taken yet may have together. */
  readonly unreadBytes: number;
}

const LIMITS: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Later than the time-outs above, which come with an answer.
  stalledMs: 45_000,
  // Longer than the 60 s that proxies keep theirs, so that it is they who close it.
  keepAliveMs: 65_000,
  checkMs: 5_000,
  connections: 10_000,
  unreadBytes: 128 * 1024 * 1024,
};

/** Of the line and the headers of a request. */
const MAX_HEADER_BYTES = 16 * 1024;
/** The log says at most so often that connections are dropped. */
const REPORT_MS = 10_000;

const isAnswered = ({ writableFinished }: ServerResponse): boolean => writableFinished;

/** With what Node says of bytes that are no request. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/**
 * The server for an application; not yet listening.
 *
 * @param allowedOrigins those whose pages may read the refusals that the application knows nothing of.
 */
export const createHttpServer = (
  app: Koa,
  logger: Logger,
  { headersMs, requestMs, stalledMs, keepAliveMs, checkMs, ...limits }: ServerLimits = LIMITS,
  allowedOrigins: readonly string[] = [],
): Server => {
  const callback = app.callback();
  const unread = createHoldings(limits.unreadBytes);
  let reportedAt = -REPORT_MS;
  const report = (message: string, figures: object): void => {
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) return;
    reportedAt = now;
    logger.warn(figures, message);
  };
  const connections = createConnections(limits.connections, (dropped) => {
    report('too many connections: the longest idle ones are dropped', { dropped });
  });

  /** An answer that the client does not take at once is held for it. */
  const holdUnread = (response: ServerResponse): void => {
    const bytes = response.writableLength;
    const { socket } = response.req;
    // What is a stream, and goes on, counts what it holds itself.
    if (bytes === 0 || response.closed || socket.destroyed || !response.writableEnded) return;
    const holding = unread.hold(() => {
      report('too much is answered that is not read: the oldest connections of these are dropped', {});
      socket.destroy();
    });
    onceClosed(response, holding.release);
    holding.grow(bytes);
  };

  const answer = createTogether((response: ServerResponse): void => {
    const request = response.req;
    for (const [name, value] of ANSWER_HEADERS) response.setHeader(name, value);
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      for (const [name, value] of crossOriginHeaders(allowedOrigins, request.headers.origin)) {
        response.setHeader(name, value);
      }
      refuseWithoutHost(response);
      return;
    }
    void callback(request, response).then(() => {
      holdUnread(response);
    });
  });

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    connections.begin(request.socket, response);
    answer(response);
  };

  /** Of the request that comes in over a connection, as far as it was read. */
  const originOf = (socket: Duplex, { rawPacket }: ClientError): string | undefined =>
    connections.inHand(socket).at(-1)?.req.headers.origin ??
    (rawPacket === undefined ? undefined : originIn(rawPacket));

  /** Those whose request has come whole: they are being carried out, so their answers must go out. */
  const answersDue = (socket: Duplex): readonly ServerResponse[] =>
    connections.inHand(socket).filter((response) => response.req.complete && !isAnswered(response));

  const server = http.createServer(
    {
      connectionsCheckingInterval: checkMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node would answer without a body, and without our headers.
      requireHostHeader: false,
    },
    take,
  );
  // Without bytes in either direction. Whoever waits for its answer is not waited for: stores answer sooner.
  server.timeout = stalledMs;
  // Node would pass over further ones in silence, an If-Match among them. Their size is bounded.
  server.maxHeadersCount = 0;
  server.on('connection', connections.add);
  // Nothing else than 100-continue can be expected of HTTP; the rest is passed over, as RFC 9110 lets servers do.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Behind another answer on its connection, Node would write it between the head and the body of this one.
    if (response.socket !== null) response.writeContinue();
    take(request, response);
  });
  server.on('checkExpectation', take);
  // What is not HTTP never becomes a request that the application could answer.
  server.on('clientError', (error: ClientError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const last = answersDue(socket).at(-1);
    if (last === undefined) {
      const headers = crossOriginHeaders(allowedOrigins, originOf(socket, error));
      socket.end(rawRefusal(error.code, headers));
    } else last.once('finish', () => socket.end());
  });
  return server;
};
