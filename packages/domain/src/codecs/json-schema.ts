/**
 * What codecs accept, as JSON Schema 2020-12 that is plain data: the part of it that codecs say. What a schema cannot
 * say is in its `description`, and no schema is narrower than its codec.
 */

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

export interface JsonSchema {
  /** The name of a schema that stands by itself: a document may say it once and refer to it. */
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly Json[];
  readonly default?: Json;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly not?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  /** Of OpenAPI: the field by whose value the shapes of `oneOf` are told apart. */
  readonly discriminator?: { readonly propertyName: string };
}

/** Names such as `PriceBookId`; others, such as `string[]`, only say how a codec is made. */
const standsByItself = /^[A-Z][A-Za-z]*$/;

/** The schema of a codec of this name. */
export const named = (name: string, schema: JsonSchema): JsonSchema => ({
  ...(standsByItself.test(name) && { title: name }),
  // Not the title of what it is made of.
  ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'title')),
});
