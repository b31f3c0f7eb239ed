/** What prices by table ask for. */
import type { Problem, Schemas } from '../../api/client';
import { type AnyAdjustment, rowWords, type TableRow, tableOf, textOf } from '../../ui/adjustment-words';
import { type Chain, ownAdjustments } from '../edit/chain';
import type { Question } from './question';

/** A property that a table reads, and what it takes. */
export interface AskedProperty {
  readonly name: string;
  readonly hint: string;
  readonly isNumber: boolean;
}

const LISTED = 8;

const listed = (rows: readonly TableRow[]): string =>
  rows
    .slice(0, LISTED)
    .map((row) => textOf(rowWords(row)))
    .join(', ') + (rows.length > LISTED ? ` and ${(rows.length - LISTED).toLocaleString()} more` : '');

/** What tables read, those first whose tables come first; `quantity` has a box of its own. */
export const askedProperties = (adjustments: readonly AnyAdjustment[]): readonly AskedProperty[] => {
  const found = new Map<string, AskedProperty>();
  for (const adjustment of adjustments) {
    const table = tableOf(adjustment);
    if (table === undefined || table.property === 'quantity' || found.has(table.property)) continue;
    const { property, rows, rowName } = table;
    const isNumber = rowName !== 'value';
    const hint = `${isNumber ? 'A number' : 'One of'}: ${listed(rows)}`;
    found.set(property, { name: property, hint, isNumber });
  }
  return [...found.values()];
};

/** What may ask for a property: what each book has, the nearest first, then what a price had, the latest first. */
export const tablesOf = (
  chain: Chain,
  currency: string,
  periods: readonly Schemas['PricePeriod'][],
): readonly AnyAdjustment[] => [
  ...chain.flatMap(({ product }) => ownAdjustments(product, currency)),
  ...periods.toReversed().flatMap(({ cause }) => cause.adjustment ?? []),
];

/** The first property that a question gives no value for. */
export const missingIn = (
  { properties: given }: Question,
  properties: readonly AskedProperty[],
): string | undefined => properties.find(({ name }) => (given[name] ?? '') === '')?.name;

/** The property without which a price is refused; undefined where it is refused for another reason. */
export const missingFor = (
  problem: Pick<Problem, 'status'> | undefined,
  question: Question,
  properties: readonly AskedProperty[],
): string | undefined => (problem?.status === 400 ? missingIn(question, properties) : undefined);
