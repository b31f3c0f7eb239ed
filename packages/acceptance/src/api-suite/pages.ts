/** Walks lists that are answered in pages, as a client does that follows their links. */
import { expect } from 'chai';
import type { Answer } from '../testing/test-service';
import { type Api, expectStatus } from './kit';

/** A place in a list as a cursor: what clients are not to make themselves. */
export const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');

/** The path and query of the next page; undefined at the end. It has to hold behind any prefix. */
export const nextOf = (path: string, answer: Answer): string | undefined => {
  const link = answer.headers.get('link');
  if (link === null) return undefined;
  const target = /^<([^>]+)>; rel="next"$/.exec(link)?.[1] ?? '';
  expect(target, 'a relative reference').not.to.match(/^(\/|[a-z]+:)/);
  const [own = ''] = path.split('?');
  const { pathname, search } = new URL(target, `http://proxy/some/prefix${own}`);
  expect(pathname).to.equal(`/some/prefix${own}`);
  return `${own}${search}`;
};

/** The items of all pages, a page each. */
export const pagesFrom = async (api: Api, path: string): Promise<readonly (readonly unknown[])[]> => {
  const pages: (readonly unknown[])[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = expectStatus(await api().request('GET', next), 200);
    pages.push(answer.body as readonly unknown[]);
    next = nextOf(next, answer);
  }
  return pages;
};
