/** Answers to what never became a request that the application could answer. */
import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { ANSWER_HEADERS } from './answer-headers';
import { problemOf } from './problem';
import { requestIdOf } from './request-id';

const TYPE = 'application/problem+json';

const DETAILS: Readonly<Record<number, string>> = {
  400: 'The request is not one of HTTP.',
  408: 'The request did not come in time.',
  431: 'The line and the headers of a request may have 16 KiB together.',
};

const statusOf = (code: string | undefined): number => {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
};

const bodyOf = (status: number, detail: string, requestId: string): string => {
  const { problem } = problemOf({ _tag: 'InvalidParameter', detail });
  return JSON.stringify({ ...problem, status, requestId });
};

/** RFC 9112, 3.2: a request of HTTP/1.1 without a Host is refused, whatever it asks. */
export const refuseWithoutHost = (response: ServerResponse): void => {
  const sent = response.req.headers['x-request-id'];
  const requestId = requestIdOf(typeof sent === 'string' ? sent : '', randomUUID);
  response.statusCode = 400;
  response.setHeader('x-request-id', requestId);
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Type', TYPE);
  response.end(bodyOf(400, 'A request of HTTP/1.1 must have the header Host.', requestId));
};

/**
 * The whole answer, after which the connection closes.
 *
 * @param code that of the error of Node.
 * @param others headers beside those of every answer.
 */
export const rawRefusal = (
  code: string | undefined,
  others: readonly (readonly [name: string, value: string])[],
): string => {
  const status = statusOf(code);
  // Nothing can be relied on of what the client has sent.
  const requestId = randomUUID();
  const body = bodyOf(status, DETAILS[status] ?? '', requestId);
  const headers = [
    ...ANSWER_HEADERS,
    ...others,
    ['Connection', 'close'],
    ['Content-Type', TYPE],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['x-request-id', requestId],
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${headers.join('')}\r\n${body}`;
};
