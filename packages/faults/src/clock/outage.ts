/** Time limits while the clock is set: the event store fails for a while. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../client';
import type { Outage } from './instances';
import type { Books } from './load';

/** Longer than any refusal may take. */
const OUTAGE_MS = 6_000;
const WRITERS = 4;
/** A write is refused within 2 s; the rest is for a busy machine. */
const REFUSED_MS = 4_000;
const PAUSE_MS = 50;
/** The projector asks again within 5 s. */
const BACK_MS = 15_000;

/** @returns how many writes were refused meanwhile. */
export const checkOutage = async (
  clients: readonly Client[],
  { root }: Books,
  { name, begin }: Outage,
  tell: (fault: string) => void,
): Promise<number> => {
  const write = (client: Client) =>
    client.send({
      method: 'PUT',
      path: `/v1/pricebooks/${root}/prices`,
      json: { productId: 'all', adjustments: { USD: { type: 'percent', amount: 1 } } },
    });
  let refused = 0;
  const end = await begin();
  const until = performance.now() + OUTAGE_MS;
  const writing = clients.flatMap((client) =>
    Array.from({ length: WRITERS }, async () => {
      while (performance.now() < until) {
        const { status, milliseconds } = await write(client);
        refused += 1;
        await delay(PAUSE_MS);
        const what = `a write while the event store is ${name}: ${String(status)}`;
        // One that is on its way when the store answers again is carried out.
        if (status !== 503 && performance.now() < until) tell(what);
        if (milliseconds > REFUSED_MS) tell(`${what} after ${milliseconds.toFixed(0)} ms`);
      }
    }),
  );
  await delay(OUTAGE_MS);
  await end();
  await Promise.all(writing);
  const backBy = performance.now() + BACK_MS;
  for (const client of clients) {
    for (;;) {
      const [{ status }, ready] = [
        await write(client),
        await client.send({ method: 'GET', path: '/health/ready' }),
      ];
      if (status === 200 && ready.status === 200) break;
      if (performance.now() > backBy) {
        tell(
          `after it was ${name}, writes are still answered with ${String(status)}, and readiness with ${JSON.stringify(ready.body)}`,
        );
        break;
      }
      await delay(50);
    }
  }
  return refused;
};
