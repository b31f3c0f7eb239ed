/** What is no HTTP, or should be none: it may be refused or cut off, and must not do any harm. */
import fc from 'fast-check';
import { hostileRequests, type Targets } from './requests';

const NAMES = ['GET', 'PUT', 'get', 'G\u0000T', '', 'X'.repeat(100), 'PRI', 'CONNECT', '\xff'];
const URLS = [
  '/',
  '*',
  '/v1/pricebooks',
  'http://evil/v1/pricebooks',
  '//evil',
  'evil:80',
  '',
  '/\u0000',
  '/ /',
  '/\x7f',
];
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/9.9',
  'HTTP/1.1x',
  'HTTX/1.1',
  '',
  'http/1.1',
];

const line = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom(...URLS),
    fc.constantFrom(...VERSIONS),
    fc.constantFrom(' ', '  ', '\t', ''),
  )
  .map((parts) => parts.slice(0, 3).join(parts[3]));

/** How long a body is, told wrongly, twice or in two ways. */
const framing = fc.constantFrom(
  'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 5',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: cow',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: 5, 5',
  'Content-Length: +5',
  'Content-Length: -5',
  'Content-Length: 0x5',
  'Content-Length: 5 5',
  'Content-Length: 99999999999999999999999',
  'Content-Length: 4294967296',
  'Content-Length:',
  'Content-Length : 5',
);

const headers = fc.constantFrom(
  'no colon',
  ': no name',
  'a b: c',
  'a\u0000: b',
  'a: b\u0000c',
  'a: b\r c',
  'a: b\n c: d',
  ' folded: x',
  'a: b\r\n continued',
  'Host: y',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  'Connection: close, keep-alive, x-api-key',
  'Expect: 100-continue',
  `a: ${'b'.repeat(20_000)}`,
  'a:\r\n'.repeat(3_000).trimEnd(),
  `${'n'.repeat(20_000)}: v`,
);

const bodies = fc.constantFrom(
  '',
  '[1,2]',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\nhello\r\n0\r\n\r\n',
  '-1\r\nhello\r\n0\r\n\r\n',
  'ffffffffffffffff\r\nhello',
  '5;ext="\u0000"\r\nhello\r\n0\r\n\r\n',
  '5\nhello\n0\n\n',
  '5\r\nhel',
  '5\r\nhelloworld\r\n0\r\n\r\n',
  '0\r\nx-api-key: y\r\n\r\n',
  `0\r\n${'t: r\r\n'.repeat(4_000)}\r\n`,
  '0\r\n\r\nGET /v1/pricebooks HTTP/1.1\r\nHost: x\r\n\r\n',
  `5;${'e'.repeat(30_000)}\r\nhello\r\n0\r\n\r\n`,
);

const ends = fc.constantFrom('\r\n', '\n', '\r', '\r\n\r\n');

const composed = ({ key }: Targets): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.oneof(line, fc.constantFrom('PUT /v1/pricebooks HTTP/1.1', 'POST /v1/pricebooks HTTP/1.1')),
      fc.array(fc.oneof(headers, framing), { maxLength: 3 }),
      bodies,
      fc.oneof({ weight: 5, arbitrary: fc.constant('\r\n') }, ends),
    )
    .map(([first, more, body, end]) =>
      Buffer.from(
        [first, 'Host: x', `x-api-key: ${key}`, 'Content-Type: application/json', ...more, '', body].join(
          end,
        ),
        'latin1',
      ),
    );

/** Bytes of sane requests, cut off, or with some of them changed. */
const mutated = (targets: Targets): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.array(hostileRequests(targets), { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
      fc.option(fc.nat()),
    )
    .map(([requests, changes, cut]) => {
      const bytes = Buffer.concat(requests.map((request) => request.bytes));
      for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
      return cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
    });

const others = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.from('160301020001fc0303', 'hex'),
    Buffer.from('*1\r\n$4\r\nPING\r\n'),
    Buffer.alloc(70_000, 'A'),
    Buffer.alloc(70_000, '\r\n'),
    Buffer.from(`GET /${'x'.repeat(60_000)} HTTP/1.1\r\n\r\n`),
  ),
);

export const brokenHttp = (targets: Targets): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 4, arbitrary: composed(targets) },
    { weight: 4, arbitrary: mutated(targets) },
    { weight: 1, arbitrary: others },
  );
