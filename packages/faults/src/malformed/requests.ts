/** Requests that are HTTP, and otherwise as wrong as they can be: each must get an answer. */
import fc from 'fast-check';
import { bodyBytes, encodings } from './bodies';
import { hostileText } from './hostile-values';

export interface HostileRequest {
  readonly bytes: Buffer;
  readonly isHead: boolean;
}

/** What requests are about. */
export interface Targets {
  readonly key: string;
  /** Books that may be written to. */
  readonly books: readonly string[];
}

const isPlain = (text: string): boolean => /^[\x21-\x7e\x80-\xff]*$/.test(text);

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const segment = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('P', 'Q', 'USD', 'usd', 'prices', 'quote', 'events', 'percents', 'history'),
  },
  { weight: 2, arbitrary: hostileText.map(encoded) },
  fc.constantFrom(
    '%',
    '%zz',
    '%ff',
    '%C0%AF',
    '%00',
    '%ED%A0%80',
    '..',
    '.',
    ';a=b',
    '@',
    '//',
    '\x80',
    '%2F',
    '*',
  ),
);

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc
    .array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(
            'at',
            'explain',
            'quantity',
            'limit',
            'cursor',
            'since',
            'productId',
            'region',
            'name',
          ),
          hostileText.map(encoded),
        ),
        fc.oneof(
          fc.constantFrom(
            'true',
            '1',
            '0',
            '-1',
            '1e999',
            '1001',
            '2026-01-01T00:00:00Z',
            '%',
            '',
            'ZXZlbnRzOjE',
          ),
          hostileText.map(encoded),
        ),
      ),
      { maxLength: 4 },
    )
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
  fc.constantFrom('?', '??', '?&&&', '?=', '?a', '#x', '?%zz=%zz', `?${'a=1&'.repeat(500)}`),
);

/** Every operation: {book} and {text} stand for what varies. */
const OPERATIONS = [
  ...[
    'POST /v1/pricebooks',
    'GET /v1/pricebooks',
    'GET /v1/pricebooks/{book}',
    'PATCH /v1/pricebooks/{book}',
  ],
  ...[
    'DELETE /v1/pricebooks/{text}',
    'PUT /v1/pricebooks/{book}/prices',
    'DELETE /v1/pricebooks/{book}/prices',
  ],
  ...['GET /v1/pricebooks/{book}/{text}/{text}', 'GET /v1/pricebooks/{book}/{text}/USD'],
  ...['GET /v1/pricebooks/{book}/{text}/{text}/history', 'GET /v1/pricebooks/{book}/P/{text}/history'],
  ...[
    'GET /v1/pricebooks/{book}/events',
    'POST /v1/pricebooks/{book}/quote',
    'POST /v1/pricebooks/{book}/quote-with-totals',
    'GET /v1/pricebooks/{book}/prices',
  ],
  ...[
    'GET /v1/pricebooks/{book}/percents',
    'POST /v1/api-keys',
    'GET /v1/api-keys',
    'DELETE /v1/api-keys/{text}',
  ],
  ...[
    'GET /health/live',
    'GET /health/ready',
    'GET /metrics',
    'GET /openapi.json',
    'GET /docs',
    'GET /problems/x',
  ],
];

const operationOf = ({ books }: Targets): fc.Arbitrary<readonly [method: string, path: string]> => {
  const book = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...books) },
    fc.constantFrom('01a1fced-c116-737b-90d3-d0ce7dc012dc', '00000000-0000-0000-0000-000000000000'),
  );
  return fc
    .tuple(fc.constantFrom(...OPERATIONS), book, segment, segment)
    .map(([operation, id, one, other]) => {
      const [name = '', path = ''] = operation.split(' ');
      return [
        name,
        path
          .replace('{book}', id)
          .replace('{text}', () => one)
          .replace('{text}', () => other),
      ];
    });
};

const paths = fc.oneof(
  fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
  fc.array(segment, { maxLength: 4 }).map((parts) => `/v1/pricebooks/${parts.join('/')}`),
);

const method = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE') },
  fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PURGE', 'PROPFIND', 'LOCK', 'QUERY'),
);

const value = fc.oneof(
  hostileText.map((text) => (isPlain(text) ? text : encoded(text))),
  fc.constantFrom('*', '"0"', '"1", "2"', 'W/"0"', '""', ',,,', 'x'.repeat(4_000), '\xff\xfe'),
);

const header = fc
  .tuple(
    fc.constantFrom(
      ...[
        'if-match',
        'if-none-match',
        'accept',
        'x-request-id',
        'idempotency-key',
        'content-language',
        'range',
      ],
      ...[
        'x-forwarded-for',
        'x-http-method-override',
        'accept-encoding',
        'expect',
        'te',
        'cookie',
        'authorization',
      ],
    ),
    fc.oneof(
      { weight: 3, arbitrary: value },
      fc.constantFrom('application/json', '*/*', 'text/html', '100-continue'),
    ),
  )
  .map(([name, text]) => `${name}: ${text}`);

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    ...[
      'application/json; charset=utf-8',
      'application/json; charset=utf-16',
      'text/plain',
      'application/xml',
    ],
    ...[
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      '*/*',
      'json',
      ';',
      'a/b;c="',
    ],
  ),
);

const framed = (head: readonly string[], body: Buffer | undefined, chunk: number): Buffer => {
  if (body === undefined) return Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  const length = chunk === 0 ? `Content-Length: ${String(body.length)}` : 'Transfer-Encoding: chunked';
  const begin = Buffer.from(`${[...head, length].join('\r\n')}\r\n\r\n`, 'latin1');
  if (chunk === 0) return Buffer.concat([begin, body]);
  const chunks: Buffer[] = [begin];
  for (let at = 0; at < body.length; at += chunk) {
    const part = body.subarray(at, at + chunk);
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
};

export const hostileRequests = (targets: Targets): fc.Arbitrary<HostileRequest> => {
  const key = fc.oneof(
    { weight: 30, arbitrary: fc.constant(targets.key) },
    value,
    fc.constant(''),
    fc.constant(`${targets.key}, ${targets.key}`),
  );
  return fc
    .record({
      operation: fc.oneof(
        { weight: 9, arbitrary: operationOf(targets) },
        fc.tuple(
          method,
          fc.oneof(
            paths,
            operationOf(targets).map(([, path]) => path),
          ),
        ),
      ),
      query,
      key,
      headers: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 3 })),
      contentType,
      body: bodyBytes,
      encoding: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, fc.constantFrom(...encodings)),
      chunk: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(1, 7, 1_000)),
      isWithBody: fc.boolean(),
    })
    .map(({ operation: [name, path], ...request }) => {
      const takesBody = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(name);
      const hasBody = takesBody || (request.isWithBody && name !== 'HEAD' && name !== 'TRACE');
      const head = [
        `${name} ${path}${request.query} HTTP/1.1`,
        'Host: x',
        `x-api-key: ${request.key}`,
        ...request.headers,
      ];
      if (!hasBody) return { bytes: framed(head, undefined, 0), isHead: name === 'HEAD' };
      head.push(`Content-Type: ${request.contentType}`);
      const [encoding, encode] = request.encoding ?? [];
      if (encoding !== undefined) head.push(`Content-Encoding: ${encoding}`);
      const bytes = encode === undefined ? request.body : encode(request.body);
      return { bytes: framed(head, bytes, request.chunk), isHead: false };
    });
};
