/** What prices by table ask for. */
import { rowWords, tableOf, textOf } from '../../ui/adjustment-words';
import { type Chain, ownAdjustments } from '../edit/chain';

/** A property that a table reads, and what it takes. */
export interface AskedProperty {
  readonly name: string;
  readonly hint: string;
  readonly isNumber: boolean;
}

const LISTED = 8;

const listed = (values: readonly string[]): string =>
  values.slice(0, LISTED).join(', ') +
  (values.length > LISTED ? ` and ${(values.length - LISTED).toLocaleString()} more` : '');

/** Properties that tables of the product read, in any book of the chain; `quantity` has a box of its own. */
export const askedProperties = (chain: Chain, currency: string): readonly AskedProperty[] => {
  const found = new Map<string, AskedProperty>();
  for (const adjustment of chain.flatMap(({ product }) => ownAdjustments(product, currency))) {
    const table = tableOf(adjustment);
    if (table === undefined) continue;
    const { property, rows, rowName } = table;
    const isNumber = rowName !== 'value';
    const values = listed(rows.map((row) => textOf(rowWords(row))));
    found.set(property, { name: property, hint: `${isNumber ? 'A number' : 'One of'}: ${values}`, isNumber });
  }
  found.delete('quantity');
  return [...found.values()];
};
