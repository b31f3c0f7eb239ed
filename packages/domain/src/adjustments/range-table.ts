import { unitCodec } from '../amounts';
import { described, exactly, record } from '../codecs/codecs';
import type { AbsoluteKind } from './kind';
import { propertyCodec } from './table';
import {
  unitRowChoices,
  unitRowColumns,
  unitRowFields,
  unitRowPrice,
  type UnitRows,
  unitRowsCodec,
  unitRowsInWords,
  withUnitPrices,
} from './unit-rows';
import { word } from './words';

interface RangeRow {
  readonly firstUnit: number;
  readonly lastUnit: number;
  readonly unitPrice: number;
}

/** A price for each range of a numeric property. */
export interface RangeTableAdjustment {
  readonly type: 'range';
  readonly property: string;
  readonly values: UnitRows<RangeRow>;
}

export const rangeTableKind: AbsoluteKind<RangeTableAdjustment> = {
  type: 'range',
  codec: described(
    record('RangeTableAdjustment', {
      type: exactly('range'),
      property: propertyCodec,
      values: unitRowsCodec(record('RangeRow', { ...unitRowFields, lastUnit: unitCodec })),
    }),
    {
      description: 'A price for each range of a numeric property.',
      examples: [
        {
          type: 'range',
          property: 'seats',
          values: [
            { firstUnit: 1, lastUnit: 10, unitPrice: 100 },
            { firstUnit: 11, lastUnit: 50, unitPrice: 400 },
          ],
        },
      ],
    },
  ),
  columns: { fields: ['property'], table: { field: 'values', columns: unitRowColumns } },
  inWords: ({ property, values }) => `range of ${word(property)} (${unitRowsInWords(values)})`,
  withPrices: ({ values, ...others }, of) => ({ ...others, values: withUnitPrices(values, of) }),
  choices: ({ property, values }) => unitRowChoices(values, property),
  listPrice: ({ property, values }, parameters) => unitRowPrice(values, property, parameters),
};
