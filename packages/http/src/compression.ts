/**
 * Compresses answers of 1 KB and more, with brotli or gzip. docs/decisions/0031 says why here and not by koa-compress,
 * and what it means for entity tags.
 */
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Context } from 'koa';
import { codedTag, type Coding, CODINGS } from './entity-tag';
import { EVENT_STREAM } from './server-sent-events';
import type { StreamedBody } from './streams';

/** Less hardly becomes smaller: what a packet holds with its headers. In characters where the answer is text. */
const MIN_SIZE = 1_024;

/** Beyond this quality brotli takes several times as long; the window of 256 KB bounds what each answer holds. */
const BROTLI = {
  params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4, [zlib.constants.BROTLI_PARAM_LGWIN]: 18 },
};

const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const gzip = promisify<zlib.InputType, Buffer>(zlib.gzip);

const compress = (content: string | Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'br' ? brotli(content, BROTLI) : gzip(content);

/** Files and the OpenAPI document are kept as buffers by those who serve them. They are compressed once. */
const compressedFiles = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>();

const compressFile = (file: Buffer, coding: Coding): Promise<Buffer> => {
  const codings = compressedFiles.get(file) ?? new Map<Coding, Promise<Buffer>>();
  compressedFiles.set(file, codings);
  const known = codings.get(coding);
  if (known !== undefined) return known;
  const compressed = compress(file, coding);
  codings.set(coding, compressed);
  // The next request tries again.
  compressed.catch(() => codings.delete(coding));
  return compressed;
};

/** The content of an answer that may be compressed. */
export const compressibleIn = ({ response: { body } }: Context): string | Buffer | undefined =>
  (typeof body === 'string' || Buffer.isBuffer(body)) && body.length >= MIN_SIZE ? body : undefined;

/** Chooses the coding of an answer, and has its headers say so; undefined where the client takes none. */
const encode = (context: Context): Coding | undefined => {
  context.vary('Accept-Encoding');
  const coding = CODINGS.find((one) => context.acceptsEncodings(one, 'identity') === one);
  if (coding === undefined) return undefined;
  context.set('Content-Encoding', coding);
  const tag = context.res.getHeader('etag');
  if (typeof tag === 'string') context.set('ETag', codedTag(tag, coding));
  return coding;
};

/** Compresses the body of an answer, off the event loop. */
export const compressBody = async (context: Context, content: string | Buffer): Promise<void> => {
  const coding = encode(context);
  if (coding === undefined) return;
  context.body = await (typeof content === 'string'
    ? compress(content, coding)
    : compressFile(content, coding));
};

const compressPieces = async function* (
  pieces: AsyncIterable<string | Uint8Array>,
  coding: Coding,
): AsyncGenerator<Uint8Array> {
  const compressor = coding === 'br' ? zlib.createBrotliCompress(BROTLI) : zlib.createGzip();
  // A failure comes out of the compressor too.
  pipeline(pieces, compressor, () => undefined);
  yield* compressor as AsyncIterable<Buffer>;
};

/** The same body, compressed while it is sent. Events must not wait for others to be compressed with. */
export const compressStream = (context: Context, stream: StreamedBody): StreamedBody => {
  if (stream.contentType === EVENT_STREAM) return stream;
  if (context.status === 304) {
    context.vary('Accept-Encoding');
    return stream;
  }
  const coding = encode(context);
  if (coding === undefined) return stream;
  return { ...stream, pieces: (over) => compressPieces(stream.pieces(over), coding) };
};
