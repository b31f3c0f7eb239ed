/** A client that writes until its connection ends, and then asks again for what it got no answer to. */
import { randomUUID } from 'node:crypto';
import { type Client, NO_ANSWER } from '../client';
import type { Random } from '../random';
import type { Ask, Ledger } from './ledger';

/** Where all clients write. */
export type Books = readonly [string, ...string[]];

export interface Writer {
  /** Writes until the service is gone, or it is told to stop. */
  readonly run: (client: Client, books: Books, stop: AbortSignal) => Promise<void>;
}

const OWN_PRODUCTS = 4;
const MANY_PRODUCTS = 1_000;
/** How often a book that was deleted comes back. */
const RESTORED = 0.5;
/** How often what had no answer is asked for again, rather than given up. */
const RETRIED = 0.5;

type Asked = Omit<Ask, 'requestId' | 'after'>;

const put = (book: string, json: unknown): Pick<Ask, 'method' | 'path' | 'json' | 'book'> => ({
  method: 'PUT',
  path: `/${book}/prices`,
  json,
  book,
});

const setPrices = (book: string, items: readonly unknown[]): Asked => ({
  ...put(book, items),
  type: 'ProductPricesSet',
  data: { items },
});

const usd = (productId: string, adjustment: unknown) => ({ productId, adjustments: { USD: adjustment } });
const override = (amount: number) => ({ type: 'override', amount });

export const askForBook = (name: string, basePriceBookId?: string): Asked => ({
  method: 'POST',
  path: '',
  json: { name, ...(basePriceBookId !== undefined && { basePriceBookId }) },
  type: 'PriceBookCreated',
  data: { name, description: '', basePriceBookIds: basePriceBookId === undefined ? [] : [basePriceBookId] },
  book: undefined,
});

/** @param tell told of answers that nobody should get. */
export const createWriter = (
  name: string,
  ledger: Ledger,
  random: Random,
  tell: (fault: string) => void,
): Writer => {
  let writes = 0;
  let last: Ask | undefined;
  let retry: Ask | undefined;
  /** A book that comes and goes, and may come back; and the last write that it has had. */
  let ownBook: { readonly id: string; readonly last: string } | undefined;

  const product = (): string => `${name}/${String(random.below(OWN_PRODUCTS))}`;
  /** No two are alike. */
  const amount = (): number => writes;

  const askOwnBook = (): Asked => {
    const isGone = ownBook?.last === 'PriceBookDeleted';
    if (ownBook === undefined || (isGone && !random.chance(RESTORED))) {
      return askForBook(`${name} ${String(writes)}`);
    }
    const { id, last: lastWrite } = ownBook;
    if (isGone) {
      return { method: 'POST', path: `/${id}/restore`, type: 'PriceBookRestored', data: {}, book: id };
    }
    if (lastWrite !== 'ProductPricesSet') return setPrices(id, [usd('P', override(amount()))]);
    return { method: 'DELETE', path: `/${id}`, type: 'PriceBookDeleted', data: {}, book: id };
  };

  const next = (books: Books): Asked => {
    writes += 1;
    const book = random.pick(books);
    const kind = random.below(100);
    if (kind < 60) return setPrices(book, [usd(product(), override(amount()))]);
    if (kind < 66) {
      const adjustment = random.pick<unknown>([
        { type: 'percent', amount: random.below(90) },
        { type: 'volume', tiers: [{ firstUnit: 1, lastUnit: null, unitPrice: amount() }] },
        { type: 'null', amount: null },
      ]);
      return setPrices(book, [usd(product(), adjustment)]);
    }
    if (kind < 68) {
      const items = Array.from({ length: 1 + random.below(MANY_PRODUCTS) }, (_, n) =>
        usd(`many/${String(n)}`, override(amount())),
      );
      return setPrices(book, items);
    }
    if (kind < 74) {
      const adjustments = { USD: { type: 'percent', amount: random.below(90) } };
      return {
        ...put(book, { productId: 'all', adjustments }),
        type: 'AllProductsAdjusted',
        data: { adjustments },
      };
    }
    if (kind < 80) {
      const productIds = [product()];
      return {
        method: 'DELETE',
        path: `/${book}/prices`,
        json: productIds,
        type: 'PriceBookEntriesDeleted',
        data: { productIds },
        book,
      };
    }
    if (kind < 85) {
      const json = { name: `${name} ${String(writes)}` };
      return { method: 'PATCH', path: `/${book}`, json, type: 'PriceBookUpdated', data: json, book };
    }
    return askOwnBook();
  };

  /** What the client knows of its own book after an answer, or after none. */
  const remember = ({ type, book }: Ask, body: unknown): void => {
    if (type === 'PriceBookCreated') {
      ownBook = { id: String((body as Readonly<Record<string, unknown>>)['id']), last: type };
    } else if (ownBook !== undefined && book === ownBook.id) {
      ownBook = { ...ownBook, last: type };
    }
  };

  return {
    run: async (client, books, stop) => {
      while (!stop.aborted) {
        const again = retry;
        retry = undefined;
        const ask = again ?? { ...next(books), requestId: randomUUID(), after: last };
        ledger.sending(ask);
        try {
          const { method, path, json, requestId } = ask;
          const { status, revision, body } = await client.send({
            method,
            path: `/v1/pricebooks${path}`,
            json,
            requestId,
          });
          if (status < 300) {
            ledger.told(ask, revision);
            last = ask;
            remember(ask, body);
            continue;
          }
          // Deleted or restored the first time, without an answer.
          const isDone =
            (status === 404 && again?.type === 'PriceBookDeleted') ||
            (status === 409 && again?.type === 'PriceBookRestored');
          if (!isDone) tell(`${method} ${path} was answered with ${String(status)} ${JSON.stringify(body)}`);
          ownBook = undefined;
        } catch (failure) {
          if (failure instanceof Error && failure.message === NO_ANSWER)
            tell(`${ask.method} ${ask.path} hangs`);
          if (random.chance(RETRIED)) retry = ask;
          else if (ownBook !== undefined && ask.book === ownBook.id) ownBook = undefined;
          return;
        }
      }
    },
  };
};
