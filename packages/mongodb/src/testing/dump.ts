import { MongoClient } from 'mongodb';

/** All that a read model keeps, by collection and name of the document; to be compared document by document. */
export const dumpReadModel = async (
  url: string,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> => {
  const client = await MongoClient.connect(url);
  try {
    const collections = ['current', 'history'].map(async (name) => {
      const documents = await client.db().collection<{ _id: string }>(name).find().toArray();
      return [name, Object.fromEntries(documents.map((document) => [document._id, document]))] as const;
    });
    return Object.fromEntries(await Promise.all(collections));
  } finally {
    await client.close();
  }
};
