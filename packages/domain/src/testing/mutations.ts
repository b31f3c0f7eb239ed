/** Values of JSON with something changed somewhere inside, as arbitraries of fast-check. */
import * as fc from 'fast-check';
import type { Json } from '../codecs/json-schema';

type Path = readonly (string | number)[];

const isContainer = (json: Json): json is readonly Json[] | Readonly<Record<string, Json>> =>
  typeof json === 'object' && json !== null;

const pathsOf = (json: Json, path: Path = []): readonly Path[] =>
  isContainer(json)
    ? [
        path,
        ...Object.entries(json).flatMap(([key, inner]: [string, Json]) => pathsOf(inner, [...path, key])),
      ]
    : [path];

/** Does something to the value at a path; undefined takes it away. */
const changeAt = (
  json: Json,
  [key, ...rest]: Path,
  change: (found: Json) => Json | undefined,
): Json | undefined => {
  if (key === undefined) return change(json);
  if (!isContainer(json)) return json;
  const entries = Object.entries(json).flatMap(
    ([name, inner]: [string, Json]): (readonly [string, Json])[] => {
      if (name !== String(key)) return [[name, inner]];
      const changed = changeAt(inner, rest, change);
      return changed === undefined ? [] : [[name, changed]];
    },
  );
  return Array.isArray(json) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
};

/** What is likely to be just outside, or inside, of some rule. */
const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    -101,
    1e6 + 1,
    1e15,
    1.1e15,
    '',
    ' ',
    'all',
    'ALL',
    '.',
    'at',
    'quantity',
    '\u0000',
    '\u0085',
    'x'.repeat(257),
    ' x '.repeat(70),
    '1'.repeat(2_001),
    'USD',
    'usd',
    'XAU',
    '2026-02-30T00:00:00Z',
    '2026-01-31t12:00+01:00',
    [],
    {},
  ),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

const extraKey = fc.constantFrom('x', 'id', '__proto__', 'USD', 'eur', 'description', 'quantity');

const withKey = (json: Json, key: string, value: Json): Json => {
  if (Array.isArray(json)) return [...(json as readonly Json[]), value];
  return isContainer(json) ? Object.fromEntries([...Object.entries(json), [key, value]]) : value;
};

/** The value with one thing in it replaced, taken away or added. */
export const mutationsOf = (json: Json): fc.Arbitrary<Json> =>
  fc
    .tuple(fc.constantFrom(...pathsOf(json)), fc.constantFrom('replace', 'remove', 'add'), odd, extraKey)
    .map(([path, how, value, key]) => {
      const changed = changeAt(json, path, (found) => {
        if (how === 'remove') return undefined;
        return how === 'replace' ? value : withKey(found, key, value);
      });
      return changed ?? value;
    });
