/** Values that break programs: texts, numbers, and JSON made of them. */
import fc from 'fast-check';

export const hostileText = fc.oneof(
  fc.constantFrom(
    ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'all', 'ALL', '.', '..', ''],
    ...[
      '\u0000',
      '\u0007',
      '\u202e',
      '\ufeff',
      '\ud800',
      '\udfff',
      '\u{1d54f}',
      'e\u0301',
      '\u2028',
      ' ',
      '\t',
    ],
    ...[
      "' OR 1=1 --",
      '$where',
      '{"$gt":""}',
      '<script>',
      '../../etc/passwd',
      '%00',
      '${7*7}',
      'NaN',
      'null',
    ],
    'x'.repeat(257),
    'y'.repeat(2_001),
    '\u{1f388}'.repeat(256),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);

/** As texts of JSON, since some are none. */
const numberText = fc.oneof(
  fc.constantFrom(
    ...[
      '1e400',
      '-1e400',
      '1e-400',
      '-0',
      '0',
      '1e15',
      '1e16',
      '-1',
      '-100',
      '-101',
      '1000001',
      '0.1',
      '1.',
      '.5',
    ],
    ...['00', '01', '+1', '0x10', '1e', '1e+', 'NaN', 'Infinity', '-', '9007199254740993', '5e-324'],
    '9'.repeat(400),
    `0.${'3'.repeat(400)}`,
  ),
  fc.double().map(String),
  fc.integer().map(String),
);

const quoted = (text: string): string => JSON.stringify(text);
/** As they are: with a lone surrogate or a control character they are no JSON. */
const bare = (text: string): string => `"${text}"`;
const stringText = fc.oneof(
  { weight: 5, arbitrary: hostileText.map(quoted) },
  hostileText.map(bare),
  fc.constantFrom('"\\ud800"', '"\\u0000"', '"\\x"', '"\\u12"', '"', '"\\'),
);

const scalarText = fc.oneof(
  numberText,
  stringText,
  fc.constantFrom('null', 'true', 'false', 'nul', '', '[]', '{}'),
);

const objectText = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(key, value), { maxLength: 4 })
    .map((members) => `{${members.map(([name, content]) => `${name}:${content}`).join(',')}}`);

/** Texts of JSON, or nearly so: keys twice, wrong types, numbers that are none. */
export const { jsonText } = fc.letrec<{ readonly jsonText: string }>((tie) => ({
  jsonText: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalarText,
    fc.array(tie('jsonText'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    objectText(stringText, tie('jsonText')),
  ),
}));

const key = (name: string): string => JSON.stringify(name);
const member = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  value.map((text) => `${key(name)}:${text}`);

/** An object that has most of the members that it should have, each with what it should have or anything else. */
export const nearly = (members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> => {
  const sane = Object.entries(members).map(([name, value]) =>
    fc.oneof({ weight: 12, arbitrary: member(name, value) }, member(name, scalarText), fc.constant('')),
  );
  const extra = fc.oneof(
    { weight: 10, arbitrary: fc.constant('') },
    fc.tuple(stringText, jsonText).map(([name, value]) => `${name}:${value}`),
  );
  return fc.tuple(...sane, extra).map((parts) => `{${parts.filter((part) => part !== '').join(',')}}`);
};

export const arrayOf = (item: fc.Arbitrary<string>, maxLength = 4): fc.Arbitrary<string> =>
  fc.array(item, { maxLength }).map((items) => `[${items.join(',')}]`);

export const anyNumber = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 1_000 }).map(String) },
  numberText,
);
export const anyString = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('"P"', '"Q"', '"region"', '"EU"') },
  stringText,
);
