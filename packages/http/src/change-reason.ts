/**
 * The header Change-Reason: why a write is done, kept with its event. Headers are ASCII, and browsers send nothing
 * else that arrives the same everywhere: any other text is sent as a Display String (RFC 9651, section 3.3.8).
 */
import type { IncomingMessage } from 'node:http';
import { changeReasonCodec, faultsOf, sentenceOf } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { ApiError } from './api-error';
import type { Parameter } from './openapi/operation';

const NAME = 'Change-Reason';
const HEADER = 'change-reason';

const printableAscii = /^[ -~]*$/;
const OPENING = '%"';
const displayString = /^%"((?:[ !#$&-~]|%[0-9A-Fa-f]{2})*)"$/;

/** Every write to price books takes it; `changeReasonOf` reads it. */
export const changeReason: Parameter = {
  in: 'header',
  name: NAME,
  description:
    'Why the write is done: 1 to 200 characters, kept with its event and shown in histories and explanations. Printable ' +
    'ASCII is sent as it is; any other text as a Display String of RFC 9651, which is UTF-8, percent-encoded, between ' +
    '`%"` and `"`: `%"f%c3%bcr Q4"`.',
  schema: { type: 'string', minLength: 1, pattern: printableAscii.source, examples: ['Autumn sale'] },
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns undefined where it is not a Display String. */
const readDisplayString = (value: string): string | undefined => {
  const inner = displayString.exec(value)?.[1];
  if (inner === undefined) return undefined;
  const latin1 = inner.replaceAll(/%(..)/g, (_found, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return undefined;
  }
};

const refused = (detail: string): E.Either<ApiError, never> =>
  E.left({ _tag: 'InvalidParameter', detail: sentenceOf(`The header ${NAME}`, detail) });

/** @returns the reason that a request gives, without white space at its ends; undefined where it gives none. */
export const changeReasonOf = (
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct'>,
): E.Either<ApiError, string | undefined> => {
  if (request.headers[HEADER] === undefined) return E.right(undefined);
  // Node joins those of a header that is sent several times, which makes a reason that was not sent. It makes the other
  // form of all headers when it is first asked for it.
  const [value = '', ...others] = request.headersDistinct[HEADER] ?? [];
  if (others.length > 0) return refused('must be sent once');
  if (!printableAscii.test(value)) {
    return refused(
      'must be printable ASCII. Send any other text percent-encoded, as a Display String of RFC 9651: %"f%c3%bcr Q4"',
    );
  }
  const text = value.startsWith(OPENING) ? readDisplayString(value) : value;
  if (text === undefined) {
    return refused(
      'begins with %" and is not a Display String of RFC 9651, which is UTF-8, percent-encoded: %"f%c3%bcr Q4"',
    );
  }
  const reason = changeReasonCodec.decode(text);
  return E.isRight(reason) ? reason : refused(faultsOf(reason.left)[0]?.detail ?? 'is not valid');
};

/** A reason as a client sends it in the header. */
export const changeReasonHeader = (reason: string): Readonly<Record<string, string>> => {
  if (printableAscii.test(reason) && !reason.startsWith(OPENING)) return { [HEADER]: reason };
  const inner = [...Buffer.from(reason, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return printableAscii.test(character) && character !== '%' && character !== '"'
        ? character
        : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
  return { [HEADER]: `${OPENING}${inner}"` };
};
