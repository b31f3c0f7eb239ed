/** Price books that live in the domain alone: request, decision, events, folded cells, price. */
import * as E from 'fp-ts/Either';
import type { Adjustment, RequestedAdjustment } from '../adjustments/adjustment';
import type { OneOrMore } from '../adjustments/adjustments';
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
import type { Cell, Stamp } from '../pricing/cell';
import { clonedAdjustments, flattening } from '../pricing/cloned';
import { cellAfter } from '../pricing/dated';
import { type OwnPrices, ownPricesOf } from '../pricing/own-prices';
import { chainAt, validUntilOf } from '../pricing/price-at';
import {
  type BookHoldings,
  type ChainHoldings,
  explainPrice,
  type PriceError,
  type PriceStep,
  type ResolvedPrice,
  resolvePrice,
} from '../pricing/resolve-price';
import { read } from './reading';

/** A request for prices: the JSON body of Set Product Prices or of Delete Price Book Entries. */
export interface PriceRequest {
  readonly operation: 'set' | 'delete';
  readonly body: unknown;
}

/** What a cell has been, oldest first. */
type Cells = Map<Currency, { readonly occurredAt: string; readonly cell: Cell | undefined }[]>;

interface Book {
  readonly priceBookId: PriceBookId;
  readonly basePriceBookIds: readonly PriceBookId[];
  readonly state: PriceBookState;
  readonly products: Map<ProductId, Cells>;
  readonly all: Cells;
}

/** The last instant that there is. */
const END = '9999-12-31T23:59:59.999Z';

const cellIn = (cells: Cells | undefined, code: Currency, knownAt = END): Cell | undefined =>
  cells?.get(code)?.findLast(({ occurredAt }) => occurredAt <= knownAt)?.cell;

const adjust = (
  cells: Cells,
  code: Currency,
  adjustments: OneOrMore<RequestedAdjustment>,
  stamp: Stamp,
): void => {
  const cell = cellAfter(cellIn(cells, code), adjustments, stamp);
  cells.set(code, [...(cells.get(code) ?? []), { occurredAt: stamp.occurredAt, cell }]);
};

const byCurrency = <A>(map: Readonly<Partial<Record<Currency, A>>>): readonly [Currency, A][] =>
  Object.entries(map) as [Currency, A][];

const currentIn = (cells: Cells): Readonly<Partial<Record<Currency, Cell>>> =>
  Object.fromEntries(
    [...cells.keys()].flatMap((code) => {
      const cell = cellIn(cells, code);
      return cell === undefined ? [] : [[code, cell]];
    }),
  );

const fold = ({ products, all }: Book, event: PriceBookEvent, stamp: Stamp): void => {
  switch (event.type) {
    case 'ProductPricesSet':
      for (const { productId, adjustments } of event.data.items) {
        const cells = products.get(productId) ?? (new Map() as Cells);
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
        const cells = products.get(productId) ?? (new Map() as Cells);
        for (const code of [...cells.keys()]) adjust(cells, code, nullAdjustment, stamp);
      }
      return;
    case 'PriceBookCreated':
    case 'PriceBookCloned':
    case 'PriceBookUpdated':
    case 'PriceBookDeleted':
    case 'PriceBookRestored':
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
  /** @param flattensBase whether the clone is a root book. */
  readonly clone: (
    priceBookId: PriceBookId,
    source: PriceBookId,
    flattensBase: boolean,
    occurredAt: string,
  ) => void;
  readonly request: (priceBookId: PriceBookId, request: PriceRequest, occurredAt: string) => void;
  readonly carryOut: (priceBookId: PriceBookId, command: PriceBookCommand, occurredAt: string) => void;
  /** What is held by product id, or `all`. */
  readonly held: (priceBookId: PriceBookId, now?: string) => ReadonlyMap<string, OwnPrices>;
  /**
   * @param at the instant of the price; absent for after everything that was set and planned.
   * @param knownAt when it is asked; absent for after everything that was set.
   */
  readonly price: (
    priceBookId: PriceBookId,
    productId: ProductId,
    currency: Currency,
    parameters: PriceParameters,
    at?: string,
    knownAt?: string,
  ) => E.Either<PriceError, ResolvedPrice>;
  /** How that price came about. */
  readonly steps: (
    priceBookId: PriceBookId,
    productId: ProductId,
    currency: Currency,
    parameters: PriceParameters,
  ) => readonly PriceStep[];
  /** The next instant after `at` at which the price is another, as it is planned. */
  readonly validUntil: (
    priceBookId: PriceBookId,
    productId: ProductId,
    currency: Currency,
    parameters: PriceParameters,
    at: string,
    knownAt?: string,
  ) => string | undefined;
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

  const holdings = (
    priceBookId: PriceBookId,
    productId: ProductId,
    code: Currency,
    knownAt: string,
  ): BookHoldings<Cell> => {
    const { products, all } = find(priceBookId);
    return {
      priceBookId,
      product: cellIn(products.get(productId), code, knownAt),
      allProducts: cellIn(all, code, knownAt),
    };
  };

  const chainOf = (
    priceBookId: PriceBookId,
    productId: ProductId,
    code: Currency,
    at: string,
    knownAt: string,
  ): ChainHoldings<Cell> => {
    const known = knownAt < at ? knownAt : at;
    const bases = find(priceBookId).basePriceBookIds.map((id) => holdings(id, productId, code, known));
    return [holdings(priceBookId, productId, code, known), ...bases];
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
    clone: (priceBookId, sourceId, flattensBase, occurredAt) => {
      const source = find(sourceId);
      const chain = [sourceId, ...source.basePriceBookIds].map(find);
      const products = new Map<ProductId, Cells>();
      const book: Book = {
        priceBookId,
        basePriceBookIds: flattensBase ? [] : source.basePriceBookIds,
        state: absent,
        products,
        all: new Map(),
      };
      handle(
        book,
        {
          _tag: 'ClonePriceBook',
          name: 'Clone',
          description: '',
          flattensBase,
          chain: chain.map(({ priceBookId: id, state }) => ({
            priceBookId: id,
            revision: state._tag === 'Absent' ? 0 : state.revision,
            updatedAt: state._tag === 'Absent' ? occurredAt : state.updatedAt,
          })),
        },
        occurredAt,
      );
      const stamp = { revision: 0, occurredAt, actor: 'tester' };
      const copy = (cells: Cells, code: Currency, adjustments: readonly Adjustment[]): void => {
        if (adjustments.length > 0) adjust(cells, code, adjustments, stamp);
      };
      for (const productId of new Set(chain.flatMap((one) => [...one.products.keys()]))) {
        const cells: Cells = new Map();
        products.set(productId, cells);
        const codes = chain.flatMap((one) => [...(one.products.get(productId)?.keys() ?? [])]);
        for (const code of new Set(codes)) {
          if (flattensBase) {
            const holdingsOf = chainOf(sourceId, productId, code, occurredAt, END);
            const products = holdingsOf.map(({ product }) => product);
            copy(cells, code, flattening(holdingsOf, code, occurredAt)(products));
          } else {
            const cell = cellIn(source.products.get(productId), code);
            if (cell !== undefined) copy(cells, code, clonedAdjustments(cell, occurredAt));
          }
        }
      }
      if (flattensBase) return;
      for (const code of source.all.keys()) {
        const cell = cellIn(source.all, code);
        if (cell !== undefined) copy(book.all, code, clonedAdjustments(cell, occurredAt));
      }
    },
    request: (priceBookId, request, occurredAt) => {
      handle(find(priceBookId), commandOf(request), occurredAt);
    },
    carryOut: (priceBookId, command, occurredAt) => {
      handle(find(priceBookId), command, occurredAt);
    },
    held: (priceBookId, now = END) => {
      const { products, all, basePriceBookIds } = find(priceBookId);
      const isRoot = basePriceBookIds.length === 0;
      return new Map(
        [...products, [ALL, all] as const].flatMap(([holder, cells]) => {
          const own = ownPricesOf(currentIn(cells), isRoot, now);
          return own === undefined ? [] : [[holder, own]];
        }),
      );
    },
    price: (priceBookId, productId, code, parameters, at = END, knownAt = END) =>
      resolvePrice(chainAt(chainOf(priceBookId, productId, code, at, knownAt), at), code, parameters),
    steps: (priceBookId, productId, code, parameters) =>
      explainPrice(chainAt(chainOf(priceBookId, productId, code, END, END), END), code, parameters),
    validUntil: (priceBookId, productId, code, parameters, at, knownAt = END) => {
      const chain = chainOf(priceBookId, productId, code, at, knownAt);
      const now = resolvePrice(chainAt(chain, at), code, parameters);
      return validUntilOf(chain, code, parameters, at, now);
    },
  };
};
