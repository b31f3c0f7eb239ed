import * as E from 'fp-ts/Either';
import type { PriceBookId } from '../identifiers';
import type { AllProductsAdjustments } from '../adjustments/adjustments';
import { MAX_FLATTENED } from '../pricing/cloned';
import { MAX_DATED } from '../pricing/dated';
import type {
  BaseBook,
  ClonePriceBook,
  CreatePriceBook,
  Crowded,
  KeyRefusal,
  PriceBookCommand,
  ProductItem,
  RestorePriceBook,
  SetPrices,
} from './commands';
import type { PriceBookEvent } from './events';
import type { PriceBookState } from './state';

/** A chain is at most five books: design section 1. */
const MAX_CHAIN = 5;

/** Why a command is refused. */
export type DecisionError =
  | { readonly _tag: 'PriceBookExists' }
  | { readonly _tag: 'BasePriceBookNotFound'; readonly basePriceBookId: PriceBookId }
  | { readonly _tag: 'BaseChainTooLong'; readonly basePriceBookId: PriceBookId; readonly max: number }
  | KeyRefusal
  | (Crowded & { readonly _tag: 'TooManyDatedAdjustments'; readonly max: number })
  | { readonly _tag: 'PriceBookInUse'; readonly derivedPriceBookIds: readonly PriceBookId[] }
  | { readonly _tag: 'PriceBookNotDeleted' }
  | { readonly _tag: 'BasePriceBookDeleted'; readonly basePriceBookId: PriceBookId }
  /** The book is not as the command took it to be, any more: to be sent again. */
  | { readonly _tag: 'TooManyConflicts' };

type Decision = E.Either<DecisionError, readonly PriceBookEvent[]>;

const chainOn = (base: BaseBook | undefined): E.Either<DecisionError, readonly PriceBookId[]> => {
  if (base === undefined) return E.right([]);
  const basePriceBookId = base.priceBookId;
  if (base.state._tag !== 'Active') return E.left({ _tag: 'BasePriceBookNotFound', basePriceBookId });
  const basePriceBookIds = [basePriceBookId, ...base.basePriceBookIds];
  return basePriceBookIds.length >= MAX_CHAIN
    ? E.left({ _tag: 'BaseChainTooLong', basePriceBookId, max: MAX_CHAIN })
    : E.right(basePriceBookIds);
};

const create = ({ name, description, base, key, metadata, keyRefusal }: CreatePriceBook): Decision => {
  const chain = chainOn(base);
  if (E.isLeft(chain)) return chain;
  if (keyRefusal !== undefined) return E.left(keyRefusal);
  const data = {
    name,
    description,
    basePriceBookIds: chain.right,
    ...(key !== undefined && { key }),
    ...(metadata !== undefined && { metadata }),
  };
  return E.right([{ type: 'PriceBookCreated', data }]);
};

const clone = (
  { name, description, key, metadata, chain, flattensBase, crowded, keyRefusal }: ClonePriceBook,
  expectedRevisions: readonly number[] | undefined,
): Decision => {
  const [clonedFrom, ...bases] = chain;
  if (clonedFrom === undefined) return E.left({ _tag: 'PriceBookNotFound' });
  const { revision: actual } = clonedFrom;
  if (expectedRevisions?.includes(actual) === false) return E.left({ _tag: 'RevisionMismatch', actual });
  if (keyRefusal !== undefined) return E.left(keyRefusal);
  if (crowded !== undefined)
    return E.left({ _tag: 'TooManyDatedAdjustments', ...crowded, max: MAX_FLATTENED });
  const data = {
    name,
    description,
    basePriceBookIds: flattensBase ? [] : bases.map(({ priceBookId }) => priceBookId),
    clonedFrom,
    ...(key !== undefined && { key }),
    ...(metadata !== undefined && { metadata }),
    ...(flattensBase && { flattenedBases: bases }),
  };
  return E.right([{ type: 'PriceBookCloned', data }]);
};

const setPrices = (items: readonly ProductItem[]): readonly PriceBookEvent[] => {
  const telling = items.filter(({ adjustments }) => Object.keys(adjustments).length > 0);
  return telling.length === 0 ? [] : [{ type: 'ProductPricesSet', data: { items: telling } }];
};

const adjustAll = (adjustments: AllProductsAdjustments): readonly PriceBookEvent[] =>
  Object.keys(adjustments).length === 0 ? [] : [{ type: 'AllProductsAdjusted', data: { adjustments } }];

const pricesOf = (command: SetPrices): readonly PriceBookEvent[] => {
  switch (command._tag) {
    case 'SetProductPrices':
      return setPrices(command.items);
    case 'AdjustAllProducts':
      return adjustAll(command.adjustments);
    case 'SetPriceSheet':
      return [...setPrices(command.items), ...adjustAll(command.allProducts)];
  }
};

const restore = (
  state: Exclude<PriceBookState, { readonly _tag: 'Absent' }>,
  { deletion, base, key, keyRefusal }: RestorePriceBook,
): Decision => {
  if (state._tag === 'Active') return E.left({ _tag: 'PriceBookNotDeleted' });
  if (deletion !== state.revision) return E.left({ _tag: 'TooManyConflicts' });
  if (base !== undefined && base.state._tag !== 'Active') {
    return E.left({ _tag: 'BasePriceBookDeleted', basePriceBookId: base.priceBookId });
  }
  if (keyRefusal !== undefined) return E.left(keyRefusal);
  return E.right([{ type: 'PriceBookRestored', data: key === undefined ? {} : { key } }]);
};

const change = (
  command: Exclude<PriceBookCommand, CreatePriceBook | ClonePriceBook | RestorePriceBook>,
): Decision => {
  switch (command._tag) {
    case 'UpdatePriceBook': {
      const { name, description, key, metadata, keyRefusal } = command;
      if (keyRefusal !== undefined) return E.left(keyRefusal);
      const data = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(key !== undefined && { key }),
        ...(metadata !== undefined && { metadata }),
      };
      return E.right(Object.keys(data).length === 0 ? [] : [{ type: 'PriceBookUpdated', data }]);
    }
    case 'DeletePriceBook': {
      const { derivedPriceBookIds } = command;
      return derivedPriceBookIds.length > 0
        ? E.left({ _tag: 'PriceBookInUse', derivedPriceBookIds })
        : E.right([{ type: 'PriceBookDeleted', data: {} }]);
    }
    case 'SetProductPrices':
    case 'AdjustAllProducts':
    case 'SetPriceSheet':
      return command.crowded === undefined
        ? E.right(pricesOf(command))
        : E.left({ _tag: 'TooManyDatedAdjustments', ...command.crowded, max: MAX_DATED });
    case 'DeletePriceBookEntries': {
      const productIds = [...new Set(command.productIds)];
      return E.right(
        productIds.length === 0 ? [] : [{ type: 'PriceBookEntriesDeleted', data: { productIds } }],
      );
    }
  }
};

/**
 * The events that a command makes of a book; none where it changes nothing.
 *
 * @param expectedRevisions the revisions that the caller has seen and acts upon, of the source where a book is cloned;
 *   absent for any.
 * @returns the first of its errors in the order of design section 2: not found, bad base, revision, not deleted, key taken, in use or too many.
 */
export const decide = (
  state: PriceBookState,
  command: PriceBookCommand,
  expectedRevisions?: readonly number[],
): Decision => {
  if (command._tag === 'CreatePriceBook') {
    return state._tag === 'Absent' ? create(command) : E.left({ _tag: 'PriceBookExists' });
  }
  if (command._tag === 'ClonePriceBook') {
    return state._tag === 'Absent' ? clone(command, expectedRevisions) : E.left({ _tag: 'PriceBookExists' });
  }
  const isRestoration = command._tag === 'RestorePriceBook';
  if (state._tag === 'Absent' || (state._tag === 'Deleted' && !isRestoration)) {
    return E.left({ _tag: 'PriceBookNotFound' });
  }
  if (expectedRevisions !== undefined && !expectedRevisions.includes(state.revision)) {
    return E.left({ _tag: 'RevisionMismatch', actual: state.revision });
  }
  return isRestoration ? restore(state, command) : change(command);
};
