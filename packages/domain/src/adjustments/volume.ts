import * as E from 'fp-ts/Either';
import { unitCodec } from '../amounts';
import { described, exactly, orNull, record, refine } from '../codecs/codecs';
import type { AbsoluteKind } from './kind';
import { QUANTITY } from './parameters';
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

/** A price for each tier of the quantity; the price of the tier holds for all units. */
export interface VolumeAdjustment {
  readonly type: 'volume';
  readonly tiers: UnitRows;
}

/** `lastUnit` may be absent or null for "no end"; null is kept. */
export const tierCodec = refine(
  'Tier',
  record('Tier', unitRowFields, { lastUnit: orNull(unitCodec) }),
  ({ firstUnit, lastUnit = null, unitPrice }) => E.right({ firstUnit, lastUnit, unitPrice }),
  {
    description:
      '`lastUnit` may be absent or null for "no end", in the tier with the greatest `firstUnit` only.',
  },
);

export const volumeKind: AbsoluteKind<VolumeAdjustment> = {
  type: 'volume',
  codec: described(record('VolumeAdjustment', { type: exactly('volume'), tiers: unitRowsCodec(tierCodec) }), {
    description: 'A price for each tier of the quantity; the price of the tier holds for all units.',
    examples: [
      {
        type: 'volume',
        tiers: [
          { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
          { firstUnit: 10, unitPrice: 15 },
        ],
      },
    ],
  }),
  columns: { fields: [], table: { field: 'tiers', columns: unitRowColumns } },
  inWords: ({ tiers }) => `volume (${unitRowsInWords(tiers)})`,
  withPrices: ({ tiers, ...others }, of) => ({ ...others, tiers: withUnitPrices(tiers, of) }),
  choices: ({ tiers }) => unitRowChoices(tiers, QUANTITY),
  listPrice: ({ tiers }, parameters) => unitRowPrice(tiers, QUANTITY, parameters),
};
