/** Keys while the clock is set: one that was revoked stays so, and one that is good for longer than that is taken. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../client';

const HOUR_MS = 3_600_000;
/** Every instance knows of a key, and of its end, within a second; the rest is for a busy machine. */
const KNOWN_MS = 3_000;
/** Many settings of the clock. */
const WATCHED_MS = 1_500;
const PAUSE_MS = 20;

const issue = async (client: Client, expiresAt?: string): Promise<{ id: string; key: string }> => {
  const json = { name: 'a key', scopes: ['read'], ...(expiresAt !== undefined && { expiresAt }) };
  const { body } = await client.send({ method: 'POST', path: '/v1/api-keys', json });
  return body as { id: string; key: string };
};

export const checkKeys = async (clients: readonly Client[], tell: (fault: string) => void): Promise<void> => {
  const [first] = clients;
  if (first === undefined) return;
  /** Within the time, every instance answers so, and goes on doing so. */
  const answers = async (what: string, key: string, expected: number): Promise<void> => {
    const began = performance.now();
    await Promise.all(
      clients.map(async (client) => {
        let knownAt: number | undefined;
        while (knownAt === undefined || performance.now() - knownAt < WATCHED_MS) {
          const { status } = await client.send({ method: 'GET', path: '/v1/pricebooks', key });
          if (status === expected || performance.now() - began > KNOWN_MS) knownAt ??= performance.now();
          if (knownAt !== undefined && status !== expected) {
            tell(`${what} is answered with ${String(status)}`);
            return;
          }
          await delay(PAUSE_MS);
        }
      }),
    );
  };
  const [lasting, revoked] = [
    await issue(first, new Date(Date.now() + 3 * HOUR_MS).toISOString()),
    await issue(first),
  ];
  await answers('a key that is good for hours', lasting.key, 200);
  await first.send({ method: 'DELETE', path: `/v1/api-keys/${revoked.id}` });
  await Promise.all([
    answers('a key that was revoked', revoked.key, 401),
    answers('a key that is good for hours', lasting.key, 200),
  ]);
};
