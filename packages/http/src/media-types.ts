/** Which of the representations that an operation offers a client takes. */
import type { Context } from 'koa';

export const JSON_TYPE = 'application/json';

/** Of operations that say nothing else. */
export const JSON_ALONE: readonly string[] = [JSON_TYPE];

/**
 * Without parameters, such as `text/csv`.
 *
 * @param offered the first is for clients that do not say what they take.
 * @returns undefined where the client takes none of them.
 */
export const negotiate = (context: Context, offered: readonly string[]): string | undefined => {
  const { accept } = context.req.headers;
  // What clients mostly say needs no negotiation.
  if (accept === undefined || accept === '*/*' || accept === offered[0]) return offered[0];
  const taken = context.accepts([...offered]);
  return typeof taken === 'string' ? taken : undefined;
};
