/** What a selection rule asks of the context of a price request. */
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { givenFor, numberIn, type PriceParameters, QUANTITY } from '../adjustments/parameters';
import { propertyCodec } from '../adjustments/table';
import { below, type JsonCodec, makeCodec, oneOf, record, refine, text } from '../codecs/codecs';
import { inWords } from '../codecs/in-words';
import { atLeastOne, listOf } from '../codecs/lists';

/** The largest number of values that one rule has in all of its conditions. */
export const MAX_VALUES = 100;

const comparisons = {
  gt: (value: number, bound: number) => value > bound,
  gte: (value: number, bound: number) => value >= bound,
  lt: (value: number, bound: number) => value < bound,
  lte: (value: number, bound: number) => value <= bound,
} as const;

type Comparison = keyof typeof comparisons;
export type Operator = 'eq' | 'in' | Comparison;

const OPERATORS: readonly Operator[] = ['eq', 'in', 'gt', 'gte', 'lt', 'lte'];

const isComparison = (operator: Operator): operator is Comparison => Object.hasOwn(comparisons, operator);

/** Holds if any value that the context gives for the attribute passes. */
export interface Condition {
  /** The name of an attribute of the context, which is a query parameter of Get Price by Context. */
  readonly attribute: string;
  readonly operator: Operator;
  /** One value, and for `in` one or more; a decimal number for all operators but `eq` and `in`. */
  readonly values: readonly string[];
}

const attributeCodec: JsonCodec<string> = refine('Attribute', propertyCodec, E.right, {
  description:
    'The name of an attribute of the context. Tables that have it as their `property` read it too.',
  examples: ['customerGroup'],
});

const valuesCodec: JsonCodec<readonly string[]> = atLeastOne(
  'ConditionValues',
  listOf(text('ConditionValue', { min: 1, max: 256 }), MAX_VALUES),
  'value',
);

const fieldsCodec = record('SelectionCondition', {
  attribute: attributeCodec,
  operator: oneOf('ConditionOperator', OPERATORS),
  values: valuesCodec,
});

/** What is wrong with the values in view of the attribute and the operator, and where. */
const faultIn = ({
  attribute,
  operator,
  values,
}: Condition): readonly [path: readonly string[], detail: string] | undefined => {
  if (operator !== 'in' && values.length > 1) {
    return [['values'], `must be one value with the operator ${operator}, not ${String(values.length)}`];
  }
  if (!isComparison(operator) && attribute !== QUANTITY) return undefined;
  const place = values.findIndex((value) => !Number.isFinite(numberIn(value)));
  return place === -1
    ? undefined
    : [
        ['values', String(place)],
        `must be a decimal number as a text, such as "10", not ${inWords(values[place])}`,
      ];
};

export const conditionCodec: JsonCodec<Condition> = makeCodec(
  'SelectionCondition',
  (u, c) => {
    const fields = fieldsCodec.validate(u, c);
    if (E.isLeft(fields)) return fields;
    const fault = faultIn(fields.right);
    if (fault === undefined) return fields;
    const [path, message] = fault;
    const context = path.reduce((above, key) => below(above, key, t.unknown), c);
    return t.failures([{ value: u, context, message }]);
  },
  {
    ...fieldsCodec.schema,
    description:
      'Holds if any value that the context gives for the attribute is equal to the value (`eq`), equal to one of the values ' +
      '(`in`), or a number greater than it (`gt`, or `gte` for greater or equal) or less than it (`lt`, `lte`). `eq` and `in` ' +
      'compare texts exactly, and numbers where the attribute is `quantity`. Only `in` takes more than one value.',
    examples: [
      { attribute: 'customerGroup', operator: 'in', values: ['gold', 'silver'] },
      { attribute: 'quantity', operator: 'gte', values: ['100'] },
    ],
  },
);

const passes = ({ attribute, operator, values }: Condition, given: string): boolean => {
  if (isComparison(operator)) {
    // What is no number is NaN, which no comparison is true of.
    return comparisons[operator](numberIn(given), numberIn(values[0] ?? ''));
  }
  return attribute === QUANTITY
    ? values.some((value) => numberIn(value) === numberIn(given))
    : values.includes(given);
};

export const holds = (condition: Condition, context: PriceParameters): boolean =>
  givenFor(context, condition.attribute).some((given) => passes(condition, given));
