/** Answers with problems, as every application of the service does. */
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RequestError } from './api-error';
import { PROBLEM_TYPE } from './media-types';
import type { ProblemAnswer } from './problem';

export const sendProblem = (
  context: Context,
  requestId: string,
  { problem, headers }: ProblemAnswer,
): void => {
  context.set({ ...headers });
  context.status = problem.status;
  context.type = PROBLEM_TYPE;
  context.body = JSON.stringify({ ...problem, requestId });
};

/**
 * What the router leaves without a body: a path that nothing has, or that does not take the method.
 *
 * @param docs whether the page with the operations is served.
 */
export const unroutedError = (
  { request, response, res }: Context,
  router: Pick<Router, 'match'>,
  docs: 'with docs' | 'without docs',
): RequestError | undefined => {
  const { status, body } = response;
  if (body !== undefined && body !== null) return undefined;
  if (status !== 404 && status !== 405 && status !== 501) return undefined;
  const allow = res.getHeader('Allow');
  res.removeHeader('Allow');
  // Of a method that it does not know, the router says 501 whether there is such a path or not.
  return typeof allow === 'string' && allow !== ''
    ? { _tag: 'MethodNotAllowed', allow }
    : {
        _tag: 'NoSuchRoute',
        isSlashTooMany:
          request.path.endsWith('/') && router.match(request.path.slice(0, -1), request.method).route,
        hasDocs: docs === 'with docs',
      };
};
