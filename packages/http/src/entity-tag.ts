/**
 * Entity tags: the ETag of a price book is its revision (design section 2). One tag stands for one representation
 * (RFC 9110, section 8.8.3), so what is answered as CSV under the address of JSON says so in its tag. What is dated makes
 * another representation of a list at one and the same revision, when it begins or ends: that has a mark in its tag.
 */
import { createHash } from 'node:crypto';
import type { Parameter } from './openapi/operation';

/** @param dated what of the representation changes by itself, as JSON; undefined where nothing does. */
const markOf = (dated: unknown): string =>
  dated === undefined
    ? ''
    : `-d${createHash('sha256').update(JSON.stringify(dated)).digest('hex').slice(0, 12)}`;

export const entityTagOf = (revision: number, dated?: unknown): string =>
  `"${String(revision)}${markOf(dated)}"`;

export const csvEntityTagOf = (revision: number, dated?: unknown): string =>
  `"${String(revision)}-csv${markOf(dated)}"`;

/** Whichever representation it was that a client has seen: it was of that revision. */
const ours = /^"(0|[1-9]\d{0,15})(?:-csv)?(?:-d[0-9a-f]{12})?"$/;

/**
 * The revisions that an If-Match header names.
 *
 * @returns undefined where any revision will do. A header that names none of ours, such as a weak tag, matches
 *   none: it gives an empty list.
 */
export const revisionsOf = (ifMatch: string): readonly number[] | undefined => {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (ifMatch === '' || tags.includes('*')) return undefined;
  return tags.flatMap((tag) => {
    const revision = ours.exec(tag)?.[1];
    return revision === undefined ? [] : [Number(revision)];
  });
};

/**
 * Whether an If-None-Match header names a tag. Koa's own check also looks at Cache-Control, which `fetch` sends
 * along unasked, so that it would never be answered 304.
 */
export const namesTag = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));

/** Of what a write acts upon; `revisionsOf` reads it. */
export const ifMatch: Parameter = {
  in: 'header',
  name: 'If-Match',
  description:
    'The write is done only if the book is at one of these revisions, such as `"3"`. `*` is any. A weak tag, such as `W/"3"`, never matches.',
  schema: { type: 'string', examples: ['"3"'] },
  problems: ['revision-mismatch'],
};

/** Of what a client has already; `namesTag` reads it. */
export const ifNoneMatch: Parameter = {
  in: 'header',
  name: 'If-None-Match',
  description: 'Answered 304 where it is still at one of these revisions. Weak tags match.',
  schema: { type: 'string', examples: ['"2"'] },
};
