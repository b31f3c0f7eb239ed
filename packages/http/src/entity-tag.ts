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

/** The content codings of answers, the better one first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** That of an answer which is compressed: those of Apache's modules read the same. */
export const codedTag = (tag: string, coding: Coding): string => tag.replace(/"$/, `-${coding}"`);

/**
 * Whichever representation of the book a client has seen, it was of that revision. So is one that a proxy has made
 * weak, since it has compressed it: see docs/decisions/0031.
 */
const ours = /^(?:W\/)?"(0|[1-9]\d{0,15})(?:-csv)?(?:-d[0-9a-f]{12})?(?:-br|-gzip)?"$/;

/**
 * The revisions that an If-Match header names.
 *
 * @returns undefined where any revision will do. A header that names none of ours matches none: it gives an empty list.
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
 * The tag among those of an If-None-Match header that names the answer, compressed or not. Koa's own check also looks at
 * Cache-Control, which `fetch` sends along unasked, so that it would never be answered 304.
 *
 * @param tag of the answer, not compressed.
 * @param isAccepted whether the client takes a coding. A cache that has stored several answers names all of them, and
 *   may not hand on one that its client cannot read.
 */
export const tagNamed = (
  ifNoneMatch: string,
  tag: string,
  isAccepted: (coding: Coding) => boolean,
): string | undefined => {
  const named = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (named.includes(tag) || named.includes('*')) return tag;
  const coding = CODINGS.find((one) => named.includes(codedTag(tag, one)) && isAccepted(one));
  return coding === undefined ? undefined : codedTag(tag, coding);
};

/** Of what a write acts upon; `revisionsOf` reads it. */
export const ifMatch: Parameter = {
  in: 'header',
  name: 'If-Match',
  description:
    'The write is done only if the book is at one of these revisions, such as `"3"`. `*` is any. A tag that a proxy made weak, such as `W/"3"`, matches too.',
  schema: { type: 'string', examples: ['"3"'] },
  problems: ['revision-mismatch'],
};

/** Of what a client has already; `tagNamed` reads it. */
export const ifNoneMatch: Parameter = {
  in: 'header',
  name: 'If-None-Match',
  description: 'Answered 304 where one of these is still the tag of the answer. Weak tags match.',
  schema: { type: 'string', examples: ['"2"'] },
};
