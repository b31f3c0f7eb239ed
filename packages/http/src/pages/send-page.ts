import type { Context } from 'koa';
import { REVALIDATE } from '../answer-headers';
import { htmlOf, type Page } from './html';
import { sendTagged, versionOf } from './send-tagged';

/** What a page may load, by directive of Content-Security-Policy; anything else it may not. */
export type Rights = Readonly<Record<string, string>>;

const NEVER = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @param content HTML. */
export const sendHtml = (context: Context, content: string | Buffer, rights: Rights): void => {
  const allowed = Object.entries(rights).map(([directive, sources]) => `${directive} ${sources}`);
  context.set('Content-Security-Policy', [`default-src 'none'`, ...allowed, NEVER].join('; '));
  sendTagged(context, {
    type: 'text/html; charset=utf-8',
    content,
    version: versionOf(content),
    cacheControl: REVALIDATE,
  });
};

export const sendPage = (context: Context, page: Page, rights: Rights): void => {
  sendHtml(context, htmlOf(page), rights);
};
