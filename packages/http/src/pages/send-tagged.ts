/** Answers what browsers may keep: pages, and the files that they load. */
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { answerNotModified } from '../not-modified';

/** Another one stands for other content. */
export const versionOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 16);

/** For what never changes under its address. */
export const FOR_A_YEAR = 'public, max-age=31536000, immutable';

interface Content {
  readonly type: string;
  readonly content: string | Buffer;
  readonly version: string;
  readonly cacheControl: string;
}

export const sendTagged = (context: Context, { type, content, version, cacheControl }: Content): void => {
  const tag = `"${version}"`;
  context.set({ ETag: tag, 'Cache-Control': cacheControl });
  context.type = type;
  context.body = content;
  answerNotModified(context, tag);
};
