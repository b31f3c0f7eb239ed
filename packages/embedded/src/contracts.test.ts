import { describeEventStore, describeReadModel } from '@pricebook/contract-tests';
import { openEmbeddedEventStore } from './event-store';
import { openEmbeddedReadModel } from './read-model';
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

describeReadModel('embedded', () => {
  const folder = newFolder();
  let readModel = openEmbeddedReadModel(folder, noReport);
  return Promise.resolve({
    readModel,
    restart: async () => {
      await readModel.close();
      readModel = openEmbeddedReadModel(folder, noReport);
      return readModel;
    },
    dispose: async () => {
      await readModel.close();
      removeFolder(folder);
    },
  });
});
