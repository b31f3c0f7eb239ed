/** Pages of other origins in browsers: those that are allowed may read answers, refusals too (the CORS protocol of Fetch). */
import cors from '@koa/cors';
import type { Context } from 'koa';
import { HEADERS } from './openapi/headers';

/** How long a browser may keep the answer to a preflight request, in seconds. */
const PREFLIGHT_SECONDS = 600;

/** Without being named here a page could not read them. */
const EXPOSED = [...Object.keys(HEADERS), 'Allow'].join(',');

/**
 * Has an answer say whether the page that asks may read it.
 *
 * @returns whether the request is to be answered: not where it was a preflight request, which has no key.
 */
export type CrossOrigin = (context: Context) => Promise<boolean>;

/** Keys go in a header that pages set, so browsers need not be allowed to send credentials of their own. */
export const createCrossOrigin = (allowedOrigins: readonly string[]): CrossOrigin => {
  const middleware = cors({
    origin: ({ req: { headers } }) => allowedOrigins.find((origin) => origin === headers.origin) ?? '',
    exposeHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
  });
  return async (context) => {
    let goesOn = false;
    await middleware(context, () => {
      goesOn = true;
      return Promise.resolve();
    });
    return goesOn;
  };
};

/** The same headers for a refusal outside of the application. */
export const crossOriginHeaders = (
  allowedOrigins: readonly string[],
  origin: string | undefined,
): readonly (readonly [name: string, value: string])[] => {
  if (allowedOrigins.length === 0) return [];
  const vary = ['Vary', 'Origin'] as const;
  return origin !== undefined && allowedOrigins.includes(origin)
    ? [vary, ['Access-Control-Allow-Origin', origin], ['Access-Control-Expose-Headers', EXPOSED]]
    : [vary];
};

/** That of a request that could not be read to its end, such as one with headers that are too long. */
export const originIn = (bytes: Buffer): string | undefined =>
  /\r\norigin:[ \t]*(\S+)[ \t]*\r\n/i.exec(bytes.toString('latin1'))?.[1];
