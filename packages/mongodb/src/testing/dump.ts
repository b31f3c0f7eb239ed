import { type Db, MongoClient } from 'mongodb';
import { checkpointOf, FIRST, LIVE, PARTS, readModelOf } from '../collections';
import type { CheckpointDocument } from '../documents';

const using = async <A>(url: string, use: (database: Db) => Promise<A>): Promise<A> => {
  const client = await MongoClient.connect(url);
  try {
    return await use(client.db());
  } finally {
    await client.close();
  }
};

/** All that the live read model keeps, by collection and name of the document; to be compared document by document. */
export const dumpReadModel = (
  url: string,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> =>
  using(url, async (database) => {
    const names = await database
      .collection<{ readonly _id: string; readonly live: string }>('read-models')
      .findOne({ _id: LIVE });
    const collections = PARTS.map(async (name) => {
      const documents = await database
        .collection<{ _id: string }>(`${name}-${names?.live ?? FIRST}`)
        .find()
        .toArray();
      return [name, Object.fromEntries(documents.map((document) => [document._id, document]))] as const;
    });
    return Object.fromEntries(await Promise.all(collections));
  });

/** The names of all read models of which there is a collection or a checkpoint. */
export const readModelsIn = (url: string): Promise<readonly string[]> =>
  using(url, async (database) => {
    const collections = await database.listCollections({}, { nameOnly: true }).toArray();
    const checkpoints = await database.collection<{ _id: string }>('checkpoints').find().toArray();
    const all = [...collections.map(({ name }) => name), ...checkpoints.map(({ _id }) => _id)];
    return [...new Set(all.map(readModelOf))].filter((name) => name !== undefined);
  });

/**
 * Changes what the checkpoint of a read model says, as other events would have left it.
 *
 * @returns what it said before.
 */
export const changeCheckpoint = (
  url: string,
  change: Readonly<Record<string, unknown>>,
  readModel = FIRST,
): Promise<Partial<CheckpointDocument>> =>
  using(url, async (database) => {
    const checkpoints = database.collection<CheckpointDocument>('checkpoints');
    const before = await checkpoints.findOne({ _id: checkpointOf(readModel) });
    if (Object.keys(change).length > 0) {
      await checkpoints.updateOne({ _id: checkpointOf(readModel) }, { $set: change });
    }
    return before ?? {};
  });
