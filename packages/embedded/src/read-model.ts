import fs from 'node:fs';
import path from 'node:path';
import {
  createOneAtATime,
  deletedViewOf,
  existsAt,
  type KeptReadModel,
  OLDEST_FIRST,
  type Position,
  type StoreError,
  viewOf,
} from '@pricebook/application';
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { committed, Damage, toStoreError } from './damage';
import { openEnvironment, type Opened } from './environment';
import { liveFile, removeReadModel } from './live-file';
import { readModelState } from './read-model-state';
import { openTables, type Tables } from './read-model-tables';
import { createRoom } from './room';
import { createTurns } from './turns';
import { sync } from './whole-file';

/** Of what is kept; a read model of another version is rebuilt. */
export const VERSION = 6;

/** Up to so many changes are written at once; more go to lmdb's own thread, which takes longer, while this one goes on. */
const AT_ONCE = 10;

/** What a change takes on disk, pages that it has written anew included: more than it ever does on the average. */
const BYTES_A_CHANGE = 16 * 1024;

/** What a read model is made of. */
export interface EventSource {
  readonly id: string;
  readonly head: Position | undefined;
}

export type EmbeddedReadModel = KeptReadModel;

/** Opens a file, or one that takes its place: a damaged one is kept aside, and rebuilt from the events. */
const openOrReplace = (file: string, report: (message: string) => void): Opened<Tables> => {
  const open = () => openEnvironment({ file, readOnly: false }, openTables);
  try {
    return open();
  } catch (failure) {
    if (!(failure instanceof Damage)) throw failure;
    const aside = `${file}.damaged`;
    fs.renameSync(file, aside);
    removeReadModel(file);
    report(`${failure.message}; it is kept as ${aside} and rebuilt from the events`);
    return open();
  }
};

/** Where the events end before the read model, some are lost: to rebuild it would hide that. */
const refuseAhead = (file: string, checkpoint: Position | undefined, head: Position | undefined): void => {
  if (checkpoint === undefined || (head !== undefined && checkpoint <= head)) return;
  const end = head === undefined ? 'there are none' : `the last one is at position ${String(head)}`;
  throw new Error(
    `${file} has applied the events up to position ${String(checkpoint)}, but ${end}: events are lost. ` +
      `Restore a backup; or, to go on with the events that are there, delete ${file}`,
  );
};

/**
 * Opens a read model of a folder on LMDB, for the one process that holds the folder's lock or makes it.
 *
 * @param events the event store: its id, and the position of its last event. A read model of another store is rebuilt.
 * @param report told, in a sentence, where the read model has to be rebuilt and why.
 * @param name its file; by default the live one.
 * @throws Error where it is ahead of the events.
 */
export const openEmbeddedReadModel = async (
  folder: string,
  events: EventSource,
  report: (message: string) => void,
  name = liveFile(folder),
): Promise<EmbeddedReadModel> => {
  const file = path.join(folder, name);
  const state = readModelState(file, VERSION, events.id);
  if (!state.isIntact && fs.existsSync(file)) {
    report(
      `${file} is of another version or of other events, is not as it was closed, or was open when the machine went down; it is rebuilt`,
    );
    removeReadModel(file);
  }
  state.markOpening();
  const open = (readOnly: boolean): Opened<Tables> => openEnvironment({ file, readOnly }, openTables);
  const first = openOrReplace(file, report);
  state.markOpen();
  try {
    refuseAhead(file, first.held.checkpoint(), events.head);
  } catch (failure) {
    await first.close();
    throw failure;
  }
  let opened: Opened<Tables> | undefined = first;
  let reopening: Promise<void> | undefined;
  let isClosed = false;
  const room = createRoom(file);
  const inTurn = createTurns();
  // What lmdb's thread is still to write cannot be read yet: a change on top of it would be one on the state before.
  const oneAtATime = createOneAtATime();

  /** lmdb ends the process where it is used after it was closed. */
  const unavailable: E.Left<StoreError> = {
    _tag: 'Left',
    left: { _tag: 'StoreUnavailable', reason: `${file} is not open` },
  };

  const query =
    <A>(use: (tables: Tables) => A): TaskEither<StoreError, A> =>
    async () => {
      await reopening;
      return inTurn(() => {
        if (opened === undefined) return unavailable;
        try {
          return E.right(use(opened.held));
        } catch (failure) {
          return E.left(toStoreError(file, failure));
        }
      });
    };

  /**
   * After a commit that failed, as the file can be opened; where that is only to be read, the next write tries again. LMDB
   * refuses everything once it could not write a header, and lmdb then crashes or hangs on the next transaction.
   */
  const reopen = async (): Promise<void> => {
    const failed = opened;
    opened = undefined;
    await failed?.close();
    try {
      opened = open(false);
    } catch {
      opened = open(true);
    }
  };

  const again = (): Promise<void> => {
    reopening = reopen().catch(() => undefined);
    return reopening;
  };

  return {
    name,

    checkpoint: () => query((tables) => tables.checkpoint()),

    apply: (changes, checkpoint) => () =>
      oneAtATime(async (): Promise<E.Either<StoreError, void>> => {
        if (opened === undefined && !isClosed) await again();
        if (opened === undefined) return unavailable;
        const { environment, held: tables, commits } = opened;
        const ensured = await committed(
          file,
          room.ensure(environment, BYTES_A_CHANGE * (changes.length + 1)),
        );
        if (E.isLeft(ensured)) return ensured;
        const write = (): void => {
          tables.apply(changes);
          const before = tables.checkpoint();
          if (before === undefined || checkpoint > before) tables.saveCheckpoint(checkpoint);
        };
        const commit = async (): Promise<void> => {
          await commits.hold();
          try {
            await tables.commit(async () => {
              if (changes.length <= AT_ONCE) environment.transactionSync(write);
              else await environment.batch(write);
            });
          } finally {
            commits.release();
          }
        };
        const applied = await committed(file, commit());
        if (E.isLeft(applied) && applied.left._tag === 'StoreUnavailable') await again();
        return applied;
      }),

    findPriceBook: (id) =>
      query((tables) => {
        const document = tables.bookOf(id);
        return document === undefined ? undefined : viewOf(document);
      }),

    findDeletedPriceBook: (id) =>
      query((tables) => {
        const document = tables.bookOf(id);
        return document === undefined ? undefined : deletedViewOf(document);
      }),

    listPriceBooks: (limit, from, order = OLDEST_FIRST) =>
      query((tables) => {
        const { items, next } = tables.booksFrom(limit, from, order);
        return { items: items.map(viewOf).filter((view) => view !== undefined), next };
      }),

    countPriceBooks: () => query((tables) => tables.places.count()),

    findByKey: (key) => query((tables) => tables.places.findByKey(key)),

    findDerivedPriceBooks: (id, limit) =>
      query((tables) => {
        const found: PriceBookId[] = [];
        for (const derivedId of tables.derivedOf(id)) {
          const document = tables.bookOf(derivedId);
          if (document !== undefined && existsAt(document)) found.push(derivedId);
          if (found.length === limit) break;
        }
        return found;
      }),

    listHoldings: (id, limit, from) => query((tables) => tables.productsOf(id, limit, from)),

    listProducts: (id, _currency, limit, from) => query((tables) => tables.productIdsOf(id, limit, from)),

    listBooksOfProduct: (productId, limit, from) =>
      query((tables) => tables.productBooks.page(productId, limit, from)),

    findProduct: (ids, productId) => query((tables) => ids.map((id) => tables.cellsOfProduct(id, productId))),

    findAllProducts: (id) =>
      query((tables) => {
        const document = tables.bookOf(id);
        if (document === undefined || !existsAt(document)) return undefined;
        return { revision: document.revision, cells: document.allProducts?.cells ?? {} };
      }),

    findHoldings: (id, productId, currency, at) =>
      query((tables) => tables.chainOf(id, productId, currency, at)),

    findManyHoldings: (id, questions) => query((tables) => tables.chainsOf(id, questions)),

    findCells: (id, keys) => query((tables) => keys.map(tables.cellsIn(id))),

    listBoundaries: (id, limit, from, until) =>
      query((tables) => {
        const { items, next } = tables.boundaries.page(id, limit, from, until);
        const cellOf = tables.cellsIn(id);
        return { items: items.map((place) => ({ ...place, cell: cellOf(place) ?? {} })), next };
      }),

    findHoldingsHistory: (id, productId, currency, after, limit) =>
      query((tables) => tables.chainHistoryOf(id, productId, currency, after, limit)),

    findRemembered: (name) => query((tables) => tables.requests.find(name)),

    close: () =>
      oneAtATime(async () => {
        const last = opened;
        opened = undefined;
        isClosed = true;
        await last?.close();
        try {
          sync(file);
        } catch (failure) {
          report(`${file} could not be synced (${String(failure)}); it is rebuilt at the next start`);
          state.distrust();
          return;
        }
        state.markClosed();
      }),
  };
};
