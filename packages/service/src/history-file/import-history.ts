/** Carries a history over into a store, beginning where an earlier import ended. */
import type { EventStore } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { type AppendFailure, createAppender } from './append-groups';
import { batchesOf, type Group } from './groups';
import type { Patience } from '../command-line/patience';
import { createPlacement, type OtherEvents } from './placement';
import { type FaultyLine, readHistory } from './read-history';

export type ImportStop = FaultyLine | OtherEvents | AppendFailure;

interface ImportProgress {
  readonly appended: number;
  /** Were there already. */
  readonly skipped: number;
  readonly streams: number;
  /** How far the file is carried over. */
  readonly bytes: number;
}

export interface ImportOptions {
  /** How many appends the store takes in one turn and commits in that order, all or none; else 1. */
  readonly inFlight: number;
  readonly patience: Patience;
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface Imported extends ImportProgress {
  /** What kept it from coming to the end of the file. */
  readonly stop?: ImportStop;
}

/**
 * @param source the bytes of a history file.
 * @throws what reading the source throws, unless it was interrupted.
 */
export const importHistory = async (
  eventStore: EventStore,
  source: AsyncIterable<Buffer>,
  { inFlight, patience, onProgress }: ImportOptions,
): Promise<Imported> => {
  const isStopping = (): boolean => patience.signal.aborted;
  const placement = createPlacement(eventStore, patience);
  let progress: ImportProgress = { appended: 0, skipped: 0, streams: 0, bytes: 0 };
  const advance = (by: Partial<ImportProgress>): void => {
    progress = { ...progress, ...by, streams: placement.streams() };
    onProgress(progress);
  };
  const append = createAppender(eventStore, {
    inFlight,
    patience,
    onAppended: ({ events, end }) => {
      advance({ appended: progress.appended + events.length, bytes: end });
    },
  });

  const carryOver = async (groups: readonly Group[]): Promise<E.Either<ImportStop, void>> => {
    const placed = await placement.place(groups);
    const failed = placed.find(E.isLeft);
    const before = placed
      .slice(0, failed === undefined ? undefined : placed.indexOf(failed))
      .filter(E.isRight);
    advance({ skipped: before.reduce((sum, { right }) => sum + right.stored, progress.skipped) });
    const missing = before.map(({ right }) => right.missing).filter((group) => group !== undefined);
    const appended = await append(missing);
    if (E.isLeft(appended)) return appended;
    if (failed !== undefined) return failed;
    advance({ bytes: groups.at(-1)?.end ?? progress.bytes });
    return E.right(undefined);
  };

  const run = async (): Promise<ImportStop | undefined> => {
    try {
      for await (const batch of batchesOf(readHistory(source))) {
        if (isStopping()) return { _tag: 'Interrupted' };
        const outcome = E.isLeft(batch) ? batch : await carryOver(batch.right);
        if (E.isLeft(outcome)) return isStopping() ? { _tag: 'Interrupted' } : outcome.left;
      }
    } catch (failure) {
      // Reading may wait for a pipe: it is broken off.
      if (!isStopping()) throw failure;
      return { _tag: 'Interrupted' };
    }
    return undefined;
  };

  const stop = await run();
  return { ...progress, ...(stop !== undefined && { stop }) };
};
