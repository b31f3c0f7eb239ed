/** Bodies of requests: nearly what an operation takes, anything of JSON, and bytes. */
import zlib from 'node:zlib';
import fc from 'fast-check';
import { anyNumber, anyString, arrayOf, jsonText, nearly } from './hostile-values';

const constant = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...texts.map((text) => JSON.stringify(text)));

const row = nearly({
  firstUnit: anyNumber,
  lastUnit: fc.oneof(anyNumber, fc.constant('null')),
  unitPrice: anyNumber,
  value: anyString,
  price: anyNumber,
});

const adjustment = fc.oneof(
  nearly({ type: constant('override', 'percent'), amount: anyNumber }),
  nearly({ type: constant('volume'), tiers: arrayOf(row) }),
  nearly({
    type: constant('range', 'enum'),
    property: anyString,
    ranges: arrayOf(row),
    values: arrayOf(row),
  }),
  fc.constantFrom('null', '{"type":"null","amount":null}', '{"type":"__proto__","amount":1}'),
  jsonText,
);

const currencies = ['USD', 'EUR', 'JPY', 'usd', 'XXX', '__proto__'];
const adjustments = fc
  .array(fc.tuple(fc.constantFrom(...currencies), adjustment), { maxLength: 3 })
  .map((members) => `{${members.map(([code, text]) => `"${code}":${text}`).join(',')}}`);

const item = nearly({ productId: anyString, adjustments });
const line = nearly({
  productId: anyString,
  currency: constant(...currencies),
  quantity: anyNumber,
  properties: fc.oneof(jsonText, fc.constant('{"region":"EU"}')),
  at: constant('2026-01-01T00:00:00Z', 'now', '9999-12-31T23:59:59+00:00', '-000001-01-01T00:00:00Z'),
});

const deep = fc
  .tuple(
    fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const, ['[{"a":[', ']}]'] as const),
    fc.constantFrom(31, 32, 33, 1_000, 20_000),
    fc.boolean(),
  )
  .map(([[open, close], times, isClosed]) => open.repeat(times) + (isClosed ? close.repeat(times) : ''));

const texts = fc.oneof(
  { weight: 4, arbitrary: arrayOf(item) },
  { weight: 2, arbitrary: nearly({ productId: constant('all'), adjustments }) },
  { weight: 2, arbitrary: nearly({ name: anyString, description: anyString, basePriceBookId: anyString }) },
  {
    weight: 2,
    arbitrary: nearly({ name: anyString, scopes: arrayOf(constant('read', 'root')), expiresAt: anyString }),
  },
  { weight: 2, arbitrary: arrayOf(anyString) },
  { weight: 3, arbitrary: arrayOf(line) },
  { weight: 4, arbitrary: jsonText },
  { weight: 1, arbitrary: deep },
);

/** A text with a place cut out, said twice or replaced. */
const damaged = fc
  .tuple(
    texts,
    fc.nat(),
    fc.nat(8),
    fc.constantFrom('', '"', '{', '\\', '\u0000', ',', '\ufeff'),
    fc.boolean(),
  )
  .map(([text, place, length, other, isTwice]) => {
    const at = text.length === 0 ? 0 : place % text.length;
    const part = text.slice(at, at + length);
    return text.slice(0, at) + (isTwice ? part + part : other) + text.slice(at + length);
  });

/** The bytes of a body, before any encoding. */
export const bodyBytes = fc.oneof(
  { weight: 6, arbitrary: texts.map((text) => Buffer.from(text)) },
  { weight: 3, arbitrary: damaged.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: texts.map((text) => Buffer.from(text, 'utf16le')) },
);

export const encodings: readonly (readonly [name: string, encode: (bytes: Buffer) => Buffer])[] = [
  ['gzip', (bytes) => zlib.gzipSync(bytes, { level: 1 })],
  ['br', (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 0 } })],
  ['deflate', (bytes) => zlib.deflateSync(bytes, { level: 1 })],
  ['gzip', (bytes) => bytes],
  ['br', (bytes) => bytes],
  ['gzip', (bytes) => zlib.gzipSync(bytes).subarray(0, 15)],
  ['compress', (bytes) => bytes],
  ['gzip, gzip', (bytes) => bytes],
  ['identity', (bytes) => bytes],
];
