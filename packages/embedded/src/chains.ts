/** What the books of a chain hold for a product, now or at a time. */
import {
  ALL_PRODUCTS,
  existsAt,
  type HoldingsDocument,
  type HoldingsQuestion,
  isKnownAt,
  type PriceBookDocument,
} from '@pricebook/application';
import type { BookHoldings, Cell, ChainHoldings, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import { holdingsKey, latestRowKeys, priceBookKey } from './keys';

interface LookUps {
  readonly bookOf: (id: PriceBookId) => PriceBookDocument | undefined;
  /** What a product holds, by the key of its document. */
  readonly heldNow: (key: Buffer) => HoldingsDocument | undefined;
  /** @param start as of `latestRowKeys`. */
  readonly cellUpTo: (start: Buffer) => Cell | undefined;
}

/** What a book holds for any product now. */
type HeldNow = (productId: ProductId, currency: Currency) => BookHoldings<Cell>;

const nothing = { product: undefined, allProducts: undefined };

/** When a cell came to be what it is: every change of it leaves its time in it. */
const lastChangeOf = ({ absolute, relative, removed, changedAt }: Cell): string => {
  // Without anything dated, a relative adjustment is never older than what is beside it.
  const last = relative ?? absolute ?? removed;
  return changedAt ?? last?.occurredAt ?? '';
};

export const createChains = ({ bookOf, heldNow, cellUpTo }: LookUps) => {
  const nowIn = (priceBookId: PriceBookId, document: PriceBookDocument | undefined): HeldNow => {
    if (document === undefined || !existsAt(document)) return () => ({ priceBookId, ...nothing });
    const key = priceBookKey(priceBookId);
    const ofAll = document.allProducts?.cells;
    return (productId, currency) => ({
      priceBookId,
      product: heldNow(holdingsKey(key, productId))?.cells[currency],
      allProducts: ofAll?.[currency],
    });
  };

  /** Looks the books of a chain up; what they hold for a product is looked up when it is asked for, in the same turn. */
  const chainNow = (
    id: PriceBookId,
  ): ((productId: ProductId, currency: Currency) => ChainHoldings<Cell>) | undefined => {
    const document = bookOf(id);
    if (document === undefined || !existsAt(document)) return undefined;
    const first = nowIn(id, document);
    const bases = (document.created?.basePriceBookIds ?? []).map((baseId) => nowIn(baseId, bookOf(baseId)));
    return bases.length === 0
      ? (productId, currency) => [first(productId, currency)]
      : (productId, currency) => [
          first(productId, currency),
          ...bases.map((base) => base(productId, currency)),
        ];
  };

  const chainThen = (
    id: PriceBookId,
    productId: ProductId,
    currency: Currency,
    at: string,
  ): ChainHoldings<Cell> | undefined => {
    const document = bookOf(id);
    if (document === undefined || !isKnownAt(document, at)) return undefined;
    const ofProduct = latestRowKeys(productId, currency, at);
    const ofAllProducts = latestRowKeys(ALL_PRODUCTS, currency, at);
    const heldBy = (priceBookId: PriceBookId, held: PriceBookDocument | undefined): BookHoldings<Cell> => {
      if (held === undefined || !existsAt(held, at)) return { priceBookId, ...nothing };
      const key = priceBookKey(priceBookId);
      const product = cellUpTo(ofProduct(key));
      const last = held.allProducts?.cells[currency];
      // What the document of the book says needs no look-up: what once was held leaves at least its removal.
      const isLast = last === undefined || lastChangeOf(last) <= at;
      return { priceBookId, product, allProducts: isLast ? last : cellUpTo(ofAllProducts(key)) };
    };
    const bases = existsAt(document, at) ? (document.created?.basePriceBookIds ?? []) : [];
    return [heldBy(id, document), ...bases.map((baseId) => heldBy(baseId, bookOf(baseId)))];
  };

  return {
    chainOf: (
      id: PriceBookId,
      productId: ProductId,
      currency: Currency,
      at: string | undefined,
    ): ChainHoldings<Cell> | undefined =>
      at === undefined ? chainNow(id)?.(productId, currency) : chainThen(id, productId, currency, at),

    chainsOf: (
      id: PriceBookId,
      questions: readonly HoldingsQuestion[],
    ): readonly (ChainHoldings<Cell> | undefined)[] => {
      const now = chainNow(id);
      return questions.map(({ productId, currency, at }) =>
        at === undefined ? now?.(productId, currency) : chainThen(id, productId, currency, at),
      );
    },
  };
};
