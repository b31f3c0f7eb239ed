/** When keys were last used: a document a key, beside the read models, which may come and go. */
import { type KeyUses, type LastUses, type StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { chunksOf, connect, isDuplicate, type Named, TOGETHER, toStoreError } from './server';

interface KeyUseDocument extends Named {
  readonly minute: string;
}

export interface MongoKeyUses extends KeyUses {
  readonly close: () => Promise<void>;
}

/**
 * Connects.
 *
 * @param url `mongodb://...`; the database is the one in its path, or `pricebook`.
 * @throws MongoError where the server does not answer.
 */
export const openMongoKeyUses = async (url: string): Promise<MongoKeyUses> => {
  const server = await connect(url);
  const { database, command, query, close } = server;
  const uses = database.collection<KeyUseDocument>('key-uses');

  const write = async (chunk: readonly (readonly [string, string])[]): Promise<void> => {
    const operations = chunk.map(([_id, minute]) => ({
      // Whoever comes later with an earlier time, such as another instance, changes nothing.
      updateOne: { filter: { _id }, update: { $max: { minute } }, upsert: true },
    }));
    const send = () => command(() => uses.bulkWrite(operations, { ordered: false }));
    await send().catch((failure: unknown) => {
      // Another instance has made the document of a key in the same instant.
      if (isDuplicate(failure)) return send();
      throw failure;
    });
  };

  return {
    record: (latest) => async (): Promise<E.Either<StoreError, void>> => {
      try {
        for (const chunk of chunksOf([...latest], TOGETHER)) await write(chunk);
        return E.right(undefined);
      } catch (failure) {
        return E.left(toStoreError(failure));
      }
    },
    readAll: query(async (): Promise<LastUses> => {
      const found = await uses.find().toArray();
      return new Map(found.map(({ _id, minute }) => [_id, minute]));
    }),
    close,
  };
};
