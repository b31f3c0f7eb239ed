/** Clients that write on some instances and read on all of them, and find out whether an answer goes back in time. */
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_KEY } from './test-service';

export interface CheckedLoad {
  /** What must not have happened, in words. */
  readonly faults: readonly string[];
  readonly writes: () => number;
  /** Writes that were answered before the read side had them. */
  readonly behind: () => number;
  readonly stop: () => Promise<void>;
}

const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };

interface Answer {
  readonly status: number;
  readonly isBehind: boolean;
  readonly price: number;
}

/**
 * Each client has a product of its own in one of the books, and gives it one price after another, on the instances
 * in turn. A write that is acknowledged must be read at once on every instance. A reader beside each client and
 * instance asks for the same price all the time: it must never fall.
 */
export const startCheckedLoad = (
  urls: readonly string[],
  books: readonly string[],
  clients: number,
): CheckedLoad => {
  const faults: string[] = [];
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  let writes = 0;
  let behind = 0;

  const send = async (what: string, url: string, method: string, json?: unknown): Promise<Answer> => {
    const answer = await fetch(url, {
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const body = (await answer.json()) as { readonly price?: number };
    if (answer.status >= 500) faults.push(`${what}: ${String(answer.status)} ${JSON.stringify(body)}`);
    return {
      status: answer.status,
      isBehind: answer.headers.get('projection') === 'behind',
      price: body.price ?? 0,
    };
  };

  const write = async (n: number): Promise<void> => {
    const book = books[n % books.length] ?? '';
    const product = `product-${String(n)}`;
    for (let price = 1; !isStopped(); price += 1) {
      const url = urls[price % urls.length] ?? '';
      const items = [{ productId: product, adjustments: { USD: { type: 'override', amount: price } } }];
      const written = await send('write', `${url}/v1/pricebooks/${book}/prices`, 'PUT', items);
      if (written.status !== 200) {
        faults.push(`write: ${String(written.status)}`);
        continue;
      }
      writes += 1;
      if (written.isBehind) {
        behind += 1;
        continue;
      }
      await Promise.all(
        urls.map(async (one, instance) => {
          const found = await send('read', `${one}/v1/pricebooks/${book}/${product}/USD`, 'GET');
          if (found.price !== price) {
            faults.push(`instance ${String(instance)} has ${String(found.price)}, not ${String(price)}`);
          }
        }),
      );
    }
  };

  const watch = async (n: number, instance: number): Promise<void> => {
    const url = `${urls[instance] ?? ''}/v1/pricebooks/${books[n % books.length] ?? ''}/product-${String(n)}/USD`;
    for (let last = 0; !isStopped();) {
      const { status, price } = await send('watch', url, 'GET');
      if (status === 200 ? price < last : last > 0) {
        faults.push(`instance ${String(instance)}: ${String(status)} ${String(price)} after ${String(last)}`);
      }
      if (status === 200) last = price;
      await delay(2);
    }
  };

  const running = Promise.all(
    Array.from({ length: clients }, (_, n) => [write(n), ...urls.map((_url, i) => watch(n, i))]).flat(),
  );

  return {
    faults,
    writes: () => writes,
    behind: () => behind,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
