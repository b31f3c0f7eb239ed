import {
  describeEventStore,
  describeKeyUses,
  describeReadModel,
  describeReadModelEntries,
  describeReadModelLists,
  describeWebhookProgress,
  describeReadModelProducts,
} from '@pricebook/contract-tests';
import { openEmbeddedEventStore } from './event-store';
import { openEmbeddedKeyUses } from './key-uses';
import { openEmbeddedReadModel } from './read-model';
import { openEmbeddedReadModelToRead } from './read-model-to-read';
import { openEmbeddedWebhookProgress } from './webhook-progress';
import { openScratchReadModel } from './scratch-read-model';
import { newFolder, noReport, removeFolder } from './testing/folder';

describeEventStore('embedded', () => {
  const folder = newFolder();
  let eventStore = openEmbeddedEventStore(folder);
  return Promise.resolve({
    eventStore,
    restart: async () => {
      await eventStore.close();
      eventStore = openEmbeddedEventStore(folder);
      return eventStore;
    },
    dispose: async () => {
      await eventStore.close();
      removeFolder(folder);
    },
  });
});

describeEventStore('embedded, beside the process that serves', () => {
  const folder = newFolder();
  const serving = openEmbeddedEventStore(folder);
  let eventStore = openEmbeddedEventStore(folder, 'append');
  return Promise.resolve({
    eventStore,
    restart: async () => {
      await eventStore.close();
      eventStore = openEmbeddedEventStore(folder, 'append');
      return eventStore;
    },
    dispose: async () => {
      await eventStore.close();
      await serving.close();
      removeFolder(folder);
    },
  });
});

describeWebhookProgress('embedded', () => {
  const folder = newFolder();
  let store = openEmbeddedWebhookProgress(folder, noReport);
  return Promise.resolve({
    store,
    restart: () => {
      store.close();
      store = openEmbeddedWebhookProgress(folder, noReport);
      return Promise.resolve(store);
    },
    dispose: () => {
      store.close();
      removeFolder(folder);
      return Promise.resolve();
    },
  });
});

describeKeyUses('embedded', () => {
  const folder = newFolder();
  return Promise.resolve({
    keyUses: openEmbeddedKeyUses(folder, noReport),
    restart: () => Promise.resolve(openEmbeddedKeyUses(folder, noReport)),
    dispose: () => {
      removeFolder(folder);
      return Promise.resolve();
    },
  });
});

/** The suite makes up its positions: no read model of it is ahead. */
const SOURCE = { id: 'events', head: 1n << 200n };

const createReadModel = async () => {
  const folder = newFolder();
  let readModel = await openEmbeddedReadModel(folder, SOURCE, noReport);
  return {
    readModel,
    restart: async () => {
      await readModel.close();
      readModel = await openEmbeddedReadModel(folder, SOURCE, noReport);
      return readModel;
    },
    dispose: async () => {
      await readModel.close();
      removeFolder(folder);
    },
  };
};
describeReadModel('embedded', createReadModel);
describeReadModelLists('embedded', createReadModel);
describeReadModelProducts('embedded', createReadModel);

describeReadModelEntries(
  'embedded',
  async () => {
    const folder = newFolder();
    const readModel = await openEmbeddedReadModel(folder, SOURCE, noReport);
    const live = openEmbeddedReadModelToRead(folder, SOURCE.id);
    return {
      readModel,
      live,
      dispose: async () => {
        await live.close();
        await readModel.close();
        removeFolder(folder);
      },
    };
  },
  {
    runs: 30,
    createScratch: () => {
      const scratch = openScratchReadModel();
      return { scratch, remove: scratch.remove };
    },
  },
);
