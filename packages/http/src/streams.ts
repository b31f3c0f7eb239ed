/** Answers whose body comes in pieces, as the client takes them: no part of one is ever taken for the whole. */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { onceClosed } from './closed';
import { createUntaken } from './limits/untaken';

/** A body that is made while it is sent. */
export interface StreamedBody {
  /** As the header says it: with the charset, where there is one. */
  readonly contentType: string;
  /**
   * Called once for each answer. The next piece is asked for when the client has taken the last one. A failure breaks
   * the connection off, so that the client knows that it has not got the whole; its reason goes to the log.
   *
   * @param over aborted when the answer is over, in whatever way: what it needs is to be given back then. Aborted from
   *   the start where no body is sent, as to HEAD.
   */
  readonly pieces: (over: AbortSignal) => AsyncIterable<string | Uint8Array>;
  /** Ends the answer when aborted. A client that has not taken all of it by then is cut off. */
  readonly until?: AbortSignal | undefined;
  /** The client knows what it has got and comes again for the rest: a failure ends the answer as its end does. */
  readonly isResumable?: boolean;
}

/** What clients have not taken yet, in all streams together. */
const MAX_UNTAKEN = 64 * 1024 * 1024;
/** How long an answer that is ended early may take to go out: what the client leaves lying does not end by itself. */
const GRACE_MS = 500;
/** After so many bytes others have their turn. */
const TURN_BYTES = 256 * 1024;

export interface Streams {
  /** Sends the body of an answer whose status and headers are set. It goes on after the call. */
  readonly begin: (context: Context, requestId: string, body: StreamedBody) => void;
}

/** Settles when the client has taken what was written, or the answer is over. */
const taken = (response: ServerResponse, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      over.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done);
    over.addEventListener('abort', done);
    if (over.aborted) done();
  });

const isWithoutBody = ({ method, status }: Context): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

export const createStreams = (logger: Logger, maxUntaken = MAX_UNTAKEN): Streams => {
  const untaken = createUntaken(maxUntaken);

  /** @param count told how many bytes each piece has. */
  const send = async (
    response: ServerResponse,
    pieces: AsyncIterable<string | Uint8Array>,
    over: AbortSignal,
    count: (bytes: number) => void,
  ): Promise<void> => {
    let turnBytes = 0;
    for await (const piece of pieces) {
      if (over.aborted) return;
      const bytes = Buffer.byteLength(piece);
      count(bytes);
      turnBytes += bytes;
      const isTaken = response.write(piece);
      // What was taken may have been taken in this very turn. And only at its end Node hands on what is written in it:
      // until then nobody can have taken a large piece.
      if (!isTaken || turnBytes >= TURN_BYTES) {
        await nextTurn();
        turnBytes = 0;
      }
      if (response.writableNeedDrain) {
        const release = untaken.hold(response, piece);
        await taken(response, over);
        release();
      }
    }
  };

  return {
    begin: (context, requestId, { contentType, pieces, until, isResumable = false }) => {
      const { res } = context;
      const { socket } = res.req;
      const started = performance.now();
      const over = new AbortController();
      let bytes = 0;
      let hasFailed = false;
      let tooLong: NodeJS.Timeout | undefined;
      const beOver = (): void => {
        over.abort();
      };
      const end = (): void => {
        if (until?.aborted === true && res.writableNeedDrain) {
          res.destroy();
          return;
        }
        res.end();
        if (until?.aborted === true) tooLong = setTimeout(() => res.destroy(), GRACE_MS);
      };
      // Koa would end the answer.
      context.respond = false;
      res.setHeader('Content-Type', contentType);
      // Koa takes an answer for writable that waits behind others on a connection, also where that is gone.
      if (isWithoutBody(context) || !context.writable || socket.destroyed) {
        beOver();
        pieces(over.signal);
        res.end();
        return;
      }
      until?.addEventListener('abort', beOver);
      if (until?.aborted === true) beOver();
      onceClosed(res, () => {
        beOver();
        clearTimeout(tooLong);
        until?.removeEventListener('abort', beOver);
        const how = hasFailed ? 'failed' : res.writableFinished ? 'complete' : 'cut off';
        const ms = Math.round(performance.now() - started);
        logger.info({ requestId, how, bytes, ms }, 'a stream has ended');
      });
      send(res, pieces(over.signal), over.signal, (more) => {
        bytes += more;
      }).then(end, (failure: unknown) => {
        // Who is told that it is over may say so by failing.
        if (over.signal.aborted) {
          end();
          return;
        }
        hasFailed = true;
        logger.error({ requestId, err: failure }, 'a stream could not be completed');
        if (isResumable) {
          end();
          return;
        }
        // The end of a connection alone is the end of an answer to clients of HTTP/1.0, many proxies among them.
        socket.resetAndDestroy();
      });
    },
  };
};
