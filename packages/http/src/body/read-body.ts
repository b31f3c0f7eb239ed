import bodyParser from 'koa-bodyparser';
import type { Context } from 'koa';
import { faultsOf, inWords, type JsonSchema, type Reader } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { RequestError } from '../api-error';
import type { Holdings } from '../limits/holdings';
import { parseStrictJson } from './strict-json';

/** Design section 2: 1 MiB, after any compression is undone. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The parser brings limits and decompression. Its own JSON takes duplicate keys and mends broken UTF-8, so it
 * only hands over the bytes, one character a byte, and strict-json.ts reads them.
 */
const options = {
  enableTypes: ['text'],
  extendTypes: { text: ['application/json', 'text/csv'] },
  encoding: 'latin1',
  textLimit: String(MAX_BODY_BYTES),
};
const collect = bodyParser(options);

export const hasBody = ({ headers }: Pick<Context, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** How bodies of a media type are read. */
export interface BodyFormat<A> {
  readonly mediaType: string;
  /** What it accepts. */
  readonly schema: JsonSchema;
  readonly read: (bytes: Buffer) => E.Either<RequestError, A>;
}

const formatOf = <A>(
  { request }: Context,
  formats: readonly BodyFormat<A>[],
): E.Either<RequestError, BodyFormat<A>> => {
  const format = formats.find(({ mediaType }) => request.is(mediaType) !== false);
  if (format === undefined) {
    const mediaTypes = formats.map(({ mediaType }) => mediaType).join(' or ');
    const sent = request.type === '' ? 'without one' : `as ${inWords(request.type)}`;
    const detail = `Send the body as Content-Type: ${mediaTypes}. It was sent ${sent}.`;
    return E.left({ _tag: 'UnsupportedMediaType', detail });
  }
  const { charset } = request;
  if (charset === '' || /^utf-?8$/i.test(charset)) return E.right(format);
  const detail = `Send the body in UTF-8, not ${inWords(charset)}.`;
  return E.left({ _tag: 'UnsupportedMediaType', detail });
};

/** Such as Z_DATA_ERROR, or ERR__ERROR_FORMAT_PADDING_1 of brotli. */
const isOfZlib = (failure: unknown): boolean =>
  failure instanceof Error &&
  'code' in failure &&
  typeof failure.code === 'string' &&
  /^(?:Z|ERR_)_/.test(failure.code);

const collectError = (failure: unknown, encoding = ''): RequestError => {
  const status =
    typeof failure === 'object' && failure !== null && 'status' in failure ? failure.status : undefined;
  if (status === 413) return { _tag: 'BodyTooLarge', maxBytes: MAX_BODY_BYTES };
  if (status === 415) {
    const detail = `The Content-Encoding ${inWords(encoding)} is not understood. Those that are: gzip, deflate, br.`;
    return { _tag: 'UnsupportedMediaType', detail };
  }
  if (isOfZlib(failure)) {
    return { _tag: 'InvalidBody', faults: [{ pointer: '', detail: `is not valid ${encoding}` }] };
  }
  // Cut off, or longer or shorter than announced.
  return { _tag: 'InvalidBody', faults: [{ pointer: '', detail: 'could not be read to its end' }] };
};

/** Others need the room that this body has taken so far. */
class GaveWay extends Error {}

/**
 * Fails when the client goes away, which the parser does not notice behind a decompression, and when the body has to
 * give way to others that come faster.
 */
const brokenOff = ({ req }: Context, coming: Holdings): Promise<never> =>
  new Promise((_resolve, reject) => {
    // It has gone away already, and says so no more.
    if (req.destroyed) reject(new Error('the request was cut off'));
    const holding = coming.hold(() => {
      reject(new GaveWay());
    });
    // A few compressed bytes can stand for the most that a body may have.
    let atOnce = req.headers['content-encoding'] === undefined ? 0 : MAX_BODY_BYTES;
    req.on('data', (chunk: Buffer) => {
      holding.grow(chunk.length + atOnce);
      atOnce = 0;
    });
    req.once('end', holding.release);
    req.once('close', () => {
      holding.release();
      if (!req.complete) reject(new Error('the request was cut off'));
    });
  });

/** The body of a request, without any compression. */
interface CollectedBody<A> {
  readonly bytes: Buffer;
  readonly format: BodyFormat<A>;
}

/** @param formats one of which the body has to have. */
export const collectBody = async <A>(
  context: Context,
  coming: Holdings,
  formats: readonly BodyFormat<A>[],
): Promise<E.Either<RequestError, CollectedBody<A>>> => {
  if (!hasBody(context)) {
    // A DELETE with a body of no announced length arrives like this too: it never means "all".
    const detail = 'is missing: the request has no body';
    return E.left({ _tag: 'InvalidBody', faults: [{ pointer: '', detail }] });
  }
  const format = formatOf(context, formats);
  if (E.isLeft(format)) return format;
  try {
    await Promise.race([collect(context, () => Promise.resolve()), brokenOff(context, coming)]);
  } catch (failure) {
    return E.left(
      failure instanceof GaveWay
        ? { _tag: 'Overloaded' }
        : collectError(failure, context.req.headers['content-encoding']),
    );
  }
  const { rawBody } = context.request;
  return E.right({
    bytes: Buffer.from(typeof rawBody === 'string' ? rawBody : '', 'latin1'),
    format: format.right,
  });
};

/** JSON that a reader takes. */
export const jsonFormat = <A>(reader: Reader<A>): BodyFormat<A> => ({
  mediaType: 'application/json',
  schema: reader.schema,
  read: (bytes) => {
    const value = parseStrictJson(bytes);
    if (E.isLeft(value)) return E.left({ _tag: 'InvalidBody', faults: value.left });
    const read = reader.decode(value.right);
    return E.isRight(read) ? read : E.left({ _tag: 'InvalidBody', faults: faultsOf(read.left) });
  },
});

const EMPTY_OBJECT = Buffer.from('{}');

/** JSON that need not be there: nothing is read as an empty object. */
export const optional = <A>(format: BodyFormat<A>): BodyFormat<A> => ({
  ...format,
  read: (bytes) => format.read(bytes.length === 0 ? EMPTY_OBJECT : bytes),
});
