/** A read model in memory, for tests. */
import type { BookHoldings, Cell, ChainHoldings, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import * as TE from 'fp-ts/TaskEither';
import { byCodePoints } from '../code-points';
import { type DoneRequest, laterRequest } from '../idempotency/idempotent-request';
import type { Position } from '../ports/event-store';
import {
  type BookHistory,
  type BookPlace,
  type BookSort,
  type BoundaryPlace,
  type ChainHistory,
  type HoldingsQuestion,
  type HoldingsSeries,
  OLDEST_FIRST,
  type Part,
  type PriceBookView,
  type ReadModel,
} from '../ports/read-model';
import {
  type BoundaryKey,
  byName,
  entryName,
  type KnownEntry,
  type ReadModelEntries,
} from '../ports/read-model-entries';
import {
  ALL_PRODUCTS,
  boundariesIn,
  type Holder,
  type HoldingsChange,
  type ReadModelChange,
  rememberedIn,
} from '../projection/changes';
import {
  type HistoryRow,
  type HoldingsDocument,
  placeChange,
  type RowId,
} from '../projection/holdings-document';
import {
  deletedViewOf,
  existsAt,
  isKnownAt,
  foldPriceBook,
  type PriceBookDocument,
  viewOf,
} from '../projection/price-book-document';
import { keyOf, placeValueOf } from '../projection/price-book-places';

interface Holdings {
  readonly document: HoldingsDocument;
  readonly rows: readonly HistoryRow[];
  /** Revisions by currency and instant. */
  readonly boundaries: ReadonlyMap<string, number>;
}

/** As many entries as come in one page. */
const PAGE = 100;

/** By value and then id: negative, zero or positive. */
const compareBooks = (a: BookPlace, b: BookPlace): number =>
  byCodePoints(a.value ?? '', b.value ?? '') || byCodePoints(a.priceBookId, b.priceBookId);

const partOf = <Id extends string>(ids: readonly Id[], limit: number, from: Id | undefined): Part<Id, Id> => {
  const rest = ids.filter((id) => from === undefined || byCodePoints(id, from) >= 0).sort(byCodePoints);
  return { items: rest.slice(0, limit), next: rest[limit] };
};

const idsIn = (key: string): readonly [PriceBookId, Holder] => {
  const [, id = '', name = ''] = /^([^/]*)\/(.*)$/s.exec(key) ?? [];
  return [id as PriceBookId, name as Holder];
};

/** By instant, holder and currency: negative, zero or positive. */
const compareBoundaries = (a: BoundaryPlace, b: BoundaryPlace): number => {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return byCodePoints(a.holder ?? '', b.holder ?? '') || byCodePoints(a.currency ?? '', b.currency ?? '');
};

export type InMemoryReadModel = ReadModel & ReadModelEntries;

export const createInMemoryReadModel = (): InMemoryReadModel => {
  const books = new Map<PriceBookId, PriceBookDocument>();
  const holdings = new Map<string, Holdings>();
  const requests = new Map<string, DoneRequest>();
  let position: Position | undefined;

  const nameOf = (id: PriceBookId, holder: Holder): string => `${id}/${holder}`;

  const applyToHoldings = (change: HoldingsChange): void => {
    const key = nameOf(change.priceBookId, change.holder);
    const before = holdings.get(key);
    const rows = before?.rows ?? [];
    const kept = {
      has: ({ currency, stamp }: RowId) =>
        rows.some((row) => row.currency === currency && row.stamp.revision === stamp.revision),
      all: () => rows,
    };
    const placed = placeChange(before?.document, kept, change);
    if (placed === undefined) return;
    const boundaries = new Map(before?.boundaries);
    for (const { currency, at } of boundariesIn(change)) {
      const name = `${at} ${currency}`;
      boundaries.set(name, Math.max(boundaries.get(name) ?? 0, change.stamp.revision));
    }
    holdings.set(key, {
      document: placed.document,
      rows: placed.replacesRows ? placed.rows : [...rows, ...placed.rows],
      boundaries,
    });
  };

  const boundariesOfHolder = (key: string): readonly (BoundaryKey & { readonly revision: number })[] => {
    const [priceBookId, holder] = idsIn(key);
    return [...(holdings.get(key)?.boundaries ?? [])].map(([name, revision]) => {
      const [at = '', currency = ''] = name.split(' ');
      return { _tag: 'Boundary', priceBookId, holder, currency: currency as Currency, at, revision };
    });
  };

  const applyOne = (change: ReadModelChange): void => {
    if (change._tag === 'HoldingsChange') applyToHoldings(change);
    else books.set(change.priceBookId, foldPriceBook(books.get(change.priceBookId), change));
  };

  const cellOf = (id: PriceBookId, holder: Holder, currency: Currency, at?: string): Cell | undefined => {
    const found = holdings.get(nameOf(id, holder));
    if (at === undefined) return found?.document.cells[currency];
    return found?.rows.filter((row) => row.currency === currency && row.stamp.occurredAt <= at).at(-1)?.cell;
  };

  const chainOf = (
    id: PriceBookId,
    { productId, currency, at }: HoldingsQuestion,
  ): ChainHoldings<Cell> | undefined => {
    const book = books.get(id);
    if (book === undefined || !isKnownAt(book, at)) return undefined;
    const held = (priceBookId: PriceBookId): BookHoldings<Cell> => ({
      priceBookId,
      product: cellOf(priceBookId, productId, currency, at),
      allProducts: cellOf(priceBookId, ALL_PRODUCTS, currency, at),
    });
    const baseIds = existsAt(book, at) ? (book.created?.basePriceBookIds ?? []) : [];
    const bases = baseIds.map((baseId) => {
      const base = books.get(baseId);
      return base !== undefined && existsAt(base, at)
        ? held(baseId)
        : { priceBookId: baseId, product: undefined, allProducts: undefined };
    });
    const nothing = { priceBookId: id, product: undefined, allProducts: undefined };
    return [existsAt(book, at) ? held(id) : nothing, ...bases];
  };

  const seriesOf = (
    id: PriceBookId,
    holder: Holder,
    currency: Currency,
    after: string | undefined,
    limit: number,
  ): HoldingsSeries => ({
    before: after === undefined ? undefined : cellOf(id, holder, currency, after),
    rows: (holdings.get(nameOf(id, holder))?.rows ?? [])
      .filter((row) => row.currency === currency && (after === undefined || row.stamp.occurredAt > after))
      .slice(0, limit),
  });

  /** The book as clients see it, if they do. */
  const viewsOf = (id: PriceBookId): readonly PriceBookView[] => {
    const document = books.get(id);
    const view = document === undefined ? undefined : viewOf(document);
    return view === undefined ? [] : [view];
  };

  const placesBy = (sort: BookSort): readonly BookPlace[] =>
    [...books.values()].flatMap((book) => {
      const { priceBookId } = book;
      if (sort === 'createdAt') return [{ priceBookId }];
      const value = placeValueOf(book, sort);
      return value === undefined ? [] : [{ priceBookId, value }];
    });

  const productsOf = (id: PriceBookId): readonly ProductId[] => {
    const prefix = nameOf(id, '' as ProductId);
    return [...holdings.keys()]
      .filter((key) => key.startsWith(prefix) && key !== nameOf(id, ALL_PRODUCTS))
      .map((key) => key.slice(prefix.length) as ProductId);
  };

  const entriesOfBook = (book: PriceBookDocument): readonly KnownEntry[] => {
    const { priceBookId } = book;
    const allProducts = holdings.get(nameOf(priceBookId, ALL_PRODUCTS))?.document;
    const value = { ...book, ...(allProducts !== undefined && { allProducts }) };
    const base = value.created?.basePriceBookIds[0];
    return [
      { _tag: 'PriceBook', priceBookId, value },
      ...(base === undefined
        ? []
        : [{ _tag: 'Derived', priceBookId, basePriceBookId: base, value: true } as const]),
    ];
  };

  const entriesOfHolder = ([key, { document, rows }]: [string, Holdings]): readonly KnownEntry[] => {
    const [priceBookId, holder] = idsIn(key);
    const cells = holder === ALL_PRODUCTS ? {} : document.cells;
    return [
      ...(Object.entries(cells) as [Currency, Cell][]).map(([currency, value]): KnownEntry => {
        const productId = holder as ProductId;
        return { _tag: 'Cell', priceBookId, productId, currency, value, revision: document.revision };
      }),
      ...rows.map((value): KnownEntry => {
        const { currency, stamp } = value;
        const { revision, occurredAt } = stamp;
        return { _tag: 'Row', priceBookId, holder, currency, revision, occurredAt, value };
      }),
      ...boundariesOfHolder(key).map(({ revision, ...boundary }): KnownEntry => ({
        ...boundary,
        value: { revision },
      })),
    ];
  };

  const allEntries = (): readonly KnownEntry[] => [
    ...[...books.values()].flatMap(entriesOfBook),
    ...[...holdings].flatMap(entriesOfHolder),
  ];

  return {
    entries: async function* () {
      const all = allEntries();
      for (let start = 0; start < all.length; start += PAGE) {
        await Promise.resolve();
        yield all.slice(start, start + PAGE);
      }
    },

    findEntries: (keys) =>
      TE.fromIO(() => {
        const names = new Set(keys.map(entryName));
        return byName(allEntries().filter((entry) => names.has(entryName(entry))));
      }),

    checkpoint: () => TE.fromIO(() => position),

    apply: (changes, checkpoint) =>
      TE.fromIO(() => {
        changes.forEach(applyOne);
        for (const [name, done] of rememberedIn(changes)) {
          requests.set(name, laterRequest(requests.get(name) ?? done, done));
        }
        if (position === undefined || checkpoint > position) position = checkpoint;
      }),

    findPriceBook: (id) => TE.fromIO(() => viewsOf(id)[0]),

    findDeletedPriceBook: (id) =>
      TE.fromIO(() => {
        const document = books.get(id);
        return document && deletedViewOf(document);
      }),

    listPriceBooks: (limit, from, { by, isDescending } = OLDEST_FIRST) =>
      TE.fromIO(() => {
        const way = isDescending ? -1 : 1;
        const places = placesBy(by)
          .filter((place) => from === undefined || way * compareBooks(place, from) >= 0)
          .sort((a, b) => way * compareBooks(a, b));
        const items = places.slice(0, limit).flatMap(({ priceBookId }) => viewsOf(priceBookId));
        return { items, next: places[limit] };
      }),

    countPriceBooks: () => TE.fromIO(() => placesBy('name').length),

    findByKey: (key) =>
      TE.fromIO(
        () =>
          [...books.values()]
            .filter((book) => keyOf(book) === key)
            .map(({ priceBookId }) => priceBookId)
            .sort(byCodePoints)[0],
      ),

    listHoldings: (id, limit, from) =>
      TE.fromIO(() => {
        const { items, next } = partOf(productsOf(id), limit, from);
        const documentOf = (productId: ProductId) => {
          const { revision = -1, cells = {} } = holdings.get(nameOf(id, productId))?.document ?? {};
          return { productId, revision, cells };
        };
        return { items: items.map(documentOf), next };
      }),

    listProducts: (id, _currency, limit, from) => TE.fromIO(() => partOf(productsOf(id), limit, from)),

    listBooksOfProduct: (productId, limit, from) =>
      TE.fromIO(() => {
        const ids = [...holdings.keys()].map(idsIn).filter(([id, holder]) => {
          const cells = holdings.get(nameOf(id, holder))?.document.cells ?? {};
          return holder === productId && Object.keys(cells).length > 0;
        });
        return partOf(
          ids.map(([id]) => id),
          limit,
          from,
        );
      }),

    findProduct: (ids, productId) =>
      TE.fromIO(() => ids.map((id) => holdings.get(nameOf(id, productId))?.document.cells)),

    findAllProducts: (id) =>
      TE.fromIO(() => {
        const view = viewsOf(id)[0];
        const held = holdings.get(nameOf(id, ALL_PRODUCTS));
        return view && { revision: view.revision, cells: held?.document.cells ?? {} };
      }),

    findDerivedPriceBooks: (id, limit) =>
      TE.fromIO(() =>
        [...books.keys()]
          .flatMap(viewsOf)
          .filter(({ basePriceBookIds }) => basePriceBookIds[0] === id)
          .slice(0, limit)
          .map(({ priceBookId }) => priceBookId),
      ),

    findHoldings: (id, productId, currency, at) => TE.fromIO(() => chainOf(id, { productId, currency, at })),

    findManyHoldings: (id, questions) => TE.fromIO(() => questions.map((question) => chainOf(id, question))),

    findCells: (id, keys) =>
      TE.fromIO(() => keys.map(({ holder, currency }) => cellOf(id, holder, currency))),

    listBoundaries: (id, limit, from, until) =>
      TE.fromIO(() => {
        const found = [...holdings.keys()]
          .filter((key) => idsIn(key)[0] === id)
          .flatMap(boundariesOfHolder)
          .filter((place) => compareBoundaries(place, from) >= 0 && (until === undefined || place.at < until))
          .sort(compareBoundaries);
        const placeOf = ({ at, holder, currency }: BoundaryKey) => ({ at, holder, currency });
        const next = found[limit];
        return {
          items: found.slice(0, limit).map((boundary) => {
            const { holder, currency } = boundary;
            return { ...placeOf(boundary), cell: cellOf(id, holder, currency) ?? {} };
          }),
          next: next && placeOf(next),
        };
      }),

    findHoldingsHistory: (id, productId, currency, after, limit) =>
      TE.fromIO((): ChainHistory | undefined => {
        const historyOf = (priceBookId: PriceBookId): BookHistory => {
          const { created, lifecycle } = books.get(priceBookId) ?? {};
          return {
            priceBookId,
            created,
            lifecycle,
            product: seriesOf(priceBookId, productId, currency, after, limit),
            allProducts: seriesOf(priceBookId, ALL_PRODUCTS, currency, after, limit),
          };
        };
        const created = books.get(id)?.created;
        return created === undefined
          ? undefined
          : [historyOf(id), ...created.basePriceBookIds.map(historyOf)];
      }),

    findRemembered: (name) => TE.fromIO(() => requests.get(name)),
  };
};
