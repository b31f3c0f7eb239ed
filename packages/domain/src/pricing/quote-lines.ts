/** The body of Quote: many questions for prices of one book. */
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { noParameters, type PriceParameters, QUANTITY, readQuantity } from '../adjustments/parameters';
import { propertyCodec } from '../adjustments/table';
import {
  append,
  below,
  described,
  isJsonObject,
  type JsonCodec,
  makeCodec,
  noObject,
  record,
  text,
} from '../codecs/codecs';
import { dateTimeCodec } from '../codecs/date-time';
import { refused } from '../codecs/faults';
import { inWords, noNumberInWords } from '../codecs/in-words';
import { atLeastOne, listOf } from '../codecs/lists';
import { type Currency, currencyCodec } from '../currency';
import { type ProductId, productIdCodec } from '../identifiers';

const MAX_LINES = 10_000;
const MAX_PROPERTIES = 200;

/** One question. */
export interface QuoteLine {
  readonly productId: ProductId;
  readonly currency: Currency;
  /** What the line gives to the tables, as query parameters would. */
  readonly parameters: PriceParameters;
  /** ISO 8601, UTC: the price as it was then, or as it is planned for then; absent for now. */
  readonly at?: string;
  /** ISO 8601, UTC, with `at`: the price as it was known then; absent for all that is known. */
  readonly knownAt?: string;
  /** The client's own name of the line. */
  readonly id?: string;
  /** As the line gave it; it may stand in `properties` instead. */
  readonly quantity?: number;
  /** As the line gave them. */
  readonly properties?: Properties;
}

/** How many units a line is about. */
export const quantityOf = ({ quantity, properties }: Pick<QuoteLine, 'quantity' | 'properties'>): number =>
  quantity ?? Number(properties?.[QUANTITY] ?? 1);

type Properties = Readonly<Record<string, string | number>>;

const lineIdCodec: JsonCodec<string> = described(text('LineId', { min: 1, max: 256 }), {
  description: 'Your own name of the line, which the answer repeats. Lines may have the same.',
  examples: ['position-1'],
});

const quantityCodec: JsonCodec<number> = makeCodec(
  'Quantity',
  (u, c) =>
    typeof u === 'number' && Number.isFinite(u) && u > 0
      ? t.success(u)
      : refused(u, c, () => `must be a number above 0, not ${noNumberInWords(u)}`),
  {
    type: 'number',
    format: 'double',
    exclusiveMinimum: 0,
    description: 'The number of units, for the line total and for tables that read it; 1 where it is absent.',
    examples: [25],
  },
);

const valueCodec: JsonCodec<string | number> = makeCodec<string | number>(
  'PropertyValue',
  (u, c) => {
    if (typeof u === 'string' && u.isWellFormed()) return t.success(u);
    return typeof u === 'number' && Number.isFinite(u)
      ? t.success(u)
      : refused(u, c, () => `must be a text or a number, not ${inWords(u)}`);
  },
  {
    oneOf: [{ type: 'string' }, { type: 'number', format: 'double' }],
    description: 'A number is the same as its shortest decimal as a text.',
    examples: ['EU'],
  },
);

/** A number as the text that a query parameter would have: the shortest decimal that reads back as the same. */
const parametersOf = (quantity: number | undefined, properties: Properties | undefined): PriceParameters => {
  if (quantity === undefined && properties === undefined) return noParameters;
  const parameters = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(properties ?? {})) parameters.set(name, [String(value)]);
  if (quantity !== undefined) parameters.set(QUANTITY, [String(quantity)]);
  return parameters;
};

const checkQuantity = (value: string | number): string | undefined =>
  E.isLeft(readQuantity(new Map([[QUANTITY, [String(value)]]])))
    ? `must be a number above 0, not ${inWords(value)}`
    : undefined;

/** By name, which may be any text; kept as they come. */
const propertiesCodec: JsonCodec<Properties> = makeCodec(
  'Properties',
  (u, c) => {
    if (!isJsonObject(u)) return refused(u, c, () => noObject(u));
    const names = Object.keys(u);
    if (names.length > MAX_PROPERTIES) {
      const detail = `has ${String(names.length)} properties; at most ${String(MAX_PROPERTIES)} are allowed`;
      return t.failure(u, c, detail);
    }
    const errors: t.ValidationError[] = [];
    for (const name of names) {
      const context = below(c, name, valueCodec);
      const checkedName = propertyCodec.validate(name, context);
      const value = valueCodec.validate(u[name], context);
      if (E.isLeft(checkedName)) append(errors, checkedName.left);
      if (E.isLeft(value)) append(errors, value.left);
      else if (name === QUANTITY) {
        const message = checkQuantity(value.right);
        if (message !== undefined) errors.push({ value: u[name], context, message });
      }
    }
    return errors.length > 0 ? t.failures(errors) : t.success(u as Properties);
  },
  {
    type: 'object',
    propertyNames: propertyCodec.schema,
    additionalProperties: valueCodec.schema,
    maxProperties: MAX_PROPERTIES,
    description: 'For the tables that name a `property`.',
  },
);

/** What the answer to a line repeats of it. */
export const repeatedFields = { id: lineIdCodec, quantity: quantityCodec, properties: propertiesCodec };

const fieldsCodec = record(
  'QuoteLine',
  { productId: productIdCodec, currency: currencyCodec },
  { ...repeatedFields, at: dateTimeCodec, knownAt: dateTimeCodec },
);

const saysQuantityTwice = (u: unknown): boolean =>
  isJsonObject(u) &&
  Object.hasOwn(u, 'quantity') &&
  isJsonObject(u['properties']) &&
  Object.hasOwn(u['properties'], QUANTITY);

/** What fields must not say together. */
const contradictionsIn = (u: unknown, c: t.Context): readonly t.ValidationError[] => {
  const errors: t.ValidationError[] = [];
  if (saysQuantityTwice(u)) {
    const place = below(below(c, 'properties', t.unknown), QUANTITY, t.unknown);
    errors.push({ value: u, context: place, message: 'is given beside the quantity of the line' });
  }
  if (isJsonObject(u) && Object.hasOwn(u, 'knownAt') && !Object.hasOwn(u, 'at')) {
    const place = below(c, 'knownAt', t.unknown);
    errors.push({ value: u, context: place, message: 'needs at, the time of the price' });
  }
  return errors;
};

const lineCodec: JsonCodec<QuoteLine> = makeCodec(
  'QuoteLine',
  (u, c) => {
    const fields = fieldsCodec.validate(u, c);
    const contradictions = contradictionsIn(u, c);
    if (contradictions.length > 0) {
      return t.failures([...(E.isLeft(fields) ? fields.left : []), ...contradictions]);
    }
    if (E.isLeft(fields)) return fields;
    const { quantity, properties } = fields.right;
    // The fields were read into an object of their own.
    return t.success(Object.assign(fields.right, { parameters: parametersOf(quantity, properties) }));
  },
  {
    ...fieldsCodec.schema,
    description: '`quantity` may be in `properties` instead, not in both. `knownAt` needs `at`.',
    examples: [
      { productId: 'lamp', currency: 'USD' },
      { id: 'position-2', productId: 'seat', currency: 'USD', quantity: 25, properties: { region: 'EU' } },
    ],
  },
);

/** 1 to 10,000 lines. */
export const quoteLinesCodec: JsonCodec<readonly QuoteLine[]> = atLeastOne(
  'QuoteLines',
  listOf(lineCodec, MAX_LINES),
  'line',
);
