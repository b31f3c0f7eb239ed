/** A service that keeps the requests that it has done, and remembers them by their idempotency keys. */
import { createSheetRows, readRecords, readSheet, type SetPriceSheet } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { PriceService, ServiceFailure } from '../service';

const commandOf = (csv: string): SetPriceSheet => {
  const { rows, faults } = createSheetRows().take(readRecords(csv, 1, true));
  const command = readSheet(rows);
  if (faults.length > 0 || E.isLeft(command)) throw new Error(JSON.stringify([faults, command]));
  return command.right;
};

const eventsOf = ({ items, allProducts }: SetPriceSheet): number =>
  [items.length, Object.keys(allProducts).length].filter((count) => count > 0).length;

export interface FakeService extends PriceService {
  /** What was done, in order. */
  readonly done: readonly SetPriceSheet[];
  readonly bodies: readonly string[];
  /** How many requests came, also those that were done before. */
  readonly asked: () => number;
  /** Others write to the book. */
  readonly write: () => void;
}

/** @param failing what happens to a request, counted from 0, before it is done; undefined where nothing does. */
export const createFakeService = (
  failing: (request: number) => ServiceFailure | undefined = () => undefined,
): FakeService => {
  const remembered = new Map<string, number>();
  const done: SetPriceSheet[] = [];
  const bodies: string[] = [];
  let revision = 0;
  let asked = 0;
  return {
    address: 'http://fake',
    done,
    bodies,
    asked: () => asked,
    write: () => {
      revision += 1;
    },
    books: () => Promise.reject(new Error('not expected')),
    revisionOf: () => Promise.resolve(E.right(revision)),
    writableRevisionOf: () => Promise.resolve(E.right(revision)),
    prices: () => Promise.reject(new Error('not expected')),
    setPrices: (_bookId, csv, key) => {
      const failure = failing(asked);
      asked += 1;
      if (failure !== undefined) return Promise.resolve(E.left(failure));
      const before = remembered.get(key);
      if (before !== undefined) return Promise.resolve(E.right(before));
      const command = commandOf(csv);
      done.push(command);
      bodies.push(csv);
      revision += eventsOf(command);
      remembered.set(key, revision);
      return Promise.resolve(E.right(revision));
    },
  };
};
