/** Clients of two services while a replica set loses its primary: what they are told has to hold from then on. */
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_KEY } from '@pricebook/acceptance';

/** A refusal comes within 2 s; the rest is what a busy machine needs. */
const ANSWER_MS = 4_000;
const PAUSE_MS = 5;

const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };

interface Answer {
  readonly status: number;
  readonly isBehind: boolean;
  readonly price: number;
}

export interface LoadCounts {
  acknowledged: number;
  behind: number;
  reads: number;
  refused: number;
  slowest: number;
}

export interface FailoverLoad {
  readonly counts: LoadCounts;
  /** Waits until each service writes and reads again. @returns milliseconds. */
  readonly recovered: () => Promise<number>;
  /** Ends it, and reads every price again. */
  readonly stop: () => Promise<void>;
}

/**
 * Each client has a product of its own, and gives it one price after another, on the services in turn. What is
 * acknowledged without `Projection: behind`, and what is read on one service, is read on all of them from then on.
 */
export const startFailoverLoad = (
  urls: readonly string[],
  books: readonly string[],
  clients: number,
  tell: (fault: string) => void,
): FailoverLoad => {
  const counts: LoadCounts = { acknowledged: 0, behind: 0, reads: 0, refused: 0, slowest: 0 };
  const stopping = new AbortController();
  /** By product: the last price that was acknowledged, whether or not it could be read then. */
  const acknowledged = new Map<string, { readonly book: string; price: number }>();

  const send = async (url: string, method: string, json?: unknown): Promise<Answer> => {
    const began = performance.now();
    const answer = await fetch(url, {
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
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

  const run = async (n: number): Promise<void> => {
    const book = books[n % books.length] ?? '';
    const product = `product-${String(n)}`;
    const own = { book, price: 0 };
    acknowledged.set(product, own);
    let seen = 0;
    for (let price = 1; !stopping.signal.aborted; price += 1) {
      const written = await put(urls[price % urls.length] ?? '', book, product, price);
      if (written.status === 200) {
        own.price = price;
        counts.acknowledged += 1;
        if (written.isBehind) counts.behind += 1;
        else seen = price;
      }
      for (const [instance, url] of urls.entries()) {
        const found = await get(url, book, product);
        counts.reads += 1;
        if (found.status === 503) continue;
        if (found.price < seen) {
          tell(`${product}: service ${String(instance)} has ${String(found.price)} after ${String(seen)}`);
        }
        seen = Math.max(seen, found.price);
      }
      await delay(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, n) => run(n)));

  const isBack = async (url: string): Promise<boolean> => {
    const book = books[0] ?? '';
    const { status, isBehind } = await put(url, book, 'probe', 1);
    return status === 200 && !isBehind && (await get(url, book, 'probe')).status === 200;
  };

  return {
    counts,
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
      for (const [product, { book, price }] of acknowledged) {
        for (const url of urls) {
          const found = await get(url, book, product);
          // What was answered with 503 may have been done.
          if (found.status !== 200 || found.price < price) {
            tell(`${product}: ${String(found.status)} ${String(found.price)}, acknowledged ${String(price)}`);
          }
        }
      }
    },
  };
};
