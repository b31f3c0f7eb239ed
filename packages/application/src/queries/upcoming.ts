/** What is going to begin or to end in a book, as it is planned: a page at a time. */
import { setImmediate } from 'node:timers/promises';
import type { Adjustment, Cell, Currency, PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { BoundaryPlace, ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import type { Holder } from '../projection/changes';

/** What one page looks at, whatever it finds: what was cancelled leaves its boundaries behind. */
const MAX_SEEN = 10_000;
/** Boundaries read at once. */
const MAX_READ = 200;

/** Where a page begins. */
export interface UpcomingPlace extends BoundaryPlace {
  /** How many changes of the place are passed over; absent for none. */
  readonly skip?: number;
}

export interface UpcomingQuestion {
  readonly priceBookId: PriceBookId;
  /** An instant, ISO 8601, UTC, or where a page before this one ended; what has passed is left out. */
  readonly from?: UpcomingPlace | undefined;
  /** ISO 8601, UTC: what comes before it; absent for all. */
  readonly to?: string | undefined;
  /** As many changes as the page has at most. */
  readonly limit: number;
}

/** Something that begins or ends. */
export interface UpcomingChange {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly holder: Holder;
  readonly currency: Currency;
  readonly change: 'begins' | 'ends';
  /** With its dates. */
  readonly adjustment: Adjustment;
}

export interface UpcomingPage {
  /** By instant, then holder and currency; what ends comes first. */
  readonly changes: readonly UpcomingChange[];
  readonly next: UpcomingPlace | undefined;
}

const changesAt = (at: string, { dated = [] }: Cell) => {
  const having = (bound: 'validFrom' | 'validUntil', change: UpcomingChange['change']) =>
    dated
      .filter(({ adjustment }) => adjustment[bound] === at)
      .map(({ adjustment }) => ({ change, adjustment }));
  return [...having('validUntil', 'ends'), ...having('validFrom', 'begins')];
};

/** A page may hold fewer than the limit, or none, and still not be the last. */
export const readUpcoming =
  (
    readModel: Pick<ReadModel, 'findPriceBook' | 'listBoundaries'>,
    clock: Clock,
    { priceBookId, from, to, limit }: UpcomingQuestion,
  ): TaskEither<StoreError | { readonly _tag: 'PriceBookNotFound' }, UpcomingPage> =>
  async () => {
    const book = await readModel.findPriceBook(priceBookId)();
    if (E.isLeft(book)) return book;
    if (book.right === undefined) return E.left({ _tag: 'PriceBookNotFound' });

    const now = clock.now();
    let place: UpcomingPlace = from === undefined || from.at < now ? { at: now } : from;
    const changes: UpcomingChange[] = [];
    for (let seen = 0; seen < MAX_SEEN;) {
      // One more than is missing tells whether there is a next page.
      const read = Math.min(limit - changes.length + 1, MAX_READ);
      const found = await readModel.listBoundaries(priceBookId, read, place, to)();
      if (E.isLeft(found)) return found;
      const { items, next } = found.right;
      for (const { at, holder, currency, cell } of items) {
        const skip =
          place.holder === holder && place.currency === currency && place.at === at ? (place.skip ?? 0) : 0;
        for (const [index, change] of changesAt(at, cell).entries()) {
          if (index < skip) continue;
          if (changes.length === limit) {
            return E.right({ changes, next: { at, holder, currency, ...(index > 0 && { skip: index }) } });
          }
          changes.push({ at, holder, currency, ...change });
        }
      }
      seen += items.length;
      if (next === undefined) return E.right({ changes, next });
      place = next;
      await setImmediate();
    }
    return E.right({ changes, next: place });
  };
