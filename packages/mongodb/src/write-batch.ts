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
  type CellDocument,
  cellName,
  type RowDocument,
  rowName,
  toRowDocument,
} from './documents';
import { chunksOf, isDuplicate, type Named, type Server, TOGETHER } from './server';
import type { Tracked, TrackedHolder, WorkingSet } from './working-set';

/** Adds documents, those left out that are there already; answers with the names of these. */
const insertMissing = async <D extends Named>(
  { command }: Server,
  collection: Collection<D>,
  documents: readonly D[],
): Promise<ReadonlySet<string>> => {
  const there = new Set<string>();
  for (const chunk of chunksOf(documents, TOGETHER)) {
    try {
      await command(() =>
        collection.insertMany(chunk as unknown as Parameters<typeof collection.insertMany>[0], {
          ordered: false,
        }),
      );
    } catch (failure) {
      if (!(failure instanceof MongoBulkWriteError) || !isDuplicate(failure)) throw failure;
      for (const { code, index } of [failure.writeErrors].flat()) {
        const name = chunk[index]?._id;
        if (code !== failure.code || name === undefined) throw failure;
        there.add(name);
      }
    }
  }
  return there;
};

const bulk = async <D extends Named>(
  { command }: Server,
  collection: Collection<D>,
  operations: readonly unknown[],
): Promise<number> => {
  let matched = 0;
  for (const chunk of chunksOf(operations, TOGETHER)) {
    const result = await command(() =>
      collection.bulkWrite(chunk as readonly AnyBulkWriteOperation<D>[], { ordered: false }),
    );
    matched += result.matchedCount;
  }
  return matched;
};

interface Write<D extends Named & { readonly state: { readonly revision: number } }> {
  readonly document: D;
  readonly tracked: Tracked<D['state']>;
}

/** What a document was thought to be is not what it is: then the batch has to be applied anew. */
const changedMeanwhile = (): MongoError =>
  new MongoError('another process has changed what was to be written');

/**
 * Writes documents that are newer than stored ones in order, and puts those that were rewritten into the place of
 * what was loaded.
 *
 * @throws MongoError where a document is gone, or another process has changed one that was rewritten.
 */
const writeStates = async <D extends Named & { readonly state: { readonly revision: number } }>(
  server: Server,
  collection: Collection<D>,
  writes: readonly Write<D>[],
): Promise<void> => {
  const rewritten = writes.filter(({ tracked }) => tracked.isRewritten && tracked.loaded !== undefined);
  const newer = writes.filter(({ tracked }) => !tracked.isRewritten || tracked.loaded === undefined);
  const absent = newer.filter(({ tracked }) => tracked.loaded === undefined);
  const there = await insertMissing(
    server,
    collection,
    absent.map(({ document }) => document),
  );
  const updates = newer.filter(
    ({ tracked, document }) => tracked.loaded !== undefined || there.has(document._id),
  );
  const updated = await bulk(
    server,
    collection,
    updates.map(({ document: { _id, state } }) => ({
      updateOne: { filter: { _id }, update: { $max: { state } } },
    })),
  );
  if (updated < updates.length) throw changedMeanwhile();
  const replaced = await bulk(
    server,
    collection,
    rewritten.map(({ document: { _id, state }, tracked }) => ({
      updateOne: { filter: { _id, 'state.revision': tracked.loaded?.revision }, update: { $set: { state } } },
    })),
  );
  if (replaced < rewritten.length) throw changedMeanwhile();
};

const hasChanged = ({ loaded, state }: Tracked<unknown>): boolean => state !== loaded;

const cellWrites = ({ book, holder, cells }: TrackedHolder): readonly Write<CellDocument>[] =>
  [...cells].flatMap(([currency, tracked]) => {
    const { state } = tracked;
    if (state === undefined || !hasChanged(tracked)) return [];
    return [{ document: { _id: cellName(book, holder, currency), book, holder, currency, state }, tracked }];
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
  const cells = holders.flatMap(cellWrites);
  await writeStates(server, current as unknown as Collection<CellDocument>, cells);
  const books = [...set.books].flatMap(([id, tracked]): readonly Write<BookDocument>[] => {
    const { state } = tracked;
    return state === undefined || !hasChanged(tracked)
      ? []
      : [{ document: { _id: bookName(id), state }, tracked }];
  });
  await writeStates(server, current as unknown as Collection<BookDocument>, books);
  await putRows(
    server,
    history,
    rewritten.flatMap((holder) => rowDocuments(holder).filter(({ _id }) => holder.proofs.has(_id))),
  );
};
