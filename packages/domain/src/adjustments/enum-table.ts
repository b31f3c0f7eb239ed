import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import { amountCodec } from '../amounts';
import { described, exactly, record, text } from '../codecs/codecs';
import { noRepeated } from '../codecs/lists';
import type { AbsoluteKind, ListPrice } from './kind';
import { LISTED_ROWS, readComparable, type RowError } from './parameters';
import { propertyCodec, rowsOf } from './table';
import { word } from './words';

interface EnumRow {
  readonly value: string;
  readonly unitPrice: number;
}

/** A price for each value of a property, matched exactly. */
export interface EnumTableAdjustment {
  readonly type: 'enum';
  readonly property: string;
  readonly values: readonly EnumRow[];
}

const rowCodec = record('EnumRow', {
  value: text('EnumValue', { min: 1, max: 256 }),
  unitPrice: amountCodec,
});

export const enumTableKind: AbsoluteKind<EnumTableAdjustment> = {
  type: 'enum',
  codec: described(
    record('EnumTableAdjustment', {
      type: exactly('enum'),
      property: propertyCodec,
      values: rowsOf(rowCodec, noRepeated('value')),
    }),
    {
      description:
        'A price for each value of a property, which is matched exactly; a `quantity` is matched as a number.',
      examples: [
        {
          type: 'enum',
          property: 'region',
          values: [
            { value: 'EU', unitPrice: 19 },
            { value: 'US', unitPrice: 21 },
          ],
        },
      ],
    },
  ),
  columns: { fields: ['property'], table: { field: 'values', columns: ['value', 'unitPrice'] } },
  inWords: ({ property, values }) => {
    const rows = values.map(({ value, unitPrice }) => `${word(value)}: ${String(unitPrice)}`);
    return `enum of ${word(property)} (${rows.join(', ')})`;
  },
  withPrices: ({ values, ...others }, of) => ({
    ...others,
    values: values.map(({ value, unitPrice }) => ({ value, unitPrice: of(unitPrice) })),
  }),
  choices: ({ property, values }) => values.map(({ value }) => ({ property, value })),
  listPrice: ({ property, values }, parameters) =>
    pipe(
      readComparable(parameters, property, () => values.map((row) => row.value)),
      E.chain(({ value, isSame }): E.Either<RowError, ListPrice> => {
        const row = values.find((candidate) => isSame(candidate.value));
        return row === undefined
          ? E.left({
              _tag: 'NoMatchingRow',
              name: property,
              value,
              rows: values.slice(0, LISTED_ROWS).map((existing) => existing.value),
            })
          : E.right({ amount: row.unitPrice, chosen: { property, value, row } });
      }),
    ),
};
