/** Opens the stores that the configuration names: each embedded, or on a server. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type EventStore,
  type KeptReadModel,
  type KeyUses,
  type LiveReadModel,
  type Position,
  type ReadModelStore,
  STREAM_PREFIXES,
  type WebhookProgressStore,
} from '@pricebook/application';
import {
  embeddedReadModels,
  lockFolder,
  openEmbeddedEventStore,
  openEmbeddedKeyUses,
  openEmbeddedReadModelToRead,
  openEmbeddedWebhookProgress,
} from '@pricebook/embedded';
import * as E from 'fp-ts/Either';
import type { Logger } from 'pino';
import type { Configuration } from './configuration';
import { inDataFolder } from './data-folder';

/** The clients of servers are loaded where one is used: together they take as long to load as all the rest. */
const eventStoreDb = () => import('@pricebook/eventstoredb');
const mongoDb = () => import('@pricebook/mongodb');

/** How often it is tried whether a server is there. */
const RETRY_MS = 500;
/** How often it is said that it is not. */
const REPORT_MS = 5_000;

export interface StoreOptions {
  readonly configuration: Configuration;
  readonly logger: Logger;
  /** Aborted where the process is to stop before the stores are there. */
  readonly signal: AbortSignal;
}

/** Closes what was opened, the last first. */
export interface Closers {
  readonly add: (close: () => Promise<void> | void) => void;
  readonly closeAll: () => Promise<void>;
}

export const createClosers = (): Closers => {
  const closers: (() => Promise<void> | void)[] = [];
  return {
    add: (close) => {
      closers.push(close);
    },
    closeAll: async () => {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
};

/** The value, or an error that ends the start. */
export const orThrow = <A>(result: E.Either<{ readonly _tag: string }, A>): A => {
  if (E.isRight(result)) return result.right;
  const { _tag, ...details } = result.left;
  throw new Error(`${_tag}: ${JSON.stringify(details)}`);
};

/** Waits for a server that is not there yet: services start in any order. */
const whenThere = async <A>(
  server: string,
  attempt: () => Promise<E.Either<string, A>>,
  { logger, signal }: Pick<StoreOptions, 'logger' | 'signal'>,
): Promise<A> => {
  let reportedAt = -Infinity;
  for (;;) {
    const outcome = await attempt();
    if (E.isRight(outcome)) return outcome.right;
    if (signal.aborted) throw new Error(`${server} is not there: ${outcome.left}`);
    if (performance.now() - reportedAt >= REPORT_MS) {
      logger.warn({ reason: outcome.left }, `waiting for ${server}`);
      reportedAt = performance.now();
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
};

export interface OpenEventStore {
  readonly eventStore: EventStore;
  /** Tells the events from those of any other store; undefined while there are none. */
  readonly sourceId: () => Promise<string | undefined>;
  /** As far as a read model of these events can have come. */
  readonly end: () => Promise<Position | undefined>;
}

/** An embedded store holds the folder's lock until it is closed. */
const lockDataFolder = ({ configuration }: StoreOptions, closers: Closers): void => {
  const { dataFolder, eventStoreDbUrl, mongoDbUrl } = configuration;
  if (eventStoreDbUrl !== undefined && mongoDbUrl !== undefined) return;
  closers.add(inDataFolder(dataFolder, () => lockFolder(dataFolder)).release);
};

const openOnServer = async (
  url: string,
  options: Pick<StoreOptions, 'logger' | 'signal'>,
  closers: Closers,
): Promise<OpenEventStore> => {
  const { openEventStoreDb } = await eventStoreDb();
  const eventStore = openEventStoreDb(url, STREAM_PREFIXES);
  closers.add(eventStore.close);
  await whenThere(
    'EventStoreDB',
    async () => {
      const found = await eventStore.head()();
      return E.isLeft(found) ? E.left(found.left.reason) : found;
    },
    options,
  );
  return {
    eventStore,
    sourceId: eventStore.identity,
    end: eventStore.end,
  };
};

const openEmbedded = (
  mode: 'serve' | 'read' | 'append',
  { configuration: { dataFolder }, logger }: Pick<StoreOptions, 'configuration' | 'logger'>,
  closers: Closers,
): OpenEventStore => {
  const eventStore = openEmbeddedEventStore(dataFolder, mode, (message, level) => {
    logger[level](message);
  });
  closers.add(eventStore.close);
  return {
    eventStore,
    sourceId: () => Promise.resolve(eventStore.id),
    end: async () => orThrow(await eventStore.head()()),
  };
};

export const openEventStore = async (options: StoreOptions, closers: Closers): Promise<OpenEventStore> => {
  const { eventStoreDbUrl } = options.configuration;
  lockDataFolder(options, closers);
  return eventStoreDbUrl === undefined
    ? openEmbedded('serve', options, closers)
    : openOnServer(eventStoreDbUrl, options, closers);
};

/**
 * Opens the event store without a read model beside it. The folder of an embedded one is locked only to be
 * written as one's own: it can be read, and single events appended, while a service uses it.
 */
export const openEventStoreAlone = async (
  use: 'read' | 'append' | 'write',
  options: StoreOptions,
  closers: Closers,
): Promise<OpenEventStore> => {
  const { dataFolder, eventStoreDbUrl } = options.configuration;
  if (eventStoreDbUrl !== undefined) return openOnServer(eventStoreDbUrl, options, closers);
  if (use === 'read') return openEmbedded('read', options, closers);
  if (use === 'write') closers.add(inDataFolder(dataFolder, () => lockFolder(dataFolder)).release);
  return inDataFolder(dataFolder, () => openEmbedded(use === 'write' ? 'serve' : use, options, closers));
};

/** Opens something on MongoDB, again and again until that is there. */
const onMongoDb = async <A>(
  options: StoreOptions,
  closers: Closers,
  open: (mongo: Awaited<ReturnType<typeof mongoDb>>, attempt: Closers) => Promise<A>,
): Promise<A> => {
  const mongo = await mongoDb();
  return whenThere(
    'MongoDB',
    async () => {
      const attempt = createClosers();
      try {
        const opened = await open(mongo, attempt);
        closers.add(attempt.closeAll);
        return E.right(opened);
      } catch (failure) {
        await attempt.closeAll();
        const reason = failure instanceof Error ? failure.message : String(failure);
        if (failure instanceof mongo.ForeignReadModel || failure instanceof TypeError) throw failure;
        if (mongo.isHopeless(failure)) throw new Error(`MONGODB_URL: ${reason}`);
        return E.left(reason);
      }
    },
    options,
  );
};

/** When keys were last used stands where the read model does. */
export const openKeyUses = (options: StoreOptions, closers: Closers): Promise<KeyUses> => {
  const { dataFolder, mongoDbUrl } = options.configuration;
  if (mongoDbUrl === undefined) {
    return Promise.resolve(
      openEmbeddedKeyUses(dataFolder, (message) => {
        options.logger.warn(message);
      }),
    );
  }
  return onMongoDb(options, closers, async (mongo, attempt) => {
    const keyUses = await mongo.openMongoKeyUses(mongoDbUrl);
    attempt.add(keyUses.close);
    return keyUses;
  });
};

/** How far webhooks have come stands where the read model does. */
export const openWebhookProgress = (
  options: StoreOptions,
  closers: Closers,
): Promise<WebhookProgressStore> => {
  const { dataFolder, mongoDbUrl } = options.configuration;
  if (mongoDbUrl === undefined) {
    const progressStore = openEmbeddedWebhookProgress(dataFolder, (message) => {
      options.logger.warn(message);
    });
    closers.add(progressStore.close);
    return Promise.resolve(progressStore);
  }
  return onMongoDb(options, closers, async (mongo, attempt) => {
    const progressStore = await mongo.openMongoWebhookProgress(mongoDbUrl);
    attempt.add(progressStore.close);
    return progressStore;
  });
};

/** Runs something with the store of read models; on a server again and again until that is there. */
const withReadModels = async <A>(
  { sourceId, end }: OpenEventStore,
  options: StoreOptions,
  closers: Closers,
  use: (store: ReadModelStore) => Promise<A>,
): Promise<A> => {
  const { dataFolder, mongoDbUrl } = options.configuration;
  const id = await sourceId();
  if (mongoDbUrl === undefined) {
    // A read model of a store that was empty is rebuilt when it is first opened with events.
    return use(
      embeddedReadModels(dataFolder, { id: id ?? 'empty', end }, (message) => {
        options.logger.warn(message);
      }),
    );
  }
  return onMongoDb(options, closers, async (mongo, attempt) => {
    const store = await mongo.openMongoReadModels(mongoDbUrl, { id, end });
    attempt.add(store.close);
    return use(store);
  });
};

/** Opens the live read model, to answer from it and to project into it. The process stays with it until it ends. */
export const openReadModel = async (
  events: OpenEventStore,
  options: StoreOptions,
  closers: Closers,
): Promise<KeptReadModel> => {
  const readModel = await withReadModels(events, options, closers, (store) => store.openLive());
  closers.add(readModel.close);
  return readModel;
};

/** The store of read models, to rebuild one beside running services. */
export const openReadModels = (
  events: OpenEventStore,
  options: StoreOptions,
  closers: Closers,
): Promise<ReadModelStore> => withReadModels(events, options, closers, (store) => Promise.resolve(store));

/** The live read model, to look at it beside running services. */
export const openReadModelToRead = async (
  { sourceId, end }: OpenEventStore,
  options: StoreOptions,
  closers: Closers,
): Promise<LiveReadModel> => {
  const { dataFolder, mongoDbUrl } = options.configuration;
  const id = await sourceId();
  if (mongoDbUrl !== undefined) {
    return onMongoDb(options, closers, async (mongo, attempt) => {
      const live = await mongo.openMongoReadModelToRead(mongoDbUrl, { id, end });
      attempt.add(live.close);
      return live;
    });
  }
  const live = openEmbeddedReadModelToRead(dataFolder, id ?? 'empty');
  closers.add(live.close);
  const checkpoint = orThrow(await live.checkpoint()());
  const last = await end();
  if (checkpoint !== undefined && (last === undefined || checkpoint > last)) {
    throw new Error(
      'the read model is of more events than there are now; the service refuses to start on it',
    );
  }
  return live;
};
