/** Clients that write and read over HTTP while servers fail, and remember what they were told. */
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_KEY } from './test-service';

/** A write as its client knows it. No two have the same amount. */
interface Attempt {
  readonly book: string;
  readonly product: string;
  readonly amount: number;
  /** The revision that the write was acknowledged with; undefined where it was not. */
  readonly revision: number | undefined;
}

/** Any answer. */
interface Observed {
  readonly kind: 'read' | 'write';
  readonly status: number;
  readonly retryAfter: string | null;
  readonly milliseconds: number;
  /** When it came. */
  readonly at: number;
}

export interface Load {
  readonly attempts: readonly Attempt[];
  readonly observed: readonly Observed[];
  /** Waits until reads and writes succeed again; says how long that took. */
  readonly recovered: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };

const send = async (url: string, method: string, json?: unknown) => {
  const answer = await fetch(url, {
    method,
    headers,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const body = (await answer.json()) as Readonly<Record<string, unknown>>;
  return { status: answer.status, body, retryAfter: answer.headers.get('retry-after') };
};

export const createBooks = (url: string, count: number): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { status, body } = await send(`${url}/v1/pricebooks`, 'POST', { name: `book ${String(n)}` });
      if (status !== 201) throw new Error(`a book was answered ${String(status)}: ${JSON.stringify(body)}`);
      return String(body['id']);
    }),
  );

/** Starts clients, each with a product of its own in one of the books; they share the books. */
export const startLoad = (url: string, books: readonly string[], clients: number): Load => {
  const attempts: Attempt[] = [];
  const observed: Observed[] = [];
  let isStopped = false;
  let amount = 0;

  const observe = async (kind: Observed['kind'], ask: () => ReturnType<typeof send>) => {
    const started = performance.now();
    const { status, body, retryAfter } = await ask();
    observed.push({ kind, status, retryAfter, milliseconds: performance.now() - started, at: Date.now() });
    return { status, body };
  };

  const run = async (n: number): Promise<void> => {
    const book = books[n % books.length] ?? '';
    const product = `product-${String(n)}`;
    while (!isStopped) {
      amount += 1;
      const price = amount;
      const { status, body } = await observe('write', () =>
        send(`${url}/v1/pricebooks/${book}/prices`, 'PUT', [
          { productId: product, adjustments: { USD: { type: 'override', amount: price } } },
        ]),
      );
      const revision = status === 200 ? Number(body['revision']) : undefined;
      attempts.push({ book, product, amount: price, revision });
      await observe('read', () => send(`${url}/v1/pricebooks/${book}/${product}/USD`, 'GET'));
      // As the answers ask for, if not for so long: the test is to see many of them.
      if (status !== 200) await delay(50);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, n) => run(n)));

  return {
    attempts,
    observed,
    recovered: async () => {
      const since = Date.now();
      const isBack = (kind: Observed['kind']): boolean =>
        observed.some((one) => one.kind === kind && one.at >= since && one.status === 200);
      while (!isBack('read') || !isBack('write')) await delay(10);
      return Date.now() - since;
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
};
