/** A long history for the benchmarks, written into the embedded event store as the service would have written it. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { random } from './bench-kit.mjs';
import { root } from './set-up.mjs';

const require = createRequire(path.join(root, 'packages/service/package.json'));
const { openEmbeddedEventStore } = require('@pricebook/embedded');

/** Events of a stream that are written at once. */
const TOGETHER = 100;
const APPENDS_IN_FLIGHT = 100;
/** Between two events. */
const STEP_MS = 20;
export const START = Date.parse('2026-01-01T00:00:00.000Z');

/** As the service makes them: UUIDs of version 7, later ones greater. */
const newBookId = (_, n) => {
  const time = (START + n).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

export const eventOf = (type, schemaVersion, data, occurredAt) => {
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type,
    data,
    metadata: {
      schemaVersion,
      occurredAt,
      actor: 'bench',
      $correlationId: commandId,
      $causationId: commandId,
      commandId,
    },
  };
};

/**
 * Writes events of all books side by side.
 *
 * @param eventOfBook the event of a book at a revision: `(ids, book, revision, occurredAt) => event`.
 * @returns the ids of the books and the time of the last event.
 */
export const writeHistory = async (folder, { books, perBook }, eventOfBook) => {
  const eventStore = openEmbeddedEventStore(folder);
  const ids = Array.from({ length: books }, newBookId);
  let time = START;
  let inFlight = [];
  for (let from = 0; from < perBook; from += TOGETHER) {
    for (const [n, id] of ids.entries()) {
      const batch = Array.from({ length: Math.min(TOGETHER, perBook - from) }, (_, i) => {
        time += STEP_MS;
        return eventOfBook(ids, n, from + i, new Date(time).toISOString());
      });
      inFlight.push(eventStore.append(`priceBook-${id}`, from === 0 ? 'noStream' : from - 1, batch)());
      if (inFlight.length < APPENDS_IN_FLIGHT) continue;
      for (const appended of await Promise.all(inFlight)) {
        if (appended._tag === 'Left') throw new Error(JSON.stringify(appended.left));
      }
      inFlight = [];
    }
  }
  await Promise.all(inFlight);
  await eventStore.close();
  return { ids, end: time };
};

/**
 * An event of a book that first gets prices of all its products, then changes of random ones, and now and then a
 * percent for all.
 *
 * @param basesOf the chain of bases of a book, nearest first.
 */
export const pricesOf = (products, basesOf) => (ids, n, revision, occurredAt) => {
  if (revision === 0) {
    const data = { name: `Book ${n}`, description: '', basePriceBookIds: basesOf(ids, n) };
    return eventOf('PriceBookCreated', 1, data, occurredAt);
  }
  if (revision > products && revision % 1_000 === 7) {
    const adjustments = { USD: { type: 'percent', amount: revision % 50 } };
    return eventOf('AllProductsAdjusted', 1, { adjustments }, occurredAt);
  }
  // In revision order at first, so that every product has a price from early on.
  const product = revision <= products ? revision - 1 : random(products);
  const adjustments = { USD: { type: 'override', amount: (revision % 1_000) + 0.99 } };
  return eventOf(
    'ProductPricesSet',
    1,
    { items: [{ productId: `product-${product}`, adjustments }] },
    occurredAt,
  );
};
