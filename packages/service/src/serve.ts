/** Puts the service together and runs it. */
import {
  checkReadiness,
  type Clock,
  createPriceBooks,
  createWaitingTime,
  followReadSide,
} from '@pricebook/application';
import { createHttpApp, createHttpServer, type HttpAppParts } from '@pricebook/http';
import { openKeys } from './keys/open-keys';
import { drain, listen } from './listen';
import { openSelectionRules } from './selection/open-selection-rules';
import { catchUp, runProjector } from './read-side';
import {
  createClosers,
  openEventStore,
  openKeyUses,
  openReadModel,
  openWebhookProgress,
  orThrow,
  type StoreOptions,
} from './stores';
import { systemClock, systemIds } from './system';
import { openWebhooks } from './webhooks/open-webhooks';

export interface RunningService {
  /** Where it listens, such as http://127.0.0.1:3000. */
  readonly address: string;
  /** The key that was issued because there was none: this is the only time that it can be shown. */
  readonly firstKey?: string | undefined;
  /** Finishes what was accepted, then closes the stores. */
  readonly stop: () => Promise<void>;
}

/** Where the signal is aborted before the service has started, it does not wait to catch up. */
export interface ServeOptions extends StoreOptions {
  /** Those of production where absent. */
  readonly followerLimits?: HttpAppParts['followerLimits'];
  /** That of the machine where absent. */
  readonly clock?: Clock;
}

/** Starts the service; when the promise settles it answers requests. */
export const serve = async (options: ServeOptions): Promise<RunningService> => {
  const { configuration, logger, clock = systemClock } = options;
  const stopping = new AbortController();
  const closers = createClosers();
  const stop = (): Promise<void> => {
    stopping.abort();
    return closers.closeAll();
  };
  try {
    const events = await openEventStore(options, closers);
    const { eventStore } = events;
    const keyUses = await openKeyUses(options, closers);
    const keys = await openKeys(eventStore, keyUses, { configuration, logger, clock }, closers);
    const head = orThrow(await eventStore.head()());
    const isProjecting = configuration.projector === 'inline';
    const readModel = await openReadModel(events, options, closers);
    const projector = isProjecting ? runProjector(eventStore, readModel, logger) : undefined;
    if (projector !== undefined) {
      closers.add(projector.close);
      await catchUp(projector, head, options);
    }
    const readSide = projector ?? followReadSide(readModel);
    const waitingTime = createWaitingTime(head);
    const priceBooks = createPriceBooks({ eventStore, readModel, readSide, clock, ids: systemIds });
    const selectionRules = await openSelectionRules({ eventStore, priceBooks, clock, logger }, closers);
    const progressStore = await openWebhookProgress(options, closers);
    const { webhooks, figures } = openWebhooks(
      { eventStore, priceBooks, progressStore, configuration, clock, logger },
      closers,
    );
    const server = createHttpServer(
      createHttpApp({
        priceBooks,
        apiKeys: keys.apiKeys,
        selectionRules,
        webhooks,
        webhookFigures: figures,
        keyring: keys.keyring,
        readiness: () =>
          checkReadiness({
            eventStore,
            readModel,
            projector,
            start: head,
            clock,
            keys: keys.status,
            waitingTime,
          }),
        logger,
        clock,
        newRequestId: systemIds.newCommandId,
        stopping: stopping.signal,
        rateLimit: configuration.rateLimit,
        trustedProxies: configuration.trustedProxies,
        followerLimits: options.followerLimits,
        allowedOrigins: configuration.allowedOrigins,
        priceCaching: configuration.priceCaching,
      }),
      logger,
      undefined,
      configuration.allowedOrigins,
    );
    const address = await listen(server, configuration);
    closers.add(() => drain(server));
    return { address, firstKey: await keys.issueFirst(), stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
};
