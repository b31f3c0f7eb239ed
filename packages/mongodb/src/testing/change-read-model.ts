import { type Collection, MongoClient } from 'mongodb';
import { FIRST } from '../collections';

/** Documents of any shape. */
type Documents = Collection<{ _id: string; [field: string]: unknown }>;

/** Changes what the first read model of a database holds, as no event has. */
export const changeReadModel = async (
  url: string,
  change: (collections: { readonly current: Documents; readonly history: Documents }) => Promise<void>,
): Promise<void> => {
  const client = await MongoClient.connect(url);
  try {
    const database = client.db();
    await change({
      current: database.collection(`current-${FIRST}`),
      history: database.collection(`history-${FIRST}`),
    });
  } finally {
    await client.close();
  }
};
