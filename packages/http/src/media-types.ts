/** Which of the representations that an operation offers a client takes. */
import type { Context } from 'koa';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/** Of operations that say nothing else. */
export const JSON_ALONE: readonly string[] = [JSON_TYPE];

/** A parameter of a media type, but not its weight, which is called q. */
const parameter = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;

/**
 * What is offered has no parameters that a client could choose by, so what it says of them, such as a charset, leaves
 * nothing out.
 */
const withoutParameters = (accept: string): string => accept.replaceAll(parameter, '');

/** Such as the first of `*;q=0.1, text/csv`. */
const loneStar = /(?<=^|,)\s*[*]\s*(?=[;,]|$)/g;
const namesProblem = /(?:^|,)\s*application\/problem[+]json\s*(?:[;,]|$)/i;

/**
 * What is meant by two headers that clients send: `*` stands for any type, and clients that are generated name the type
 * of problems alone where a success has no body.
 */
const asMeant = (accept: string): string => {
  const starred = accept.replaceAll(loneStar, '*/*');
  return namesProblem.test(starred) ? `${starred}, */*;q=0.001` : starred;
};

/**
 * Without parameters, such as `text/csv`.
 *
 * @param offered the first is for clients that do not say what they take.
 * @returns undefined where the client takes none of them.
 */
export const negotiate = (context: Context, offered: readonly string[]): string | undefined => {
  const { headers } = context.req;
  const { accept } = headers;
  // What clients mostly say needs no negotiation.
  if (accept === undefined || accept === '*/*' || accept === offered[0]) return offered[0];
  // Koa reads the header itself, and wants each parameter to be offered.
  headers.accept = asMeant(withoutParameters(accept));
  const taken = context.accepts([...offered]);
  return typeof taken === 'string' ? taken : undefined;
};
