import fs from 'node:fs';
import path from 'node:path';
import {
  createOneAtATime,
  existsAt,
  type KeptReadModel,
  type Position,
  type StoreError,
  viewOf,
} from '@pricebook/application';
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { RootDatabase } from 'lmdb';
import type { CommitLock } from './commit-lock';
import { committed, Damage } from './damage';
import { openEnvironment, type Opened } from './environment';
import { liveFile, removeReadModel } from './live-file';
import { readModelState } from './read-model-state';
import { openTables, type Tables } from './read-model-tables';
import { createReopening } from './reopening';
import { createRoom } from './room';
import { createTurns } from './turns';
import { sync } from './whole-file';

/** Of what is kept; a read model of another version is rebuilt. */
export const VERSION = 3;

/** Up to so many changes are written at once; more go to lmdb's own thread, which takes longer, while this one goes on. */
const AT_ONCE = 10;

/** What a change takes on disk, pages that it has written anew included: more than it ever does on the average. */
const BYTES_A_CHANGE = 12 * 1024;

/** What a read model is made of. */
export interface EventSource {
  readonly id: string;
  readonly head: Position | undefined;
}

export type EmbeddedReadModel = KeptReadModel;

/** The read model was made of events that the event store no longer has. */
export class ReadModelAhead extends Error {
  override readonly name = 'ReadModelAhead';
}

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
  throw new ReadModelAhead(
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
 * @throws ReadModelAhead where it has come further than the events.
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
  const kept = createReopening(file, first);
  const room = createRoom(file);
  const inTurn = createTurns();
  // What lmdb's thread is still to write cannot be read yet: a change on top of it would be one on the state before.
  const oneAtATime = createOneAtATime();

  const query =
    <A>(
      use: (tables: Tables, environment: RootDatabase, commits: CommitLock) => A,
    ): TaskEither<StoreError, A> =>
    () =>
      inTurn(() => kept.use(use));

  /** After a failure: as it can be opened. Where that is only to be read, the next write tries again. */
  const reopen = (): Promise<void> =>
    kept
      .reopen(() => open(false))
      .catch(() => kept.reopen(() => open(true)))
      .catch(() => undefined);

  return {
    name,

    checkpoint: () => query((tables) => tables.checkpoint()),

    apply: (changes, checkpoint) => () =>
      oneAtATime(async (): Promise<E.Either<StoreError, void>> => {
        const write = (tables: Tables): void => {
          tables.apply(changes);
          const before = tables.checkpoint();
          if (before === undefined || checkpoint > before) tables.saveCheckpoint(checkpoint);
        };
        const commit = async (): Promise<E.Either<StoreError, void>> => {
          const bytes = BYTES_A_CHANGE * (changes.length + 1);
          const ensuring = await query((_, environment) => room.ensure(environment, bytes))();
          if (E.isLeft(ensuring)) return ensuring;
          const ensured = await committed(file, ensuring.right);
          if (E.isLeft(ensured)) return ensured;
          const holding = await query((_, __, commits) => commits.hold())();
          if (E.isLeft(holding)) return holding;
          const release = await committed(file, holding.right);
          if (E.isLeft(release)) return release;
          try {
            return await add();
          } finally {
            release.right();
          }
        };
        const add = async (): Promise<E.Either<StoreError, void>> => {
          if (changes.length <= AT_ONCE) {
            return query((tables, environment) => {
              environment.transactionSync(() => {
                write(tables);
              });
            })();
          }
          const started = await query((tables, environment) =>
            environment.batch(() => {
              write(tables);
            }),
          )();
          if (E.isLeft(started)) return started;
          return committed(
            file,
            started.right.then(() => undefined),
          );
        };
        const applied = await commit();
        if (E.isLeft(applied) && applied.left._tag === 'StoreUnavailable') await reopen();
        return applied;
      }),

    findPriceBook: (id) =>
      query((tables) => {
        const document = tables.bookOf(id);
        return document === undefined ? undefined : viewOf(document);
      }),

    listPriceBooks: (limit, from) =>
      query((tables) => {
        const { items, next } = tables.booksFrom(limit, from);
        return { items: items.map(viewOf).filter((view) => view !== undefined), next };
      }),

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

    findAllProducts: (id) =>
      query((tables) => {
        const document = tables.bookOf(id);
        if (document === undefined || !existsAt(document)) return undefined;
        return { revision: document.revision, cells: document.allProducts?.cells ?? {} };
      }),

    findHoldings: (id, productId, currency, at) =>
      query((tables) => tables.chainOf(id, productId, currency, at)),

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

    close: async () => {
      await kept.close();
      try {
        sync(file);
      } catch (failure) {
        report(`${file} could not be synced (${String(failure)}); it is rebuilt at the next start`);
        state.distrust();
        return;
      }
      state.markClosed();
    },
  };
};
