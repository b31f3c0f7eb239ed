/** Puts the service together and runs it. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  checkReadiness,
  createKeyring,
  createPriceBooks,
  type EventStore,
  issueFirstKey,
  type Keyring,
  type Position,
  type Projector,
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
/** How long clients are told, with their answers, that the service stops before it closes their connections. */
const TELL_MS = 300;
/** How often connections that have nothing more to do are closed meanwhile. */
const CLOSE_IDLE_MS = 20;
/** How often catching up is reported. */
const CATCH_UP_REPORT_MS = 2_000;

export interface RunningService {
  /** Where it listens, such as http://127.0.0.1:3000. */
  readonly address: string;
  /** Finishes what was accepted, then closes the stores. */
  readonly stop: () => Promise<void>;
}

export interface ServeOptions {
  readonly configuration: Configuration;
  readonly logger: Logger;
  /** Aborted where the service is to stop before it has started: it then does not wait to catch up. */
  readonly signal: AbortSignal;
  /** Given the key that is issued where there is none, as soon as it is kept: it cannot be had again. */
  readonly onFirstKey: (key: string) => void;
}

/** The value, or an error that ends the start of the service. */
const orThrow = <A>(result: E.Either<{ readonly _tag: string }, A>): A => {
  if (E.isRight(result)) return result.right;
  const { _tag, ...details } = result.left;
  throw new Error(`${_tag}: ${JSON.stringify(details)}`);
};

const openKeyring = async (
  eventStore: EventStore,
  { configuration: { bootstrapKey }, onFirstKey }: ServeOptions,
): Promise<Keyring> => {
  const issued = orThrow(await readIssuedKeys(eventStore)());
  if (issued.length > 0 || bootstrapKey !== undefined) return createKeyring(issued, bootstrapKey);
  const first = orThrow(await issueFirstKey(eventStore, systemClock, systemIds)());
  if (first !== undefined) onFirstKey(first.secret);
  return createKeyring(orThrow(await readIssuedKeys(eventStore)()), bootstrapKey);
};

/** Waits until the read model has all that the event store had, or will not get it. */
const catchUp = async (
  projector: Projector,
  head: Position | undefined,
  { logger, signal }: ServeOptions,
): Promise<void> => {
  if (head === undefined) return;
  while (!(await projector.waitFor(head, CATCH_UP_REPORT_MS))) {
    const { _tag, position } = projector.status();
    if (_tag === 'Stopped' || signal.aborted) return;
    logger.info({ position: String(position ?? 0), head: String(head) }, 'the projection catches up');
  }
};

const listen = async (server: Server, { host, port }: Configuration): Promise<string> => {
  server.listen(port, host);
  await once(server, 'listening');
  const { address, port: actualPort, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(actualPort)}`;
};

const hasConnections = (server: Server): Promise<boolean> =>
  new Promise((resolve) => {
    server.getConnections((error, count) => {
      resolve(error !== null || count > 0);
    });
  });

/** Lets the requests in hand finish, then closes. */
const drain = async (server: Server): Promise<void> => {
  // Answers say by now that their connections close. A client that finds its connection closed without having
  // been told could have sent a request into it.
  if (await hasConnections(server)) await delay(TELL_MS);
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
};

/** Starts the service; when the promise settles it answers requests. */
export const serve = async (options: ServeOptions): Promise<RunningService> => {
  const { configuration, logger } = options;
  const { dataFolder } = configuration;
  let isStopping = false;
  /** What is open, in the order in which it was opened. */
  const closers: (() => Promise<void> | void)[] = [];
  const closeAll = async (): Promise<void> => {
    isStopping = true;
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const lock = lockFolder(dataFolder);
    closers.push(lock.release);
    const eventStore = openEmbeddedEventStore(dataFolder);
    closers.push(eventStore.close);
    const head = orThrow(await eventStore.head()());
    const readModel = await openEmbeddedReadModel(dataFolder, { id: eventStore.id, head }, (message) => {
      logger.warn(message);
    });
    closers.push(readModel.close);
    const keyring = await openKeyring(eventStore, options);
    const projector = startProjector(eventStore, readModel, (status) => {
      if ('error' in status)
        logger.error({ error: status.error }, `the projection is ${status._tag.toLowerCase()}`);
      else logger.info(`the projection is ${status._tag.toLowerCase()}`);
    });
    closers.push(projector.close);
    await catchUp(projector, head, options);

    const server = createHttpServer(
      createHttpApp({
        priceBooks: createPriceBooks({
          eventStore,
          readModel,
          projector,
          clock: systemClock,
          ids: systemIds,
        }),
        keyring,
        readiness: () => checkReadiness(eventStore, readModel, projector),
        logger,
        newRequestId: systemIds.newCommandId,
        isStopping: () => isStopping,
      }),
    );
    const address = await listen(server, configuration);
    closers.push(() => drain(server));
    return { address, stop: closeAll };
  } catch (failure) {
    await closeAll();
    throw failure;
  }
};
