import Big from 'big.js';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import { digitsAfterPoint, isWithinOne } from '../amounts';
import { described, exactly, record, refine } from '../codecs/codecs';
import type { AbsoluteKind, ListPrice } from './kind';
import { QUANTITY, readQuantity } from './parameters';
import {
  unitRowChoices,
  unitRowColumns,
  unitRowPrice,
  type UnitRows,
  unitRowsCodec,
  unitRowsInWords,
  withUnitPrices,
} from './unit-rows';
import { tierCodec } from './volume';

/** A price for each tier of the quantity; each unit has the price of its own tier. */
export interface GraduatedAdjustment {
  readonly type: 'graduated';
  readonly tiers: UnitRows;
}

/** Each unit has to be in a tier: the first begins at 0 or 1, and none leaves a gap before it. */
const tiersCodec = refine('GraduatedTiers', unitRowsCodec(tierCodec), (tiers): E.Either<string, UnitRows> => {
  const [first] = tiers;
  if (first !== undefined && first.firstUnit > 1) return E.left('must begin with a tier from unit 0 or 1');
  const gap = tiers.find(({ firstUnit }, place) => {
    const lastUnit = tiers[place - 1]?.lastUnit;
    return typeof lastUnit === 'number' && !isWithinOne(lastUnit, firstUnit);
  });
  return gap === undefined
    ? E.right(tiers)
    : E.left(`has no tier for the units before ${String(gap.firstUnit)}: tiers must not leave a gap`);
});

/** What so many units cost together, exact: a tier is for the units after the tier before it, up to its last. */
const totalOf = (tiers: UnitRows, quantity: Big): Big => {
  let total = new Big(0);
  let counted = new Big(0);
  for (const { lastUnit, unitPrice } of tiers) {
    const end = lastUnit === null || quantity.lt(lastUnit) ? quantity : new Big(lastUnit);
    if (end.lte(counted)) continue;
    total = total.plus(end.minus(counted).times(unitPrice));
    counted = end;
  }
  return total;
};

export const graduatedKind: AbsoluteKind<GraduatedAdjustment> = {
  type: 'graduated',
  codec: described(record('GraduatedAdjustment', { type: exactly('graduated'), tiers: tiersCodec }), {
    description:
      'A price for each tier of the quantity; each unit has the price of its own tier, and the price is their average. ' +
      'The first tier begins at 0 or 1, and tiers leave no gap.',
    examples: [
      {
        type: 'graduated',
        tiers: [
          { firstUnit: 1, lastUnit: 10, unitPrice: 20 },
          { firstUnit: 11, unitPrice: 15 },
        ],
      },
    ],
  }),
  columns: { fields: [], table: { field: 'tiers', columns: unitRowColumns } },
  inWords: ({ tiers }) => `graduated (${unitRowsInWords(tiers)})`,
  withPrices: ({ tiers, ...others }, of) => ({ ...others, tiers: withUnitPrices(tiers, of) }),
  choices: ({ tiers }) => unitRowChoices(tiers, QUANTITY),
  listPrice: ({ tiers }, parameters) =>
    pipe(
      unitRowPrice(tiers, QUANTITY, parameters),
      E.chain((found) =>
        pipe(
          readQuantity(parameters),
          E.map((given): ListPrice => {
            const quantity = new Big(given);
            const digits = Math.max(...tiers.map(({ unitPrice }) => digitsAfterPoint(new Big(unitPrice))));
            return { ...found, graduated: { total: totalOf(tiers, quantity), quantity, digits } };
          }),
        ),
      ),
    ),
};
