/** The body of Quote: many questions for prices of one book. */
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { type PriceParameters, QUANTITY } from '../adjustments/parameters';
import { propertyCodec } from '../adjustments/table';
import {
  append,
  below,
  isJsonObject,
  type JsonCodec,
  makeCodec,
  noObject,
  record,
  refine,
} from '../codecs/codecs';
import { dateTimeCodec } from '../codecs/date-time';
import { refused } from '../codecs/faults';
import { inWords, noNumberInWords } from '../codecs/in-words';
import { listOf } from '../codecs/lists';
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
}

/** A number as the text that a query parameter would have: the shortest decimal that reads back as the same. */
const quantityCodec: JsonCodec<string> = makeCodec(
  'Quantity',
  (u, c) =>
    typeof u === 'number' && Number.isFinite(u) && u > 0
      ? t.success(String(u))
      : refused(u, c, () => `must be a number above 0, not ${noNumberInWords(u)}`),
  {
    type: 'number',
    format: 'double',
    exclusiveMinimum: 0,
    description: 'For tables that read it; 1 where it is absent.',
    examples: [25],
  },
);

const valueCodec: JsonCodec<string> = makeCodec(
  'PropertyValue',
  (u, c) => {
    if (typeof u === 'string' && u.isWellFormed()) return t.success(u);
    return typeof u === 'number' && Number.isFinite(u)
      ? t.success(String(u))
      : refused(u, c, () => `must be a text or a number, not ${inWords(u)}`);
  },
  {
    oneOf: [{ type: 'string' }, { type: 'number', format: 'double' }],
    description: 'A number is the same as its shortest decimal as a text.',
    examples: ['EU'],
  },
);

/** By name; a map, since a name may be any text. */
const propertiesCodec: JsonCodec<ReadonlyMap<string, string>> = makeCodec(
  'Properties',
  (u, c) => {
    if (!isJsonObject(u)) return refused(u, c, () => noObject(u));
    const names = Object.keys(u);
    if (names.length > MAX_PROPERTIES) {
      const detail = `has ${String(names.length)} properties; at most ${String(MAX_PROPERTIES)} are allowed`;
      return t.failure(u, c, detail);
    }
    const errors: t.ValidationError[] = [];
    const properties = new Map<string, string>();
    for (const name of names) {
      const context = below(c, name, valueCodec);
      const checkedName = propertyCodec.validate(name, context);
      const value = valueCodec.validate(u[name], context);
      if (E.isLeft(checkedName)) append(errors, checkedName.left);
      if (E.isLeft(value)) append(errors, value.left);
      else properties.set(name, value.right);
    }
    return errors.length > 0 ? t.failures(errors) : t.success(properties);
  },
  {
    type: 'object',
    propertyNames: propertyCodec.schema,
    additionalProperties: valueCodec.schema,
    maxProperties: MAX_PROPERTIES,
    description: 'For the tables that name a `property`.',
  },
);

const fieldsCodec = record(
  'QuoteLine',
  { productId: productIdCodec, currency: currencyCodec },
  { quantity: quantityCodec, properties: propertiesCodec, at: dateTimeCodec, knownAt: dateTimeCodec },
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
    const { productId, currency, quantity, properties, at, knownAt } = fields.right;
    const parameters = new Map([...(properties ?? [])].map(([name, value]) => [name, [value]]));
    if (quantity !== undefined) parameters.set(QUANTITY, [quantity]);
    return t.success({
      productId,
      currency,
      parameters,
      ...(at !== undefined && { at }),
      ...(knownAt !== undefined && { knownAt }),
    });
  },
  {
    ...fieldsCodec.schema,
    description: '`quantity` may be in `properties` instead, not in both. `knownAt` needs `at`.',
    examples: [
      { productId: 'lamp', currency: 'USD' },
      { productId: 'seat', currency: 'USD', quantity: 25, properties: { region: 'EU' } },
    ],
  },
);

/** 1 to 10,000 lines. */
export const quoteLinesCodec: JsonCodec<readonly QuoteLine[]> = refine(
  'QuoteLines',
  listOf(lineCodec, MAX_LINES),
  (lines) => (lines.length === 0 ? E.left('must have at least one line') : E.right(lines)),
  { minItems: 1 },
);
