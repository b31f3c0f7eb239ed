/**
 * Writes a working set: history first, then what products hold, then books. A process that ends in between, or
 * another one that applies the same, leaves nothing that applying the batch again does not put right: rows of a
 * change are always the same, and a document is taken only where it is newer than the stored one. A change that was
 * put into the past moves no revision on: the row by which it is known to have been applied comes last of all.
 */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { MongoBulkWriteError, MongoError } from 'mongodb';
import type { Collections } from './collections';
import {
  bookName,
  type BookDocument,
  type BookState,
  type CellDocument,
  cellName,
  type CellState,
  type RowDocument,
  rowName,
  toRowDocument,
} from './documents';
import { chunksOf, isDuplicate, type Named, type Server, TOGETHER } from './server';
import type { Tracked, TrackedHolder, WorkingSet } from './working-set';

/** Adds documents; those that are there already are left out. */
const insertMissing = async <D extends Named>(
  { command }: Server,
  collection: Collection<D>,
  documents: readonly D[],
): Promise<void> => {
  for (const chunk of chunksOf(documents, TOGETHER)) {
    try {
      await command(() =>
        collection.insertMany(chunk as unknown as Parameters<typeof collection.insertMany>[0], {
          ordered: false,
        }),
      );
    } catch (failure) {
      if (!(failure instanceof MongoBulkWriteError) || !isDuplicate(failure)) throw failure;
      if ([failure.writeErrors].flat().some(({ code }) => code !== failure.code)) throw failure;
    }
  }
};

/** @returns how many documents the operations, carried out one after the other, have found or made. */
const bulk = async <D extends Named>(
  { command }: Server,
  collection: Collection<D>,
  operations: readonly unknown[],
): Promise<number> => {
  let found = 0;
  for (const chunk of chunksOf(operations, TOGETHER)) {
    const { matchedCount, upsertedCount } = await command(() =>
      collection.bulkWrite(chunk as readonly AnyBulkWriteOperation<D>[]),
    );
    found += matchedCount + upsertedCount;
  }
  return found;
};

/**
 * Writes a document that is newer than the stored one, or puts one that was rewritten into the place of what was
 * loaded. It finds none where the document is gone, or another process has changed one that was rewritten.
 */
const toOperation = (
  { _id, state, ...rest }: BookDocument | CellDocument,
  { loaded, isRewritten }: Tracked<BookState | CellState>,
): unknown => {
  if (loaded === undefined) {
    return { updateOne: { filter: { _id }, update: { $max: { state }, $setOnInsert: rest }, upsert: true } };
  }
  return isRewritten
    ? { updateOne: { filter: { _id, 'state.revision': loaded.revision }, update: { $set: { state } } } }
    : { updateOne: { filter: { _id }, update: { $max: { state } } } };
};

const hasChanged = ({ loaded, state }: Tracked<unknown>): boolean => state !== loaded;

const cellOperations = ({ book, holder, cells }: TrackedHolder): readonly unknown[] =>
  [...cells].flatMap(([currency, tracked]) => {
    const { state } = tracked;
    if (state === undefined || !hasChanged(tracked)) return [];
    return [toOperation({ _id: cellName(book, holder, currency), book, holder, currency, state }, tracked)];
  });

const rowDocuments = ({ book, holder, rows }: TrackedHolder): readonly RowDocument[] =>
  rows.map((row) => toRowDocument(book, holder, row));

const putRows = async (
  server: Server,
  history: Collection<RowDocument>,
  documents: readonly RowDocument[],
): Promise<void> => {
  await bulk(
    server,
    history,
    documents.map((replacement) => ({
      replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
    })),
  );
};

/** The rows of a holder whose past has changed: all but the proofs anew, then away with those that are none any more. */
const replaceRows = async (
  server: Server,
  history: Collection<RowDocument>,
  tracked: TrackedHolder,
): Promise<void> => {
  const { book, holder, storedRows, proofs } = tracked;
  const documents = rowDocuments(tracked);
  await putRows(
    server,
    history,
    documents.filter(({ _id }) => !proofs.has(_id)),
  );
  const names = new Set(documents.map(({ _id }) => _id));
  const gone = storedRows.map((row) => rowName(book, holder, row)).filter((name) => !names.has(name));
  for (const chunk of chunksOf(gone, TOGETHER)) {
    await server.command(() => history.deleteMany({ _id: { $in: [...chunk] } }));
  }
};

export const writeBatch = async (
  server: Server,
  { current, history }: Collections,
  set: WorkingSet,
): Promise<void> => {
  const holders = [...set.holders.values()];
  await insertMissing(
    server,
    history,
    holders.filter(({ replacesRows }) => !replacesRows).flatMap(rowDocuments),
  );
  const rewritten = holders.filter(({ replacesRows }) => replacesRows);
  for (const holder of rewritten) await replaceRows(server, history, holder);
  const books = [...set.books].flatMap(([id, tracked]) => {
    const { state } = tracked;
    return state === undefined || !hasChanged(tracked)
      ? []
      : [toOperation({ _id: bookName(id), state }, tracked)];
  });
  const operations = [...holders.flatMap(cellOperations), ...books];
  if ((await bulk(server, current, operations)) < operations.length) {
    throw new MongoError('another process has changed what was to be written');
  }
  await putRows(
    server,
    history,
    rewritten.flatMap((holder) => rowDocuments(holder).filter(({ _id }) => holder.proofs.has(_id))),
  );
};
