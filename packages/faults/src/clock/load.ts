/** Clients that write and look while the clocks are set. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../client';
import type { Random } from '../random';
import { watch, type WatchedClient } from './watched-client';

/** Where clients write: the list prices, and a book that takes percents of them. */
export interface Books {
  readonly root: string;
  readonly derived: string;
}

export interface Acknowledged {
  readonly book: string;
  readonly requestId: string;
  readonly revision: number;
}

export interface LoadResult {
  readonly acknowledged: readonly Acknowledged[];
  readonly looks: number;
}

export const PRODUCTS = ['P0', 'P1', 'P2', 'P3'] as const;
/** The derived book has a price of its own for this one. */
export const OWN_PRODUCT = 'own';
/** A read side that follows has no more to wait for than this, whatever the clock says. */
const LAG_S = 10;
const PAUSE_MS = 5;

export const makeBooks = async (client: Client): Promise<Books> => {
  const make = async (json: unknown): Promise<string> => {
    const { body } = await client.send({ method: 'POST', path: '/v1/pricebooks', json });
    return String((body as Readonly<Record<string, unknown>>)['id']);
  };
  const root = await make({ name: 'root' });
  return { root, derived: await make({ name: 'derived', basePriceBookId: root }) };
};

interface Body {
  readonly revision?: number;
  readonly updatedAt?: string;
  readonly effectiveDate?: string;
}

export const runLoad = async (
  clients: readonly Client[],
  { root, derived }: Books,
  milliseconds: number,
  random: Random,
  tell: (fault: string) => void,
): Promise<LoadResult> => {
  const acknowledged: Acknowledged[] = [];
  let looks = 0;
  const until = performance.now() + milliseconds;
  const isOn = (): boolean => performance.now() < until;
  let amount = 0;

  /** Writes on the instances in turn, and is told revisions and times that only grow. */
  const write = async (
    book: string,
    next: () => { readonly path: string; readonly json: unknown },
  ): Promise<void> => {
    let last: WatchedClient['mustNotFall'] | undefined;
    for (let turn = random.below(clients.length); isOn(); turn += 1) {
      const client = clients[turn % clients.length];
      if (client === undefined) return;
      const watched = watch(client, tell);
      last ??= watched.mustNotFall;
      const { path, json } = next();
      const method = path === '' ? 'PATCH' : 'PUT';
      const { status, revision, body, requestId } = await watched.ask({
        method,
        path: `/v1/pricebooks/${book}${path}`,
        json,
      });
      if (status !== 200) {
        if (status < 500) tell(`${method} ${book}${path}: ${String(status)} ${JSON.stringify(body)}`);
        continue;
      }
      if (revision === undefined) tell(`${method} ${book}${path} was answered without a revision`);
      else acknowledged.push({ book, requestId, revision });
      last(`the revision of a write to ${book}`, revision);
      last(`updatedAt of a write to ${book}`, (body as Body).updatedAt);
    }
  };

  const set = (productId: string, adjustment: unknown) => ({
    path: '/prices',
    json: [{ productId, adjustments: { USD: adjustment } }],
  });
  const all = (percent: number) => ({
    path: '/prices',
    json: { productId: 'all', adjustments: { USD: { type: 'percent', amount: percent } } },
  });
  const price = () => ({ type: 'override', amount: (amount += 1) });

  /** Asks for the same again and again, of the instances in turn. */
  const look = async (path: string, mustNotFall: readonly (keyof Body)[]): Promise<void> => {
    const [first] = clients;
    if (first === undefined) return;
    const { mustNotFall: check } = watch(first, tell);
    for (let turn = 0; isOn(); turn += 1) {
      const { body, status, revision } = await watch(clients[turn % clients.length] ?? first, tell).ask({
        method: 'GET',
        path,
      });
      looks += 1;
      if (status === 200) {
        for (const field of mustNotFall) check(`${field} of ${path}`, (body as Body)[field]);
        check(`the revision of ${path}`, revision);
      }
      await delay(PAUSE_MS);
    }
  };

  const lookAtReadiness = async (client: Client): Promise<void> => {
    while (isOn()) {
      const { status, body } = await watch(client, tell).ask({ method: 'GET', path: '/health/ready' });
      looks += 1;
      const { lag } = (body as { readonly projection: { readonly lag: { readonly seconds: number } | null } })
        .projection;
      if (status !== 200 || lag === null || lag.seconds > LAG_S) tell(`not ready: ${JSON.stringify(body)}`);
      await delay(PAUSE_MS);
    }
  };

  const pricesOf = (book: string, product: string): string => `/v1/pricebooks/${book}/${product}/USD`;
  await Promise.all([
    ...PRODUCTS.map((product) =>
      write(root, () => set(product, random.chance(0.1) ? { type: 'null', amount: null } : price())),
    ),
    write(root, () => all(random.below(50))),
    write(root, () => ({ path: '', json: { description: String((amount += 1)) } })),
    write(derived, () => all(random.below(50))),
    write(derived, () => set(OWN_PRODUCT, price())),
    ...PRODUCTS.flatMap((product) =>
      [root, derived].map((book) => look(pricesOf(book, product), ['effectiveDate'])),
    ),
    look(pricesOf(derived, OWN_PRODUCT), ['effectiveDate']),
    ...[root, derived].map((book) => look(`/v1/pricebooks/${book}`, ['updatedAt'])),
    ...clients.map(lookAtReadiness),
  ]);
  return { acknowledged, looks };
};
