/** Clients of two services while a replica set loses its primary: what they are told has to hold from then on. */
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_KEY } from '@pricebook/acceptance';

/** A refusal comes within 2 s; the rest is what a busy machine needs. */
const ANSWER_MS = 4_000;
/** After a connection that was lost, since the service may be gone. */
const LOST_MS = 1_000;
const PAUSE_MS = 5;

const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };

interface Answer {
  readonly status: number;
  readonly isBehind: boolean;
  readonly price: number;
}

interface Product {
  readonly name: string;
  readonly book: string;
  /** The last price that was acknowledged, whether or not it could be read then. */
  acknowledged: number;
  /** The last price that has to be read from now on, on each service. */
  seen: number;
}

interface LoadCounts {
  acknowledged: number;
  behind: number;
  reads: number;
  refused: number;
  slowest: number;
}

export interface FailoverLoad {
  /** Waits until each service writes and reads again, and is not behind. @returns milliseconds. */
  readonly recovered: () => Promise<number>;
  /** Ends it, and reads every price again. */
  readonly stop: () => Promise<void>;
}

/**
 * Each writer has a product of its own, and gives it one price after another, on the services in turn; readers ask each
 * service for all of them. What is acknowledged without `Projection: behind`, and what is read on one service, is read on all of them from then on.
 */
export const startFailoverLoad = (
  urls: readonly string[],
  books: readonly string[],
  writers: number,
  tell: (fault: string) => void,
  counts: LoadCounts,
): FailoverLoad => {
  const stopping = new AbortController();

  const send = async (url: string, method: string, json?: unknown): Promise<Answer> => {
    const began = performance.now();
    const answer = await fetch(url, {
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    }).catch((failure: unknown) => failure);
    if (!(answer instanceof Response)) {
      tell(`${method} ${url}: ${String(answer)}`);
      await delay(LOST_MS);
      return { status: 503, isBehind: false, price: 0 };
    }
    const body = (await answer.json()) as { readonly price?: number };
    const took = performance.now() - began;
    counts.slowest = Math.max(counts.slowest, took);
    const { status } = answer;
    const what = `${method} ${new URL(url).pathname}: ${String(status)}`;
    if (took > ANSWER_MS) tell(`${what} after ${took.toFixed(0)} ms`);
    if (status === 503 && Number(answer.headers.get('retry-after')) > 0) counts.refused += 1;
    else if (status !== 200 && status !== 404) tell(`${what} ${JSON.stringify(body)}`);
    return { status, isBehind: answer.headers.get('projection') === 'behind', price: body.price ?? 0 };
  };

  const put = (url: string, book: string, product: string, price: number): Promise<Answer> =>
    send(`${url}/v1/pricebooks/${book}/prices`, 'PUT', [
      { productId: product, adjustments: { USD: { type: 'override', amount: price } } },
    ]);
  const get = (url: string, book: string, product: string): Promise<Answer> =>
    send(`${url}/v1/pricebooks/${book}/${product}/USD`, 'GET');

  const products: Product[] = Array.from({ length: writers }, (_, n) => ({
    name: `product-${String(n)}`,
    book: books[n % books.length] ?? '',
    acknowledged: 0,
    seen: 0,
  }));

  const write = async (product: Product): Promise<void> => {
    for (let price = 1; !stopping.signal.aborted; price += 1) {
      const { status, isBehind } = await put(
        urls[price % urls.length] ?? '',
        product.book,
        product.name,
        price,
      );
      if (status === 200) {
        product.acknowledged = price;
        counts.acknowledged += 1;
        if (isBehind) counts.behind += 1;
        else product.seen = Math.max(product.seen, price);
      }
      await delay(PAUSE_MS);
    }
  };

  const read = async (instance: number, url: string): Promise<void> => {
    while (!stopping.signal.aborted) {
      for (const product of products) {
        const before = product.seen;
        const { status, price } = await get(url, product.book, product.name);
        counts.reads += 1;
        if (status === 503) continue;
        if (price < before) {
          tell(`${product.name}: service ${String(instance)} has ${String(price)} after ${String(before)}`);
        }
        product.seen = Math.max(product.seen, price);
        await delay(PAUSE_MS);
      }
    }
  };
  const running = Promise.all([
    ...products.map(write),
    ...urls.flatMap((url, instance) => [read(instance, url), read(instance, url)]),
  ]);

  const isBack = async (url: string): Promise<boolean> => {
    const book = books[0] ?? '';
    const { status, isBehind } = await put(url, book, 'probe', 1);
    return status === 200 && !isBehind && (await get(url, book, 'probe')).status === 200;
  };

  return {
    recovered: async () => {
      const since = performance.now();
      await Promise.all(
        urls.map(async (url) => {
          while (!(await isBack(url))) await delay(20);
        }),
      );
      return performance.now() - since;
    },
    stop: async () => {
      stopping.abort();
      await running;
      for (const { name, book, acknowledged } of products) {
        for (const url of urls) {
          const found = await get(url, book, name);
          // What was answered with 503 may have been done.
          if (found.status !== 200 || found.price < acknowledged) {
            tell(
              `${name}: ${String(found.status)} ${String(found.price)}, acknowledged ${String(acknowledged)}`,
            );
          }
        }
      }
    },
  };
};
