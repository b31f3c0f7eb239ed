/** Rules that keep the document in forms that client generators read: see docs/decisions/0029. */
import { expect } from 'chai';
import { createOperations } from '../operations';
import { apiRoutes } from '../routes';
import { openApiDocument } from './document';

type Schema = Readonly<Record<string, unknown>>;
type Found = readonly [place: string, schema: Schema];

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

const documentOf = (): Schema => {
  const { routes } = createOperations(() => Promise.reject(new Error('not expected to be asked')));
  return JSON.parse(JSON.stringify(openApiDocument([...apiRoutes, ...routes]))) as Schema;
};

/** Every object of the document that is no example, with its place. */
const partsOf = (value: unknown, place = ''): readonly Found[] => {
  if (!isObject(value)) return [];
  const inside = Object.entries(value)
    .filter(([key]) => key !== 'example' && key !== 'examples')
    .flatMap(([key, part]) => partsOf(part, `${place}/${key}`));
  return Array.isArray(value) ? inside : [[place, value], ...inside];
};

const typesOf = ({ type }: Schema): readonly unknown[] => (Array.isArray(type) ? type : [type]);

const placesWhere = (parts: readonly Found[], rule: (schema: Schema, place: string) => boolean) =>
  parts.filter(([place, schema]) => rule(schema, place)).map(([place]) => place);

const listIn = (schema: Schema, keyword: string): readonly Schema[] => {
  const list = schema[keyword];
  return Array.isArray(list) ? (list as readonly Schema[]) : [];
};

const unionOf = (schema: Schema): readonly Schema[] => [
  ...listIn(schema, 'oneOf'),
  ...listIn(schema, 'anyOf'),
];

describe('The OpenAPI document, for client generators', () => {
  const document = documentOf();
  const parts = partsOf(document);
  const schemas = (document['components'] as { readonly schemas: Readonly<Record<string, Schema>> }).schemas;

  it('says of every number how large it can be: float32 would lose money', () => {
    const faulty = placesWhere(
      parts,
      (schema) =>
        (typesOf(schema).includes('number') && schema['format'] !== 'double') ||
        (typesOf(schema).includes('integer') && schema['format'] !== 'int64'),
    );
    expect(faulty).to.deep.equal([]);
  });

  it('has null only beside something else', () => {
    const faulty = placesWhere(
      parts,
      (schema, place) => schema['type'] === 'null' && !/[/](oneOf|anyOf)[/][1-9]\d*$/.test(place),
    );
    expect(faulty).to.deep.equal([]);
  });

  it('has no pattern or length beside a format of texts', () => {
    const faulty = placesWhere(
      parts,
      (schema) =>
        ['date-time', 'uuid'].includes(String(schema['format'])) &&
        ['pattern', 'minLength', 'maxLength'].some((keyword) => keyword in schema),
    );
    expect(faulty).to.deep.equal([]);
  });

  it('has no constant that is a boolean', () => {
    expect(placesWhere(parts, (schema) => typeof schema['const'] === 'boolean')).to.deep.equal([]);
  });

  it('gives every problem a name', () => {
    const faulty = placesWhere(
      parts,
      (schema, place) => place.endsWith('/application/problem+json/schema') && !('$ref' in schema),
    );
    expect(faulty).to.deep.equal([]);
    expect(placesWhere(parts, (schema) => 'allOf' in schema)).to.deep.equal([]);
    expect(Object.keys(schemas)).to.include('UnauthorizedProblem');
  });

  it('names a union of unions so that it comes after them: the client for Java finds only those before', () => {
    const faulty = Object.entries(schemas).flatMap(([name, schema]) =>
      unionOf(schema)
        .map(({ $ref }) => String($ref).split('/').at(-1) ?? '')
        .filter((inner) => unionOf(schemas[inner] ?? {}).length > 0 && inner > name),
    );
    expect(faulty).to.deep.equal([]);
  });

  it('has no value in two enums with names: Go has one constant for each', () => {
    const values = Object.values(schemas).flatMap((schema) => listIn(schema, 'enum'));
    expect(new Set(values).size).to.equal(values.length);
  });

  it('has no patterns that Go cannot read', () => {
    expect(placesWhere(parts, ({ pattern }) => String(pattern).includes('\\u'))).to.deep.equal([]);
  });

  it('leaves room in answers for fields that are added later, and none in requests', () => {
    expect(schemas['PriceBook']).to.not.have.property('additionalProperties');
    expect(schemas['CreatePriceBook']).to.have.property('additionalProperties', false);
    expect(schemas['OverrideAdjustment']).to.have.property('additionalProperties', false);
  });
});
