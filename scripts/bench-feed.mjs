/** Reads all effective prices of a book, as a nightly feed does, and watches the memory of the service meanwhile. */
import { headers } from './bench-kit.mjs';

const WATCH_MS = 250;

/** The heap and what is kept beside it; the resident memory holds pages of the read model that the system may take back. */
const memoryMb = async (address) => {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  const figure = (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);
  return (figure('nodejs_heap_size_used_bytes') + figure('nodejs_external_memory_bytes')) / 1e6;
};

/** What it takes to read: products, seconds, and MB of memory before and at most. */
const watched = async (address, read) => {
  const before = await memoryMb(address);
  let most = before;
  const watch = setInterval(() => {
    memoryMb(address).then(
      (mb) => (most = Math.max(most, mb)),
      () => undefined,
    );
  }, WATCH_MS);
  const started = performance.now();
  try {
    const products = await read();
    return { products, seconds: (performance.now() - started) / 1_000, before, most };
  } finally {
    clearInterval(watch);
  }
};

const ask = async (url, accept) => {
  const answer = await fetch(url, { headers: { ...headers, accept } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
};

/** @param query after the currency, such as `&at=...`. */
const feedOf = (address, id, query) => `${address}/v1/pricebooks/${id}/effective-prices?currency=USD${query}`;

export const feedAsCsv = (address, id, query = '') =>
  watched(address, async () => {
    let lines = 0;
    const { body } = await ask(feedOf(address, id, query), 'text/csv');
    for await (const piece of body) for (const byte of piece) if (byte === 10) lines += 1;
    return lines - 1;
  });

export const feedAsPages = (address, id, query = '') =>
  watched(address, async () => {
    let products = 0;
    for (let next = feedOf(address, id, `${query}&limit=1000`); next !== undefined;) {
      const answer = await ask(next, 'application/json');
      products += (await answer.json()).length;
      const link = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
      next = link && new URL(link, next).href;
    }
    return products;
  });
