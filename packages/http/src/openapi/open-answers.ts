/** Answers may get new fields at any time (docs/versioning.md), so what documents say of them leaves room for these. */

type Schemas = Readonly<Record<string, object>>;

const reference = /"[$]ref":"#[/]components[/]schemas[/](\w+)"/g;

const namesIn = (part: unknown): readonly string[] =>
  [...JSON.stringify(part).matchAll(reference)].map(([, name = '']) => name);

/** The names of all schemas that these parts lead to. */
const namesFrom = (schemas: Schemas, parts: unknown): ReadonlySet<string> => {
  const found = new Set<string>();
  const follow = (part: unknown): void => {
    for (const name of namesIn(part)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(schemas[name]);
    }
  };
  follow(parts);
  return found;
};

/** Where it says that there are no other fields, undefined, which JSON leaves out. */
const opened = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (keyword, value: unknown) =>
    keyword === 'additionalProperties' && value === false ? undefined : value,
  ) as object;

/**
 * Requests still name all the fields that they can have, and so do the schemas that are in both.
 *
 * @param bodies schemas of all request bodies, which may refer to others.
 */
export const withOpenAnswers = (schemas: Schemas, bodies: unknown): Schemas => {
  const requested = namesFrom(schemas, bodies);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, requested.has(name) ? schema : opened(schema)]),
  );
};
