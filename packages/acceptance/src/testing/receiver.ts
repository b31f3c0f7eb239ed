/** A receiver of webhooks, which does as it is told. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
  readonly message: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

export interface Receiver {
  readonly url: string;
  /** In the order in which they came, those that were refused as well. */
  readonly received: readonly Received[];
  /** What it answers from now on: a status, or nothing at all. */
  readonly answerWith: (status: number | 'nothing') => void;
  /** Waits until it has got what is looked for. */
  readonly until: (isEnough: (received: readonly Received[]) => boolean) => Promise<void>;
  readonly close: () => void;
}

export const startReceiver = async (port = 0): Promise<Receiver> => {
  const received: Received[] = [];
  let status: number | 'nothing' = 204;
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const raw = Buffer.concat(pieces).toString();
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({
        id: headers['webhook-id'] ?? '',
        headers,
        raw,
        message: JSON.parse(raw) as Received['message'],
      });
      if (status !== 'nothing') response.writeHead(status).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    received,
    answerWith: (next) => {
      status = next;
    },
    until: async (isEnough) => {
      while (!isEnough(received)) await delay(10);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Whether a message was signed with a secret, as the library of Standard Webhooks judges. */
export const isSignedWith = (secret: string, { raw, headers }: Received): boolean => {
  try {
    new Webhook(secret).verify(raw, headers);
    return true;
  } catch {
    return false;
  }
};
