/** Price books that live in the domain alone: request, decision, events, folded cells, price. */
import * as E from 'fp-ts/Either';
import type { Adjustment } from '../adjustments/adjustment';
import { nullAdjustment } from '../adjustments/null';
import type { PriceParameters } from '../adjustments/parameters';
import type { Currency } from '../currency';
import type { PriceBookId, ProductId } from '../identifiers';
import type { PriceBookCommand } from '../price-book/commands';
import { decide } from '../price-book/decide';
import { type PriceBookEvent, priceBookEventReader } from '../price-book/events';
import { deleteEntriesCodec, setProductPricesReader } from '../price-book/requests';
import { absent, evolve, type PriceBookState } from '../price-book/state';
import { ALL } from '../price-sheet/sheet';
import { type Cell, cellAfter, type Stamp } from '../pricing/cell';
import { type OwnPrices, ownPricesOf } from '../pricing/own-prices';
import {
  type BookHoldings,
  type ChainHoldings,
  type PriceError,
  type ResolvedPrice,
  resolvePrice,
} from '../pricing/resolve-price';
import { read } from './reading';

/** A request for prices: the JSON body of Set Product Prices or of Delete Price Book Entries. */
export interface PriceRequest {
  readonly operation: 'set' | 'delete';
  readonly body: unknown;
}

interface Book {
  readonly priceBookId: PriceBookId;
  readonly basePriceBookIds: readonly PriceBookId[];
  readonly state: PriceBookState;
  readonly products: Map<ProductId, Map<Currency, Cell>>;
  readonly all: Map<Currency, Cell>;
}

const adjust = (cells: Map<Currency, Cell>, code: Currency, adjustment: Adjustment, stamp: Stamp): void => {
  const after = cellAfter(cells.get(code), adjustment, stamp);
  if (after !== undefined) cells.set(code, after);
};

const byCurrency = <A>(map: Readonly<Partial<Record<Currency, A>>>): readonly [Currency, A][] =>
  Object.entries(map) as [Currency, A][];

const fold = ({ products, all }: Book, event: PriceBookEvent, stamp: Stamp): void => {
  switch (event.type) {
    case 'ProductPricesSet':
      for (const { productId, adjustments } of event.data.items) {
        const cells = products.get(productId) ?? new Map<Currency, Cell>();
        products.set(productId, cells);
        for (const [code, adjustment] of byCurrency(adjustments)) adjust(cells, code, adjustment, stamp);
      }
      return;
    case 'AllProductsAdjusted':
      for (const [code, adjustment] of byCurrency(event.data.adjustments)) {
        adjust(all, code, adjustment, stamp);
      }
      return;
    case 'PriceBookEntriesDeleted':
      for (const productId of event.data.productIds) {
        const cells = products.get(productId) ?? new Map<Currency, Cell>();
        for (const code of [...cells.keys()]) adjust(cells, code, nullAdjustment, stamp);
      }
      return;
    case 'PriceBookCreated':
    case 'PriceBookUpdated':
    case 'PriceBookDeleted':
      return;
  }
};

const commandOf = ({ operation, body }: PriceRequest): PriceBookCommand =>
  operation === 'set'
    ? read(setProductPricesReader, body)
    : { _tag: 'DeletePriceBookEntries', productIds: read(deleteEntriesCodec, body) };

/** What was kept comes back as text: an event is used as it reads from there. */
const stored = (event: PriceBookEvent): PriceBookEvent =>
  read(priceBookEventReader, JSON.parse(JSON.stringify(event)));

export interface Books {
  readonly create: (priceBookId: PriceBookId, base: PriceBookId | undefined, occurredAt: string) => void;
  readonly request: (priceBookId: PriceBookId, request: PriceRequest, occurredAt: string) => void;
  readonly carryOut: (priceBookId: PriceBookId, command: PriceBookCommand, occurredAt: string) => void;
  /** What is held by product id, or `all`. */
  readonly held: (priceBookId: PriceBookId) => ReadonlyMap<string, OwnPrices>;
  readonly price: (
    priceBookId: PriceBookId,
    productId: ProductId,
    currency: Currency,
    parameters: PriceParameters,
  ) => E.Either<PriceError, ResolvedPrice>;
}

export const createBooks = (): Books => {
  const books = new Map<PriceBookId, Book>();

  const find = (priceBookId: PriceBookId): Book => {
    const found = books.get(priceBookId);
    if (found === undefined) throw new Error(`no book ${priceBookId}`);
    return found;
  };

  const handle = (book: Book, command: PriceBookCommand, updatedAt: string): void => {
    const decision = decide(book.state, command);
    if (E.isLeft(decision)) throw new Error(`refused: ${JSON.stringify(decision.left)}`);
    const after = decision.right.map(stored).reduce((state, event) => {
      const revision = state._tag === 'Absent' ? 0 : state.revision + 1;
      fold(book, event, { revision, occurredAt: updatedAt, actor: 'tester' });
      return evolve(state, event, { revision, updatedAt });
    }, book.state);
    books.set(book.priceBookId, { ...book, state: after });
  };

  const holdings = (priceBookId: PriceBookId, productId: ProductId, code: Currency): BookHoldings => {
    const { products, all } = find(priceBookId);
    return { priceBookId, product: products.get(productId)?.get(code), allProducts: all.get(code) };
  };

  return {
    create: (priceBookId, baseId, occurredAt) => {
      const base = baseId === undefined ? undefined : find(baseId);
      const basePriceBookIds = base === undefined ? [] : [base.priceBookId, ...base.basePriceBookIds];
      handle(
        { priceBookId, basePriceBookIds, state: absent, products: new Map(), all: new Map() },
        { _tag: 'CreatePriceBook', name: 'Book', description: '', ...(base !== undefined && { base }) },
        occurredAt,
      );
    },
    request: (priceBookId, request, occurredAt) => {
      handle(find(priceBookId), commandOf(request), occurredAt);
    },
    carryOut: (priceBookId, command, occurredAt) => {
      handle(find(priceBookId), command, occurredAt);
    },
    held: (priceBookId) => {
      const { products, all, basePriceBookIds } = find(priceBookId);
      const isRoot = basePriceBookIds.length === 0;
      return new Map(
        [...products, [ALL, all] as const].flatMap(([holder, cells]) => {
          const own = ownPricesOf(Object.fromEntries(cells), isRoot);
          return own === undefined ? [] : [[holder, own]];
        }),
      );
    },
    price: (priceBookId, productId, code, parameters) => {
      const bases = find(priceBookId).basePriceBookIds.map((id) => holdings(id, productId, code));
      const chain: ChainHoldings = [holdings(priceBookId, productId, code), ...bases];
      return resolvePrice(chain, code, parameters);
    },
  };
};
