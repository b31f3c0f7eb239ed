/** What becomes of single entries with the next events of their book, by the functions that every read model uses. */
import type { Cell, Currency } from '@pricebook/domain';
import { entryName, type EntriesByName, type EntryKey, type KnownEntry } from '../ports/read-model-entries';
import { ALL_PRODUCTS, boundariesIn, type ReadModelChange } from '../projection/changes';
import {
  cellAfterChange,
  EVERY_CURRENCY,
  type HoldingsDocument,
  placeChange,
  placeNext,
} from '../projection/holdings-document';
import { foldPriceBook } from '../projection/price-book-document';

/** An entry on its way through the events. */
export interface EntryState {
  readonly entry: KnownEntry | undefined;
  /** What a row goes back to: what its holder has in its currency. */
  readonly cell?: Cell | undefined;
}

/** What has to be known to follow an entry. */
export const keysToFollow = (key: EntryKey): readonly EntryKey[] => {
  const book = { _tag: 'PriceBook', priceBookId: key.priceBookId } as const;
  if (key._tag !== 'Row' || key.holder === ALL_PRODUCTS || key.currency === EVERY_CURRENCY)
    return [book, key];
  return [book, key, { ...book, _tag: 'Cell', productId: key.holder, currency: key.currency }];
};

/** The state from which an entry is followed. */
export const stateOf = (key: EntryKey, found: EntriesByName): EntryState => {
  const [book, , held] = keysToFollow(key).map((one) => found.get(entryName(one)));
  const entry = found.get(entryName(key));
  if (key._tag === 'Row' && key.holder === ALL_PRODUCTS && book?._tag === 'PriceBook') {
    return { entry, cell: book.value.allProducts?.cells[key.currency as Currency] };
  }
  return { entry, cell: held?._tag === 'Cell' ? held.value : undefined };
};

const nothingKept = { has: () => false, all: () => [] };

const cellsOf = (currency: string, cell: Cell | undefined): HoldingsDocument['cells'] =>
  cell === undefined || currency === EVERY_CURRENCY ? {} : { [currency]: cell };

/** An entry after the next change of its book. */
export const stateAfter = (key: EntryKey, state: EntryState, change: ReadModelChange): EntryState => {
  const { entry } = state;
  switch (key._tag) {
    case 'PriceBook': {
      const book = entry?._tag === 'PriceBook' ? entry.value : undefined;
      if (change._tag === 'PriceBookChange') return { entry: { ...key, value: foldPriceBook(book, change) } };
      if (change.holder !== ALL_PRODUCTS || book === undefined) return state;
      const allProducts = placeChange(book.allProducts, nothingKept, change)?.document;
      return allProducts === undefined ? state : { entry: { ...key, value: { ...book, allProducts } } };
    }
    case 'Derived': {
      const isIt = change._tag === 'PriceBookChange' && change.basePriceBookIds?.[0] === key.basePriceBookId;
      return isIt ? { entry: { ...key, value: true } } : state;
    }
    case 'Cell': {
      if (change._tag !== 'HoldingsChange' || change.holder !== key.productId) return state;
      const before = entry?._tag === 'Cell' ? entry.value : undefined;
      const value = cellAfterChange(before, key.currency, change);
      return value === undefined ? state : { entry: { ...key, value, revision: change.stamp.revision } };
    }
    case 'Boundary': {
      if (change._tag !== 'HoldingsChange' || change.holder !== key.holder) return state;
      const isIt = boundariesIn(change).some(
        ({ currency, at }) => currency === key.currency && at === key.at,
      );
      return isIt ? { entry: { ...key, value: { revision: change.stamp.revision } } } : state;
    }
    case 'Row': {
      if (change._tag !== 'HoldingsChange' || change.holder !== key.holder) return state;
      const placed = placeNext(cellsOf(key.currency, state.cell), change);
      const row = placed?.rows.find(
        ({ currency, stamp }) => currency === key.currency && stamp.revision === key.revision,
      );
      return {
        entry: row === undefined ? entry : { ...key, value: row },
        cell: placed?.document.cells[key.currency as Currency],
      };
    }
  }
};
