/** Opens a server to clients, and closes it to them in order. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Configuration } from './configuration';

/** How long requests that were accepted may take to finish when the service stops. */
const DRAIN_MS = 8_000;
/** How long clients are told, with their answers, that the service stops before it closes their connections. */
const TELL_MS = 300;
/** How often connections that have nothing more to do are closed meanwhile. */
const CLOSE_IDLE_MS = 20;

type Place = Pick<Configuration, 'host' | 'port'>;

const REASONS: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${String(port)} of ${host} is in use: another program listens there, or this service already runs. ` +
    'Set PORT to a free port, or to 0 for any.',
  EACCES: ({ port }) => `This user may not listen on port ${String(port)}. Set PORT to 1024 or above.`,
  EADDRNOTAVAIL: ({ host }) => `This machine has no address ${host}. Set HOST to one that it has.`,
  ENOTFOUND: ({ host }) => `HOST ${host} is neither an address nor the name of a machine.`,
  EAI_AGAIN: ({ host }) => `No name server answers for HOST ${host}.`,
};

/**
 * @returns where it listens, such as http://127.0.0.1:3000.
 * @throws Error with a message for the person at the terminal.
 */
export const listen = async (server: Server, place: Place): Promise<string> => {
  server.listen(place.port, place.host);
  await once(server, 'listening').catch((failure: unknown) => {
    const { code = '', message } = failure as NodeJS.ErrnoException;
    const reason = REASONS[code]?.(place) ?? `The service cannot listen with this HOST and PORT: ${message}.`;
    throw new Error(reason, { cause: failure });
  });
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
export const drain = async (server: Server): Promise<void> => {
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
