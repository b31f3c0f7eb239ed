/**
 * What a command would change, without carrying it out: decided by the same rules as the command itself, folded as the
 * projection folds, and priced as every price is.
 */
import { setImmediate } from 'node:timers/promises';
import {
  type BookHoldings,
  type Cell,
  comparePrices,
  type Currency,
  decide,
  type DecisionError,
  type DeletePriceBookEntries,
  evolve,
  type PriceBookId,
  type PriceBookState,
  type PriceChange,
  type SetPrices,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { ALL_PRODUCTS, changesOf, type Holder, type HoldingsChange } from '../projection/changes';
import { cellAfterChange } from '../projection/holdings-document';
import { type Changes, namedIn, othersIn, type ProductAndCurrency } from './previewed-products';
import { lastEventAfter } from './price-book-writer';

/** As many changes of prices as a preview shows. */
const MAX_CHANGES = 100;
/** Prices between two turns of the event loop. */
const TOGETHER = 100;
/** As many prices as it looks at, before and after, whatever it finds. */
const MAX_LOOKED_AT = 10_000;

/** A price that the command would make another one. */
export interface PreviewedChange extends PriceChange, ProductAndCurrency {}

export interface Preview {
  /** First those of the products that the command names, then those of others, by product id. */
  readonly changes: readonly PreviewedChange[];
  /** Whether there are more, or may be: no more prices than a bound are looked at. */
  readonly hasMore: boolean;
}

/** @returns the first error of the command, or what it changes. */
export const decidePreview = (
  priceBookId: PriceBookId,
  before: PriceBookState,
  command: SetPrices | DeletePriceBookEntries,
  expectedRevisions: readonly number[] | undefined,
  actor: string,
  now: string,
): E.Either<DecisionError, Changes> => {
  const decided = decide(before, command, expectedRevisions);
  if (E.isLeft(decided)) return decided;
  const changes = new Map<Holder, HoldingsChange[]>();
  let state = before;
  for (const event of decided.right) {
    const last = lastEventAfter(state, now);
    state = evolve(state, event, last);
    const stamp = { revision: last.revision, occurredAt: last.updatedAt, actor };
    for (const change of changesOf(priceBookId, event, stamp)) {
      if (change._tag !== 'HoldingsChange') continue;
      const others = changes.get(change.holder);
      if (others === undefined) changes.set(change.holder, [change]);
      else others.push(change);
    }
  }
  return E.right(changes);
};

const cellAfter = (
  cell: Cell | undefined,
  currency: Currency,
  changes: readonly HoldingsChange[] = [],
): Cell | undefined =>
  changes.reduce<Cell | undefined>((before, change) => cellAfterChange(before, currency, change), cell);

const bookAfter = (
  { priceBookId, product, allProducts }: BookHoldings<Cell>,
  { productId, currency }: ProductAndCurrency,
  changes: Changes,
): BookHoldings<Cell> => ({
  priceBookId,
  product: cellAfter(product, currency, changes.get(productId)),
  allProducts: cellAfter(allProducts, currency, changes.get(ALL_PRODUCTS)),
});

/**
 * What becomes of prices with changes of a book, as far as the read side knows what there is.
 *
 * @param changes as `decidePreview` answers them.
 * @param now ISO 8601, UTC: the instant of the current prices.
 */
export const previewPrices =
  (
    readModel: Pick<ReadModel, 'findManyHoldings' | 'findPriceBook' | 'findProduct' | 'listProducts'>,
    priceBookId: PriceBookId,
    changes: Changes,
    now: string,
  ): TaskEither<StoreError | { readonly _tag: 'PriceBookNotFound' }, Preview> =>
  async () => {
    const found: PreviewedChange[] = [];
    let looked = 0;
    for (const ask of [namedIn, othersIn]) {
      for await (const asked of ask(readModel, priceBookId, changes)) {
        if (E.isLeft(asked)) return asked;
        for (let from = 0; from < asked.right.length; from += TOGETHER) {
          const together = asked.right.slice(from, from + TOGETHER);
          const chains = await readModel.findManyHoldings(priceBookId, together)();
          if (E.isLeft(chains)) return chains;
          for (const [place, one] of together.entries()) {
            const before = chains.right[place];
            if (before === undefined) return E.left({ _tag: 'PriceBookNotFound' });
            const [book, ...bases] = before;
            const after = [bookAfter(book, one, changes), ...bases] as const;
            for (const change of comparePrices(before, after, one.currency, now)) {
              if (looked === MAX_LOOKED_AT || (change !== undefined && found.length === MAX_CHANGES)) {
                return E.right({ changes: found, hasMore: true });
              }
              looked += 1;
              if (change !== undefined) found.push({ ...one, ...change });
            }
          }
          await setImmediate();
        }
      }
    }
    return E.right({ changes: found, hasMore: false });
  };
