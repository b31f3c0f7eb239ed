/** The projector as a process of its own, beside services whose PRICEBOOK_PROJECTOR is off. */
import { checkReadiness, createWaitingTime } from '@pricebook/application';
import { createHttpServer, createOperationsApp } from '@pricebook/http';
import { drain, listen } from './listen';
import { runProjector } from './read-side';
import { createClosers, openEventStore, openReadModel, orThrow, type StoreOptions } from './stores';
import { systemClock } from './system';
import type { RunningService } from './serve';

/** Starts to project; it tells of its health, and of how far it is behind, over HTTP. */
export const project = async (options: StoreOptions): Promise<RunningService> => {
  const { eventStoreDbUrl, mongoDbUrl } = options.configuration;
  if (eventStoreDbUrl === undefined || mongoDbUrl === undefined) {
    throw new Error(
      'pricebook project needs EVENTSTOREDB_URL and MONGODB_URL: an embedded store is projected by the process that ' +
        'serves it',
    );
  }
  const closers = createClosers();
  try {
    const events = await openEventStore(options, closers);
    const { eventStore } = events;
    const start = orThrow(await eventStore.head()());
    const readModel = await openReadModel(events, options, closers);
    const projector = runProjector(eventStore, readModel, options.logger);
    closers.add(projector.close);
    const waitingTime = createWaitingTime(start);
    const server = createHttpServer(
      createOperationsApp(
        () =>
          checkReadiness({
            eventStore,
            readModel,
            projector,
            start,
            clock: systemClock,
            waitingTime,
          }),
        options.logger,
      ),
      options.logger,
    );
    const address = await listen(server, options.configuration);
    closers.add(() => drain(server));
    return { address, stop: closers.closeAll };
  } catch (failure) {
    await closers.closeAll();
    throw failure;
  }
};
