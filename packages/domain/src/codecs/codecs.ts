/**
 * Building blocks for codecs whose failures read well: each failure carries a sentence, all failures of an
 * input are found in one pass, and unknown fields are refused. io-ts' own combinators say "Invalid value",
 * let unknown fields through and put union branches into the path.
 */
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';

/** A codec between plain JSON and a value of the same shape that has been checked and brought to its normal form. */
export type JsonCodec<A> = t.Type<A, A>;

/** The half of a codec that reads. */
export type Reader<A> = t.Decoder<unknown, A>;

/** A codec whose values are kept as they are. */
export const makeCodec = <A>(name: string, validate: t.Validate<unknown, A>): JsonCodec<A> =>
  new t.Type<A, A>(name, (u): u is A => E.isRight(validate(u, [])), validate, t.identity);

/** A spread would put each fault on the stack, and there can be more than fit there. */
export const append = (errors: t.ValidationError[], more: t.Errors): void => {
  for (const error of more) errors.push(error);
};

export const isJsonObject = (u: unknown): u is Readonly<Record<string, unknown>> =>
  typeof u === 'object' && u !== null && !Array.isArray(u);

/** Lone surrogates have no UTF-8 form: they would come back as another text than was stored. */
const isStorable = (text: string): boolean => text.isWellFormed();

const codePoints = (text: string): number => {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
};

interface TextLength {
  readonly min: number;
  readonly max: number;
  /** White space at both ends does not count and is not kept. */
  readonly trim?: boolean;
}

/** A text of `min` to `max` Unicode code points. */
export const text = (name: string, { min, max, trim = false }: TextLength): JsonCodec<string> =>
  makeCodec(name, (u, c) => {
    if (typeof u !== 'string') return t.failure(u, c, 'must be a text');
    if (!isStorable(u)) return t.failure(u, c, 'must not hold half of a surrogate pair');
    const value = trim ? u.trim() : u;
    // A code point is one or two units: most texts need no counting.
    if (value.length < min || (value.length > max && codePoints(value) > max)) {
      const blank = trim ? ' beside white space at its ends' : '';
      return t.failure(u, c, `must have ${String(min)} to ${String(max)} characters${blank}`);
    }
    return t.success(value);
  });

/** What `base` accepts and `rule` finds nothing against; the value is brought to the form that `rule` gives. */
export const refine = <A, B>(
  name: string,
  base: JsonCodec<A>,
  rule: (value: A) => E.Either<string, B>,
): JsonCodec<B> =>
  makeCodec(name, (u, c) => {
    const value = base.validate(u, c);
    if (E.isLeft(value)) return value;
    const ruled = rule(value.right);
    return E.isLeft(ruled) ? t.failure(u, c, ruled.left) : ruled;
  });

/** A finite number of `min` to `max`, both inclusive. Minus zero becomes zero. */
export const numberBetween = (name: string, min: number, max: number): JsonCodec<number> =>
  makeCodec(name, (u, c) =>
    typeof u === 'number' && u >= min && u <= max
      ? t.success(u + 0)
      : t.failure(u, c, `must be a number from ${String(min)} to ${String(max)}`),
  );

/** Exactly this value. */
export const exactly = <L extends string | number | null>(value: L): JsonCodec<L> =>
  makeCodec(JSON.stringify(value), (u, c) =>
    u === value ? t.success(value) : t.failure(u, c, `must be ${JSON.stringify(value)}`),
  );

/** What `codec` accepts, or null. */
export const orNull = <A>(codec: JsonCodec<A>): JsonCodec<A | null> =>
  makeCodec<A | null>(`${codec.name} | null`, (u, c) =>
    u === null ? t.success(null) : codec.validate(u, c),
  );

type Fields = Readonly<Record<string, t.Mixed>>;
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- no optional fields is just that
type NoFields = Readonly<Record<never, t.Mixed>>;
type FieldsOf<R extends Fields, O extends Fields> = {
  readonly [K in keyof R]: t.TypeOf<R[K]>;
} & { readonly [K in keyof O]?: t.TypeOf<O[K]> };

/**
 * A JSON object with just these fields.
 *
 * @param refused fields that callers are likely to send and must not, with the reason.
 */
export const record = <R extends Fields, O extends Fields = NoFields>(
  name: string,
  required: R,
  optional: O = {} as O,
  refused: Readonly<Record<string, string>> = {},
): JsonCodec<FieldsOf<R, O>> => {
  const fields = new Map<string, t.Mixed>(Object.entries({ ...required, ...optional }));
  const requiredNames = Object.keys(required);
  const known = [...fields.keys()].join(', ');
  return makeCodec(name, (u, c) => {
    if (!isJsonObject(u)) return t.failure(u, c, 'must be an object');
    const errors: t.ValidationError[] = [];
    const value: Record<string, unknown> = {};
    const fail = (key: string, message: string): void => {
      errors.push({ value: u[key], context: t.appendContext(c, key, t.unknown), message });
    };
    for (const key of requiredNames) if (!Object.hasOwn(u, key)) fail(key, 'is required');
    for (const key of Object.keys(u)) {
      const codec = fields.get(key);
      if (codec === undefined) {
        const reason = Object.hasOwn(refused, key) ? refused[key] : undefined;
        fail(key, reason ?? `is not a known field; known are: ${known}`);
        continue;
      }
      const checked = codec.validate(u[key], t.appendContext(c, key, codec));
      if (E.isLeft(checked)) append(errors, checked.left);
      else value[key] = checked.right;
    }
    return errors.length > 0 ? t.failures(errors) : t.success(value as FieldsOf<R, O>);
  });
};

/** A JSON object used as a map: the keys go through `key`, two keys of one normal form are a fault. */
export const mapOf = <K extends string, A>(
  key: JsonCodec<K>,
  value: JsonCodec<A>,
  max: number,
): JsonCodec<Readonly<Partial<Record<K, A>>>> =>
  makeCodec(`{ [${key.name}]: ${value.name} }`, (u, c) => {
    if (!isJsonObject(u)) return t.failure(u, c, 'must be an object');
    const keys = Object.keys(u);
    if (keys.length > max) {
      return t.failure(u, c, `has ${String(keys.length)} keys; at most ${String(max)} are allowed`);
    }
    const errors: t.ValidationError[] = [];
    const map: Partial<Record<K, A>> = {};
    const seen = new Set<K>();
    for (const raw of keys) {
      const context = t.appendContext(c, raw, value);
      const checkedKey = key.validate(raw, context);
      const checkedValue = value.validate(u[raw], context);
      if (E.isLeft(checkedKey)) append(errors, checkedKey.left);
      else if (seen.has(checkedKey.right)) {
        errors.push({ value: raw, context, message: `stands here twice: ${checkedKey.right}` });
      } else if (E.isRight(checkedValue)) map[checkedKey.right] = checkedValue.right;
      if (E.isRight(checkedKey)) seen.add(checkedKey.right);
      if (E.isLeft(checkedValue)) append(errors, checkedValue.left);
    }
    return errors.length > 0 ? t.failures(errors) : t.success(map);
  });

/**
 * One of several object shapes, told apart by a text field: a fault is about the shape that was meant,
 * not about all of them.
 */
export const taggedBy = <A>(field: string, variants: Readonly<Record<string, Reader<A>>>): JsonCodec<A> => {
  const names = Object.keys(variants);
  return makeCodec(names.join(' | '), (u, c) => {
    if (!isJsonObject(u)) return t.failure(u, c, 'must be an object');
    const tag = u[field];
    const variant = typeof tag === 'string' && Object.hasOwn(variants, tag) ? variants[tag] : undefined;
    return variant === undefined
      ? t.failure(tag, t.appendContext(c, field, t.unknown), `must be one of: ${names.join(', ')}`)
      : variant.validate(u, c);
  });
};
