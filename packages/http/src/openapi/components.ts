/** What stands once in a document and is referred to: schemas that have a name, headers, answers. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@pricebook/domain';

interface Reference {
  readonly $ref: string;
}

/** A schema as a document has it: those with a name inside of it are references. */
type DocumentSchema = Reference | Readonly<Record<string, unknown>>;

export interface Components {
  /** The schema where it is used: a reference if it has a name. */
  readonly schema: (schema: JsonSchema) => DocumentSchema;
  /** A header or an answer of this name, made when it is first needed. */
  readonly other: (kind: 'headers' | 'responses', name: string, make: () => object) => Reference;
  readonly all: () => Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const sorted = (parts: ReadonlyMap<string, object>): Readonly<Record<string, object>> =>
  Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)));

export const createComponents = (): Components => {
  const schemas = new Map<string, object>();
  const others = { headers: new Map<string, object>(), responses: new Map<string, object>() };

  /** Each value of the field, with the schema that it stands for. */
  const mappingOf = (field: string, variants: readonly JsonSchema[]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      variants.map((variant) => {
        const value = variant.properties?.[field]?.const;
        const reference = schema(variant);
        if (typeof value !== 'string' || typeof reference['$ref'] !== 'string') {
          throw new TypeError(`a shape that ${field} tells apart needs a name, and a value for it`);
        }
        return [value, reference['$ref']];
      }),
    );

  const seen = new Set<JsonSchema>();

  const expanded = (given: JsonSchema): DocumentSchema => {
    const {
      items,
      properties,
      propertyNames,
      additionalProperties,
      not,
      anyOf,
      oneOf,
      allOf,
      discriminator,
    } = given;
    return {
      ...given,
      ...(items !== undefined && { items: schema(items) }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, schema(one)])),
      }),
      ...(propertyNames !== undefined && { propertyNames: schema(propertyNames) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: schema(additionalProperties) }),
      ...(not !== undefined && { not: schema(not) }),
      ...(anyOf !== undefined && { anyOf: anyOf.map(schema) }),
      ...(oneOf !== undefined && { oneOf: oneOf.map(schema) }),
      ...(allOf !== undefined && { allOf: allOf.map(schema) }),
      ...(discriminator !== undefined && {
        discriminator: {
          ...discriminator,
          mapping: mappingOf(discriminator.propertyName, oneOf ?? []),
        },
      }),
    };
  };

  const schema = (given: JsonSchema): DocumentSchema => {
    const { title } = given;
    if (title === undefined) return expanded(given);
    const reference = { $ref: `#/components/schemas/${title}` };
    // Most are used in many places, each time as the same object.
    if (seen.has(given)) return reference;
    seen.add(given);
    const made = expanded(given);
    const there = schemas.get(title);
    if (there === undefined) schemas.set(title, made);
    else if (!isDeepStrictEqual(there, made)) throw new TypeError(`two schemas have the name ${title}`);
    return reference;
  };

  return {
    schema,
    other: (kind, name, make) => {
      const { [kind]: made } = others;
      if (!made.has(name)) made.set(name, make());
      return { $ref: `#/components/${kind}/${name}` };
    },
    all: () => ({
      schemas: sorted(schemas),
      headers: sorted(others.headers),
      responses: sorted(others.responses),
    }),
  };
};
