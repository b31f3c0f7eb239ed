/** Checks and prices as the service makes them, by the same code. Loaded where it is needed: it is the largest part. */
import {
  adjustmentCodec,
  type Cell,
  cellAfter,
  type ChainHoldings,
  comparePrices,
  type Currency,
  faultsOf,
  type PriceBookId,
  type ProductItem,
  setProductPricesReader,
  type Stamp,
} from '@pricebook/domain';
import type { Fault, Schemas } from '../../api/client';
import type { Chain, Link } from './chain';
import type { Own } from './own';

const MAX_CHANGES = 100;
const MAX_COMPARED = 10_000;

/** When what is there was set does not matter: it was before now. */
const BEFORE: Stamp = { revision: 0, occurredAt: '1970-01-01T00:00:00.000Z', actor: '' };

export const faultsIn = (body: string): readonly Fault[] => {
  const read = setProductPricesReader.decode(JSON.parse(body));
  return read._tag === 'Left' ? faultsOf(read.left) : [];
};

/** In the order in which docs/api.md sets again what it lists. */
const cellOf = ({ adjustments, percents, dated }: Own, currency: string): Cell | undefined =>
  [adjustments[currency], percents[currency], ...(dated[currency] ?? [])].reduce<Cell | undefined>(
    (cell, given) => {
      if (given === undefined) return cell;
      const read = adjustmentCodec.decode(given);
      return read._tag === 'Left' ? cell : cellAfter(cell, read.right, BEFORE);
    },
    undefined,
  );

const itemIn = (body: string): ProductItem | undefined => {
  const read = setProductPricesReader.decode(JSON.parse(body));
  return read._tag === 'Right' && read.right._tag === 'SetProductPrices' ? read.right.items[0] : undefined;
};

/** When a temporary price began that was set without a beginning is not known here, and may decide between two of them. */
const isUncertain = (chain: Chain, currency: string): boolean =>
  chain
    .flatMap(({ product, all }) => [product, all])
    .some(({ dated }) => dated[currency]?.some(({ validFrom }) => validFrom === undefined) === true);

/**
 * Old and new prices of a product, for every row of its tables, now and whenever something planned begins or ends.
 *
 * @returns undefined where only the service knows.
 */
export const preview = (chain: Chain, body: string, code: string): Schemas['PricesPreview'] | undefined => {
  if (isUncertain(chain, code)) return undefined;
  const [link, ...bases] = chain;
  const item = itemIn(body);
  // It has been checked.
  const currency = code as Currency;
  const asked = item?.adjustments[currency];
  if (item === undefined || asked === undefined) return { changes: [], hasMore: false };
  const holdings = ({ book, product, all }: Link) => ({
    priceBookId: book.id as PriceBookId,
    product: cellOf(product, code),
    allProducts: cellOf(all, code),
  });
  const now = new Date().toISOString();
  const before = holdings(link);
  const after = {
    ...before,
    product: cellAfter(before.product, asked, { ...BEFORE, revision: 1, occurredAt: now }),
  };
  const rest = bases.map(holdings);
  const old: ChainHoldings<Cell> = [before, ...rest];
  const coming: ChainHoldings<Cell> = [after, ...rest];
  const changes: Schemas['PreviewedChange'][] = [];
  let compared = 0;
  for (const change of comparePrices(old, coming, currency, now)) {
    compared += 1;
    if (change !== undefined) {
      const { choices, at, before: was, after: is } = change;
      changes.push({
        productId: item.productId,
        currency,
        before: was,
        after: is,
        ...(at !== undefined && { at }),
        ...(choices.length > 0 && {
          parameters: Object.fromEntries(choices.map(({ property, value }) => [property, value])),
        }),
      });
    }
    if (changes.length === MAX_CHANGES || compared === MAX_COMPARED) return { changes, hasMore: true };
  }
  return { changes, hasMore: false };
};
