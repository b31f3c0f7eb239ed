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

/** @returns where it listens, such as http://127.0.0.1:3000. */
export const listen = async (
  server: Server,
  { host, port }: Pick<Configuration, 'host' | 'port'>,
): Promise<string> => {
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
