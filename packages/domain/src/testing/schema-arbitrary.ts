/** Values that a JSON Schema allows, as an arbitrary of fast-check. It holds no tests itself. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import type { Json, JsonSchema } from '../codecs/json-schema';

/** A schema of a document, which may refer to others. */
export type ReferringSchema = JsonSchema & { readonly $ref?: string };

/** The largest texts, lists and maps that are made: more of the same says nothing more. */
const MAX_CHARACTERS = 300;
const MAX_ENTRIES = 4;

/**
 * A validator that also checks formats. A format names what is meant, for client generators; of times, the service takes
 * some that RFC 3339 does not have: those without seconds or the colon of an offset.
 */
export const createValidator = (): Ajv2020 => {
  const validator = new Ajv2020({ strict: false });
  addFormats(validator);
  validator.addFormat('date-time', /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2}([.]\d+)?)?(z|[+-]\d{2}:?\d{2})$/i);
  return validator;
};

const ajv = createValidator();

/** Whether values are as a schema says, also by its formats. */
export const validatorOf = (schema: JsonSchema): ValidateFunction => ajv.compile(schema);

/** Hardly any text is of a format by chance. */
const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc
    // eslint-disable-next-line no-restricted-globals -- Bounds, and no clock.
    .date({ min: new Date('0001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  uuid: fc.uuid(),
};

const textOf = (schema: JsonSchema): fc.Arbitrary<string> => {
  const formatted = FORMATS[schema.format ?? ''];
  if (formatted !== undefined) return formatted;
  const { pattern, minLength = 0, maxLength = Infinity } = schema;
  const any =
    pattern === undefined
      ? fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + MAX_CHARACTERS) })
      : fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
  const isValid = ajv.compile<string>(schema);
  return any.filter((text) => isValid(text));
};

const numberOf = ({ type, minimum, exclusiveMinimum, maximum }: JsonSchema): fc.Arbitrary<number> => {
  const min = minimum ?? exclusiveMinimum ?? -Number.MAX_VALUE;
  const max = maximum ?? Number.MAX_VALUE;
  if (type === 'integer') return fc.integer({ min: Math.max(min, -1e9), max: Math.min(max, 1e9) });
  const isAbove = (number: number): boolean => exclusiveMinimum === undefined || number > exclusiveMinimum;
  return fc
    .oneof(
      fc.double({ min, max, noNaN: true }),
      fc.integer({ min: Math.max(min, -1_000), max: Math.min(max, 1_000) }),
      fc.constantFrom(min, max),
    )
    .filter(isAbove);
};

/** A schema on its own, of whatever a reference stands for. */
type Resolve = (schema: ReferringSchema) => JsonSchema;

const objectOf = (schema: JsonSchema, resolve: Resolve): fc.Arbitrary<Json> => {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const { minProperties = 0, maxProperties } = schema;
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, arbitraryOf(one, resolve)])),
    { requiredKeys: [...required] },
  );
  if (typeof additionalProperties !== 'object') {
    return minProperties <= required.length
      ? known
      : known.filter((object) => Object.keys(object).length >= minProperties);
  }
  const name =
    propertyNames === undefined ? fc.string() : (arbitraryOf(propertyNames, resolve) as fc.Arbitrary<string>);
  return fc
    .uniqueArray(fc.tuple(name, arbitraryOf(additionalProperties, resolve)), {
      selector: ([key]) => key.toLowerCase(),
      maxLength: Math.min(maxProperties ?? MAX_ENTRIES, MAX_ENTRIES),
    })
    .map((entries) => Object.fromEntries(entries));
};

const ofType = (schema: JsonSchema, resolve: Resolve): fc.Arbitrary<Json> => {
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'string':
      return textOf(schema);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, resolve), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MAX_ENTRIES, MAX_ENTRIES),
      });
    case 'object':
      return objectOf(schema, resolve);
    case undefined:
      return fc.jsonValue() as fc.Arbitrary<Json>;
    default:
      return fc.oneof(...schema.type.map((type) => ofType({ ...schema, type }, resolve)));
  }
};

const isUnique = (items: Json): boolean => {
  const texts = (items as readonly Json[]).map((item) => JSON.stringify(item));
  return new Set(texts).size === texts.length;
};

const anyOf = (schema: JsonSchema, resolve: Resolve): fc.Arbitrary<Json> => {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, resolve)));
  const made = ofType(schema, resolve);
  return schema.uniqueItems === true ? made.filter(isUnique) : made;
};

/** @param resolve what a schema with `$ref` refers to; schemas of codecs refer to none. */
export const arbitraryOf = (
  referring: ReferringSchema,
  resolve: Resolve = (schema) => schema,
): fc.Arbitrary<Json> => {
  const schema = resolve(referring);
  const any = anyOf(schema, resolve);
  const { examples = [] } = schema;
  // Examples are what rules accept that no schema can say, such as a code that is one of a currency.
  return examples.length === 0
    ? any
    : fc.oneof({ weight: 2, arbitrary: any }, { weight: 1, arbitrary: fc.constantFrom(...examples) });
};
