/** Puts the service together and runs it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  checkReadiness,
  createKeyring,
  createPriceBooks,
  type EventStore,
  issueFirstKey,
  type Keyring,
  type ProjectorStatus,
  readIssuedKeys,
  startProjector,
} from '@pricebook/application';
import { lockFolder, openEmbeddedEventStore, openEmbeddedReadModel } from '@pricebook/embedded';
import { createHttpApp, createHttpServer } from '@pricebook/http';
import * as E from 'fp-ts/Either';
import type { Logger } from 'pino';
import type { Configuration } from './configuration';
import { systemClock, systemIds } from './system';

/** How long requests that were accepted may take to finish when the service stops. */
const DRAIN_MS = 8_000;
/** How often connections that have nothing more to do are closed meanwhile. */
const CLOSE_IDLE_MS = 20;
/** How often catching up is reported. */
const CATCH_UP_REPORT_MS = 2_000;

export interface RunningService {
  /** Where it listens, such as http://127.0.0.1:3000. */
  readonly address: string;
  /** The key that was issued because there was none; to be shown once. */
  readonly firstKey: string | undefined;
  /** Finishes what was accepted, then closes the stores. */
  readonly stop: () => Promise<void>;
}

/** The value, or an error that ends the start of the service. */
const orThrow = <A>(result: E.Either<{ readonly _tag: string }, A>): A => {
  if (E.isRight(result)) return result.right;
  const { _tag, ...details } = result.left;
  throw new Error(`${_tag}: ${JSON.stringify(details)}`);
};

const openKeyring = async (
  eventStore: EventStore,
  bootstrapKey: string | undefined,
): Promise<{ keyring: Keyring; firstKey: string | undefined }> => {
  let issued = orThrow(await readIssuedKeys(eventStore)());
  let firstKey: string | undefined;
  if (issued.length === 0 && bootstrapKey === undefined) {
    firstKey = orThrow(await issueFirstKey(eventStore, systemClock, systemIds)())?.secret;
    issued = orThrow(await readIssuedKeys(eventStore)());
  }
  return { keyring: createKeyring(issued, bootstrapKey), firstKey };
};

/** Starts the service; when the promise settles it answers requests. */
export const serve = async (configuration: Configuration, logger: Logger): Promise<RunningService> => {
  const { dataFolder, host, port, bootstrapKey } = configuration;
  const lock = lockFolder(dataFolder);
  const eventStore = openEmbeddedEventStore(dataFolder);
  const head = orThrow(await eventStore.head()());
  const readModel = await openEmbeddedReadModel(dataFolder, head, (message) => {
    logger.warn(message);
  });
  const { keyring, firstKey } = await openKeyring(eventStore, bootstrapKey);

  const projector = startProjector(eventStore, readModel, (status: ProjectorStatus) => {
    if (status._tag === 'Retrying' || status._tag === 'Stopped') {
      logger.error({ error: status.error }, `the projection is ${status._tag.toLowerCase()}`);
    } else logger.info(`the projection is ${status._tag.toLowerCase()}`);
  });
  while (head !== undefined && !(await projector.waitFor(head, CATCH_UP_REPORT_MS))) {
    if (projector.status()._tag === 'Stopped') break;
    logger.info({ position: String(projector.status().position ?? 0), head: String(head) }, 'catching up');
  }

  const priceBooks = createPriceBooks({
    eventStore,
    readModel,
    projector,
    clock: systemClock,
    ids: systemIds,
  });
  const server = createHttpServer(
    createHttpApp({
      priceBooks,
      keyring,
      readiness: () => checkReadiness(eventStore, readModel, projector),
      logger,
      newRequestId: systemIds.newCommandId,
    }),
  );
  server.listen(port, host);
  await once(server, 'listening');

  const stop = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    // A connection that is kept alive becomes idle when its last answer has gone out.
    const idle = setInterval(() => {
      server.closeIdleConnections();
    }, CLOSE_IDLE_MS);
    const late = setTimeout(() => {
      server.closeAllConnections();
    }, DRAIN_MS);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
    await projector.close();
    await eventStore.close();
    await readModel.close();
    lock.release();
  };

  const { address, port: actualPort, family } = server.address() as AddressInfo;
  const shownHost = family === 'IPv6' ? `[${address}]` : address;
  return { address: `http://${shownHost}:${String(actualPort)}`, firstKey, stop };
};
