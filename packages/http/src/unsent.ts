/** Answers that could not be sent, in the log. */
import type Koa from 'koa';
import type { Logger } from 'pino';

/** What the network says of a client that has hung up. Anyone can do that as often as they like: it is no news. */
const HUNG_UP: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

const hasHungUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && HUNG_UP.includes(error.code);

/** Koa reports here what goes wrong after an answer has begun; by itself it would print it. */
export const logUnsent = (app: Koa, logger: Logger): void => {
  app.on('error', (error: unknown) => {
    if (hasHungUp(error)) logger.debug({ reason: String(error) }, 'a client has hung up');
    else logger.warn({ err: error }, 'an answer could not be sent');
  });
};
