/** What people call the kinds of adjustments. */
import type { Kind, Scope } from './draft';

const LABELS: Readonly<Record<Kind, string>> = {
  override: 'Fixed price',
  percent: 'Percent',
  fixedAmount: 'Plus or minus an amount',
  enum: 'Price by value',
  range: 'Price by range',
  volume: 'Volume tiers',
  graduated: 'Graduated tiers',
  null: 'Remove',
};

const OF_SCOPE: Readonly<Record<Scope, readonly Kind[]>> = {
  product: ['override', 'percent', 'fixedAmount', 'enum', 'range', 'volume', 'graduated', 'null'],
  all: ['percent', 'fixedAmount', 'null'],
};

export const kindOptions = (scope: Scope): readonly (readonly [Kind, string])[] =>
  OF_SCOPE[scope].map((kind) => [kind, LABELS[kind]]);

export const HINTS: Readonly<Record<Kind, string>> = {
  override: 'The product has this price.',
  percent: 'Changes the price: 10 raises it by 10%, -20 lowers it by 20%.',
  fixedAmount: 'Changes the price by an amount of money: -5 takes 5 off.',
  enum: 'A price for each value of a property, such as a region.',
  range: 'A price for each range of a property that is a number.',
  volume: 'A price for each quantity; the price of the tier holds for all units.',
  graduated: 'A price for each quantity; each unit has the price of its own tier.',
  null: 'Takes away what is set here.',
};
