/**
 * Building blocks for codecs whose failures read well: each failure carries a sentence, all failures of an
 * input are found in one pass, and unknown fields are refused. io-ts' own combinators say "Invalid value",
 * let unknown fields through and put union branches into the path.
 */
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { errorOf, refused } from './faults';
import { didYouMean, inWords, noNumberInWords } from './in-words';
import { type JsonSchema, named } from './json-schema';

/** A codec between plain JSON and a value of the same shape that has been checked and brought to its normal form. */
export interface JsonCodec<A> extends t.Type<A, A> {
  /** What it accepts. */
  readonly schema: JsonSchema;
}

/** The half of a codec that reads. */
export interface Reader<A> extends t.Decoder<unknown, A> {
  /** What it accepts. */
  readonly schema: JsonSchema;
}

/** Of a first look, which only tells whether an input is well. */
const NO_PATH: t.Context = [];

/** The context of a part of an input: what codecs of such parts are to be given. */
export const below = (c: t.Context, key: string, type: t.Mixed): t.Context =>
  c === NO_PATH ? c : t.appendContext(c, key, type);

/**
 * Nearly all inputs are well, and to put the path of every part of them together takes longer than to read them. So
 * that is done at a second look, which only faulty ones need.
 */
class TwoLooks<A> extends t.Type<A, A> implements JsonCodec<A> {
  constructor(
    name: string,
    validate: t.Validate<unknown, A>,
    readonly schema: JsonSchema,
  ) {
    super(name, (u): u is A => E.isRight(validate(u, NO_PATH)), validate, t.identity);
  }

  override decode(u: unknown): t.Validation<A> {
    const read = this.validate(u, NO_PATH);
    return E.isRight(read) ? read : super.decode(u);
  }
}

/**
 * A codec whose values are kept as they are.
 *
 * @param schema valid for whatever `validate` accepts; what more that asks for is in its description.
 */
export const makeCodec = <A>(
  name: string,
  validate: t.Validate<unknown, A>,
  schema: JsonSchema,
): JsonCodec<A> => new TwoLooks<A>(name, validate, named(name, schema));

/** The same codec with more said in its schema: what it is for, examples, or rules that it has anyway. */
export const described = <A>(
  codec: JsonCodec<A>,
  more: Pick<JsonSchema, 'description' | 'examples'>,
): JsonCodec<A> => makeCodec(codec.name, codec.validate, { ...codec.schema, ...more });

/** A spread would put each fault on the stack, and there can be more than fit there. */
export const append = (errors: t.ValidationError[], more: t.Errors): void => {
  for (const error of more) errors.push(error);
};

export const isJsonObject = (u: unknown): u is Readonly<Record<string, unknown>> =>
  typeof u === 'object' && u !== null && !Array.isArray(u);

/** What is to be said of a value that should be a JSON object. */
export const noObject = (u: unknown): string => `must be an object, not ${inWords(u)}`;

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
  makeCodec(
    name,
    (u, c) => {
      if (typeof u !== 'string') return refused(u, c, () => `must be a text, not ${inWords(u)}`);
      if (!isStorable(u)) return t.failure(u, c, 'must not hold half of a surrogate pair');
      const value = trim ? u.trim() : u;
      // A code point is one or two units: most texts need no counting.
      if (value.length < min || (value.length > max && codePoints(value) > max)) {
        return refused(u, c, () => {
          const blank = trim ? ', not counting white space at its ends' : '';
          const count = min === 0 ? `at most ${String(max)}` : `${String(min)} to ${String(max)}`;
          return `must have ${count} characters${blank}; it has ${String(codePoints(value))}`;
        });
      }
      return t.success(value);
    },
    {
      type: 'string',
      ...(min > 0 && { minLength: min }),
      // What is trimmed may come with any number of spaces.
      ...(max < Infinity && !trim && { maxLength: max }),
      ...(trim && {
        pattern: '\\S',
        description: `${String(min)} to ${String(max)} characters, not counting white space at its ends, which is removed.`,
      }),
    },
  );

/**
 * What `base` accepts and `rule` finds nothing against; the value is brought to the form that `rule` gives.
 *
 * @param rule what it finds is a fault in words, or makes these where they take time.
 * @param said of the rule by a schema; it stands beside what the schema of `base` says, or in its place.
 */
export const refine = <A, B>(
  name: string,
  base: JsonCodec<A>,
  rule: (value: A) => E.Either<string | (() => string), B>,
  said: JsonSchema = {},
): JsonCodec<B> =>
  makeCodec(
    name,
    (u, c) => {
      const value = base.validate(u, c);
      if (E.isLeft(value)) return value;
      const ruled = rule(value.right);
      if (E.isRight(ruled)) return ruled;
      const { left } = ruled;
      return typeof left === 'string' ? t.failure(u, c, left) : refused(u, c, left);
    },
    { ...base.schema, ...said },
  );

/** A finite number of `min` to `max`, both inclusive. Minus zero becomes zero. */
export const numberBetween = (name: string, min: number, max: number): JsonCodec<number> =>
  makeCodec(
    name,
    (u, c) =>
      typeof u === 'number' && u >= min && u <= max
        ? t.success(u + 0)
        : refused(
            u,
            c,
            () => `must be a number from ${String(min)} to ${String(max)}, not ${noNumberInWords(u)}`,
          ),
    { type: 'number', format: 'double', minimum: min, ...(max < Infinity && { maximum: max }) },
  );

/** True or false. */
export const boolean = (name: string): JsonCodec<boolean> =>
  makeCodec(
    name,
    (u, c) =>
      typeof u === 'boolean' ? t.success(u) : refused(u, c, () => `must be true or false, not ${inWords(u)}`),
    { type: 'boolean' },
  );

/** A whole number of 0 or more. */
export const wholeNumber = (
  name: string,
  schema: Pick<JsonSchema, 'description' | 'examples'>,
): JsonCodec<number> =>
  refine(
    name,
    numberBetween(name, 0, Number.MAX_SAFE_INTEGER),
    (count) => (Number.isInteger(count) ? E.right(count) : E.left('must be a whole number')),
    { type: 'integer', format: 'int64', ...schema },
  );

/**
 * A constant as client generators can compile it: `type: "null"` and constant booleans become types that several
 * languages refuse, so null is a constant without a type, and a boolean is any boolean.
 */
const constantSchema = (value: string | number | boolean | null): JsonSchema => {
  if (value === null) return { const: null };
  return typeof value === 'boolean' ? { type: 'boolean' } : { type: typeof value as 'string', const: value };
};

/** Exactly this value. */
export const exactly = <L extends string | number | boolean | null>(value: L): JsonCodec<L> =>
  makeCodec(
    JSON.stringify(value),
    (u, c) =>
      u === value
        ? t.success(value)
        : refused(u, c, () => `must be ${JSON.stringify(value)}, not ${inWords(u)}`),
    constantSchema(value),
  );

/** These as what something has to be. */
const listed = (names: readonly string[]): string =>
  `${names.length === 1 ? '' : 'one of: '}${names.join(', ')}`;

/** What is to be said of a value that is none of these. */
export const noneOf = (names: readonly string[], u: unknown): string =>
  `must be ${listed(names)}${names.length === 1 ? ',' : ';'} not ${inWords(u)}${didYouMean(u, names)}`;

/** One of these texts. */
export const oneOf = <L extends string>(name: string, values: readonly L[]): JsonCodec<L> =>
  makeCodec<L>(
    name,
    (u, c) => {
      const value = values.find((one) => one === u);
      return value === undefined ? refused(u, c, () => noneOf(values, u)) : t.success(value);
    },
    { type: 'string', enum: values },
  );

/**
 * The same codec, which says more of values that are wrong in a way that is seen often.
 *
 * @param hint what to say of a refused value, in place of all faults in it; undefined where the faults say enough.
 */
export const hinted = <A>(
  codec: JsonCodec<A>,
  hint: (u: unknown) => string | (() => string) | undefined,
): JsonCodec<A> =>
  makeCodec(
    codec.name,
    (u, c) => {
      const read = codec.validate(u, c);
      if (E.isRight(read)) return read;
      const said = hint(u);
      if (said === undefined) return read;
      return typeof said === 'string' ? t.failure(u, c, said) : refused(u, c, said);
    },
    codec.schema,
  );

/**
 * What a schema says, or null, in the form that most client generators read: a second `type` of a plain value, and one
 * more shape beside those of an object.
 */
export const orNullSchema = (schema: JsonSchema): JsonSchema => {
  const { title: _title, discriminator: _discriminator, ...untitled } = schema;
  const { type, oneOf: shapes } = untitled;
  // Null has no field that would tell it from the shapes.
  if (shapes !== undefined) return { ...untitled, oneOf: [...shapes, { type: 'null' }] };
  const isPlain = type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
  return isPlain && untitled.enum === undefined && untitled.const === undefined
    ? { ...untitled, type: [type, 'null'] }
    : { oneOf: [schema, { type: 'null' }] };
};

/** What `codec` accepts, or null. */
export const orNull = <A>(codec: JsonCodec<A>): JsonCodec<A | null> =>
  makeCodec<A | null>(
    `${codec.name} | null`,
    (u, c) => (u === null ? t.success(null) : codec.validate(u, c)),
    orNullSchema(codec.schema),
  );

type Mixed = t.Mixed & Pick<JsonCodec<unknown>, 'schema'>;
type Fields = Readonly<Record<string, Mixed>>;
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- no optional fields is just that
type NoFields = Readonly<Record<never, Mixed>>;
type FieldsOf<R extends Fields, O extends Fields> = {
  readonly [K in keyof R]: t.TypeOf<R[K]>;
} & { readonly [K in keyof O]?: t.TypeOf<O[K]> };

/** Fields that callers must not send, for `record`. */
export const assignedByService = (...fields: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [field, 'is assigned by the service and cannot be given']));

/**
 * A JSON object with just these fields.
 *
 * @param forbidden fields that callers are likely to send and must not, with the reason.
 */
export const record = <R extends Fields, O extends Fields = NoFields>(
  name: string,
  required: R,
  optional: O = {} as O,
  forbidden: Readonly<Record<string, string>> = {},
): JsonCodec<FieldsOf<R, O>> => {
  const fields = new Map<string, Mixed>(Object.entries({ ...required, ...optional }));
  const requiredNames = Object.keys(required);
  const names = [...fields.keys()];
  const known = names.join(', ');
  const validate: t.Validate<unknown, FieldsOf<R, O>> = (u, c) => {
    if (!isJsonObject(u)) return refused(u, c, () => noObject(u));
    const errors: t.ValidationError[] = [];
    const value: Record<string, unknown> = {};
    const fail = (key: string, say: () => string): void => {
      errors.push(errorOf(u[key], below(c, key, t.unknown), say));
    };
    for (const key of requiredNames) if (!Object.hasOwn(u, key)) fail(key, () => 'is required');
    for (const key of Object.keys(u)) {
      const codec = fields.get(key);
      if (codec === undefined) {
        const reason = Object.hasOwn(forbidden, key) ? forbidden[key] : undefined;
        fail(key, () => reason ?? `is not a known field; known are: ${known}${didYouMean(key, names)}`);
        continue;
      }
      const checked = codec.validate(u[key], below(c, key, codec));
      if (E.isLeft(checked)) append(errors, checked.left);
      else value[key] = checked.right;
    }
    return errors.length > 0 ? t.failures(errors) : t.success(value as FieldsOf<R, O>);
  };
  return makeCodec(name, validate, {
    type: 'object',
    properties: Object.fromEntries([...fields].map(([key, { schema }]) => [key, schema])),
    ...(requiredNames.length > 0 && { required: requiredNames }),
    additionalProperties: false,
  });
};

/** A JSON object used as a map: the keys go through `key`, two keys of one normal form are a fault. */
export const mapOf = <K extends string, A>(
  key: JsonCodec<K>,
  value: JsonCodec<A>,
  max: number,
): JsonCodec<Readonly<Partial<Record<K, A>>>> =>
  makeCodec(
    `{ [${key.name}]: ${value.name} }`,
    (u, c) => {
      if (!isJsonObject(u)) return refused(u, c, () => noObject(u));
      const keys = Object.keys(u);
      if (keys.length > max) {
        return t.failure(u, c, `has ${String(keys.length)} keys; at most ${String(max)} are allowed`);
      }
      const errors: t.ValidationError[] = [];
      const map: Partial<Record<K, A>> = {};
      const seen = new Set<K>();
      for (const raw of keys) {
        const context = below(c, raw, value);
        const checkedKey = key.validate(raw, context);
        const checkedValue = value.validate(u[raw], context);
        if (E.isLeft(checkedKey)) append(errors, checkedKey.left);
        else if (seen.has(checkedKey.right)) {
          errors.push({ value: raw, context, message: `is given twice: ${checkedKey.right}` });
        } else if (E.isRight(checkedValue)) map[checkedKey.right] = checkedValue.right;
        if (E.isRight(checkedKey)) seen.add(checkedKey.right);
        if (E.isLeft(checkedValue)) append(errors, checkedValue.left);
      }
      return errors.length > 0 ? t.failures(errors) : t.success(map);
    },
    {
      type: 'object',
      propertyNames: key.schema,
      additionalProperties: value.schema,
      ...(max < Infinity && { maxProperties: max }),
    },
  );

/**
 * One of several object shapes, told apart by a text field: a fault is about the shape that was meant,
 * not about all of them.
 */
export const taggedBy = <A>(
  name: string,
  field: string,
  variants: Readonly<Record<string, Reader<A>>>,
): JsonCodec<A> => {
  const names = Object.keys(variants);
  const validate: t.Validate<unknown, A> = (u, c) => {
    if (!isJsonObject(u)) return refused(u, c, () => noObject(u));
    const tag = u[field];
    const variant = typeof tag === 'string' && Object.hasOwn(variants, tag) ? variants[tag] : undefined;
    return variant === undefined
      ? refused(tag, below(c, field, t.unknown), () =>
          Object.hasOwn(u, field) ? noneOf(names, tag) : `is required and must be ${listed(names)}`,
        )
      : variant.validate(u, c);
  };
  return makeCodec(name, validate, {
    oneOf: Object.values(variants).map(({ schema }) => schema),
    discriminator: { propertyName: field },
  });
};
