/** The header Idempotency-Key: a write that is sent again with it does not act twice (design section 2). */
import { createHash } from 'node:crypto';
import type { IdempotentRequest } from '@pricebook/application';
import { priceBookIdCodec } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { Context } from 'koa';
import type { ApiError } from './api-error';
import type { Parameter } from './openapi/operation';

const HEADER = 'idempotency-key';
const wellFormed = /^[ -~]{1,255}$/;

/** Every write to price books takes it; `idempotencyOf` reads it. */
export const idempotencyKey: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'The same request with the same key, from the same API key and within 24 hours, does not act again and is answered as ' +
    'the first time. A random UUID is best.',
  schema: {
    type: 'string',
    pattern: wellFormed.source,
    examples: ['0f1a6f0e-7c0b-4b7e-9d43-2f7d9f9f1c55'],
  },
  problems: ['idempotency-key-reused'],
};

const malformed: ApiError = {
  _tag: 'InvalidParameter',
  detail: 'The header Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters or spaces.',
};

const pathOf = (path: string): string =>
  decodeURIComponent(path)
    .split('/')
    .map((part) => {
      const id = priceBookIdCodec.decode(part);
      return E.isRight(id) ? id.right : part;
    })
    .join('/');

/**
 * What tells a request from others: method, path and body, and the type of the body, which says how it is read.
 * Neither the query nor any other header is a part of it. The id of a book is the same in any letter case.
 */
const requestOf = ({ request }: Context, body: Buffer): string => {
  const type = body.length === 0 ? '' : request.type.toLowerCase();
  return createHash('sha256')
    .update(JSON.stringify([request.method, pathOf(request.path), type]))
    .update('\n')
    .update(body)
    .digest('base64url');
};

/**
 * @param body its bytes, without any compression.
 * @returns undefined where the request has no key.
 */
export const idempotencyOf = (
  context: Context,
  body: Buffer,
): E.Either<ApiError, IdempotentRequest | undefined> => {
  if (context.req.headers[HEADER] === undefined) return E.right(undefined);
  // Node joins those of a header that is sent several times, which makes a key that nobody has sent.
  const [key = '', ...others] = context.req.headersDistinct[HEADER] ?? [];
  if (others.length > 0 || !wellFormed.test(key)) return E.left(malformed);
  return E.right({ key, request: requestOf(context, body) });
};
