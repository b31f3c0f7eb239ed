/** When a dated adjustment holds: the rule is `docs/prices.md`, "Dated prices". */
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { append, below, isJsonObject, type JsonCodec, makeCodec, type Reader } from '../codecs/codecs';
import { dateTimeCodec } from '../codecs/date-time';
import { errorOf, refused } from '../codecs/faults';
import { didYouMean } from '../codecs/in-words';

/** ISO 8601, UTC, milliseconds. Half-open: it holds from `validFrom` on, and no longer at `validUntil`. */
export interface Bounds {
  /** Absent: from the moment it is set. */
  readonly validFrom?: string;
  /** Absent: until another one replaces it. */
  readonly validUntil?: string;
}

export const isDated = ({ validFrom, validUntil }: Bounds): boolean =>
  validFrom !== undefined || validUntil !== undefined;

/** ` from 2026-11-27T00:00:00.000Z until 2026-11-30T00:00:00.000Z`; nothing where it is undated. */
export const boundsInWords = ({ validFrom, validUntil }: Bounds): string =>
  `${validFrom === undefined ? '' : ` from ${validFrom}`}${validUntil === undefined ? '' : ` until ${validUntil}`}`;

const boundCodecs = {
  validFrom: dateTimeCodec,
  validUntil: dateTimeCodec,
};
const NAMES = Object.keys(boundCodecs) as readonly (keyof Bounds)[];

// By its title a schema stands by itself, and these say more than that of all times.
const { title: _title, ...dateTimeSchema } = dateTimeCodec.schema;

const boundSchemas = {
  validFrom: {
    ...dateTimeSchema,
    description: 'It holds from this instant on; without it, from the moment it is set.',
    examples: ['2026-11-27T00:00:00Z'],
  },
  validUntil: {
    ...dateTimeSchema,
    description: 'It no longer holds at this instant; then what it lies over shows again.',
    examples: ['2026-11-30T00:00:00Z'],
  },
};

/** The two bounds of an object; what is wrong with them goes into `errors`. */
const readBounds = (
  u: Readonly<Record<string, unknown>>,
  c: t.Context,
  errors: t.ValidationError[],
): Bounds => {
  const bounds: { validFrom?: string; validUntil?: string } = {};
  for (const name of NAMES) {
    if (!Object.hasOwn(u, name)) continue;
    const read = boundCodecs[name].validate(u[name], below(c, name, boundCodecs[name]));
    if (E.isLeft(read)) append(errors, read.left);
    else bounds[name] = read.right;
  }
  const { validFrom, validUntil } = bounds;
  if (validFrom !== undefined && validUntil !== undefined && validUntil <= validFrom) {
    const at = below(c, 'validUntil', t.unknown);
    errors.push(errorOf(validUntil, at, () => `must be after validFrom, ${validFrom}`));
  }
  return bounds;
};

/** What a codec says of a field that it does not know, with the bounds among those that it does. */
const withBoundsKnown = (errors: t.Errors, c: t.Context, known: readonly string[]): t.Errors =>
  errors.map((error) => {
    const key = error.context.at(-1)?.key ?? '';
    if (error.context.length !== c.length + 1 || known.includes(key)) return error;
    const names = [...known, ...NAMES];
    const say = (): string => `is not a known field; known are: ${names.join(', ')}${didYouMean(key, names)}`;
    return errorOf(error.value, error.context, say);
  });

/** What `codec` accepts, with or without bounds. */
export const withBounds = <A extends object>(codec: Reader<A>): JsonCodec<A & Bounds> => {
  const fields = codec.schema.properties ?? {};
  const validate: t.Validate<unknown, A & Bounds> = (u, c) => {
    if (!isJsonObject(u)) return codec.validate(u, c);
    const { validFrom: _from, validUntil: _until, ...own } = u;
    const read = codec.validate(own, c);
    const errors: t.ValidationError[] = [];
    const bounds = readBounds(u, c, errors);
    if (E.isLeft(read)) append(errors, withBoundsKnown(read.left, c, Object.keys(fields)));
    if (errors.length > 0) return t.failures(errors);
    return E.isLeft(read) ? read : t.success({ ...read.right, ...bounds });
  };
  return makeCodec(
    codec.name,
    (u, c) => {
      const isUndated = !isJsonObject(u) || !NAMES.some((name) => Object.hasOwn(u, name));
      if (!isUndated) return validate(u, c);
      const read = codec.validate(u, c);
      return E.isRight(read) ? read : validate(u, c);
    },
    { ...codec.schema, properties: { ...fields, ...boundSchemas } },
  );
};

/** The same, with one bound at least. */
export const withSomeBound = <A extends object>(codec: Reader<A>): JsonCodec<A & Bounds> => {
  const dated = withBounds(codec);
  return makeCodec(
    codec.name,
    (u, c) => {
      const read = dated.validate(u, c);
      return E.isLeft(read) || isDated(read.right)
        ? read
        : refused(u, c, () => 'must have validFrom, validUntil or both');
    },
    // One more than those that have to be there.
    { ...dated.schema, minProperties: (dated.schema.required?.length ?? 0) + 1 },
  );
};
