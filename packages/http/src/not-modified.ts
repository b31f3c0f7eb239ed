/** Answers 304 where a client has the representation already. */
import type { Context } from 'koa';
import { compressibleIn } from './compression';
import { tagNamed } from './entity-tag';

/** @param tag of the answer whose body is set. */
export const answerNotModified = (context: Context, tag: string): void => {
  const ifNoneMatch = context.req.headers['if-none-match'];
  if (ifNoneMatch === undefined) return;
  const named = tagNamed(ifNoneMatch, tag, (coding) => context.acceptsEncodings(coding) === coding);
  if (named === undefined) return;
  // The answer without If-None-Match would have it too.
  if (compressibleIn(context) !== undefined) context.vary('Accept-Encoding');
  context.set('ETag', named);
  context.status = 304;
};
