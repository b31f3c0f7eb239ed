/** The products whose prices a command may change, in the currencies in which it may. */
import type { Currency, PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { ALL_PRODUCTS, type Holder, type HoldingsChange } from '../projection/changes';
import { listChainProducts } from '../queries/chain-products';

/** Products that are looked up at once. */
const TOGETHER = 100;

export interface ProductAndCurrency {
  readonly productId: ProductId;
  readonly currency: Currency;
}

/** What the events of a command change, by holder and in their order. */
export type Changes = ReadonlyMap<Holder, readonly HoldingsChange[]>;

const currenciesIn = ({ adjustments }: HoldingsChange): readonly Currency[] =>
  adjustments === 'removeAll' ? [] : (Object.keys(adjustments) as Currency[]);

type Lists = Pick<ReadModel, 'findPriceBook' | 'findProduct' | 'listProducts'>;

/** Some at a time; it ends with the first failure. */
type Asked = AsyncGenerator<E.Either<StoreError, readonly ProductAndCurrency[]>>;

/** The products that are named, in the currencies that are named, or in all that they have where all is removed. */
export const namedIn = async function* (readModel: Lists, priceBookId: PriceBookId, changes: Changes): Asked {
  const named = [...changes].filter((one): one is [ProductId, HoldingsChange[]] => one[0] !== ALL_PRODUCTS);
  for (let from = 0; from < named.length; from += TOGETHER) {
    const asked = await Promise.all(
      named.slice(from, from + TOGETHER).map(async ([productId, ofProduct]) => {
        const isRemoved = ofProduct.some(({ adjustments }) => adjustments === 'removeAll');
        const held = isRemoved ? await readModel.findProduct([priceBookId], productId)() : E.right([]);
        return pipe(
          held,
          E.map(([cells = {}]) => [
            ...new Set([...ofProduct.flatMap(currenciesIn), ...(Object.keys(cells) as Currency[])]),
          ]),
          E.map((currencies) => currencies.map((currency) => ({ productId, currency }))),
        );
      }),
    );
    yield pipe(
      E.sequenceArray(asked),
      E.map((pairs) => pairs.flat()),
    );
  }
};

/** The other products of the book and its bases, in the currencies in which something is set for all. */
export const othersIn = async function* (
  readModel: Lists,
  priceBookId: PriceBookId,
  changes: Changes,
): Asked {
  const currencies = new Set(changes.get(ALL_PRODUCTS)?.flatMap(currenciesIn));
  if (currencies.size === 0) return;
  const book = await readModel.findPriceBook(priceBookId)();
  if (E.isLeft(book)) {
    yield book;
    return;
  }
  const chain = [priceBookId, ...(book.right?.basePriceBookIds ?? [])];
  const isNamed = (productId: ProductId, currency: Currency): boolean =>
    changes.get(productId)?.some((change) => currenciesIn(change).includes(currency)) === true;
  for (const currency of currencies) {
    for (let from: ProductId | undefined; ;) {
      const listed = await listChainProducts(readModel, chain, currency, TOGETHER, from)();
      if (E.isLeft(listed)) {
        yield listed;
        return;
      }
      const { items, next } = listed.right;
      yield E.right(
        items
          .filter((productId) => !isNamed(productId, currency))
          .map((productId) => ({ productId, currency })),
      );
      if (next === undefined) break;
      from = next;
    }
  }
};
