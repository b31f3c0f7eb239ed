/**
 * Compares the live read model, entry by entry, with a replay of the events, while writes go on.
 *
 * The replay goes into a scratch read model, up to the checkpoint of the live one. Whatever looks different is
 * looked at once more: the replay is brought to the checkpoint that the live one has by then, and only after that
 * is the entry read anew. So it has all events that the replay has. If it is of no later revision of its book, it
 * has to be the same. If it is, it has to be what the stream of its book left at that revision. Neither depends on
 * how fast anything moves.
 */
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { createChainCheck } from '../hash-chain';
import type { EventStore, Position } from '../ports/event-store';
import {
  bookKey,
  type EntriesByName,
  type EntryKey,
  entryName,
  type PriceBookEntry,
  type ReadModelEntry,
} from '../ports/read-model-entries';
import { isStoreError } from '../ports/store-error';
import { existsAt } from '../projection/price-book-document';
import { keyOf } from '../projection/price-book-places';
import { changesOfRecorded } from '../projection/recorded-changes';
import { replay } from '../projection/replay';
import type { UndecodableEvent } from '../recorded-event';
import { bookRevision, compareEntries } from './compare-entries';
import { differencesOf, type Finding, type KeyShared } from './differences';
import { type Ahead, judgeAhead } from './judge-ahead';
import { keysToFollow, stateOf } from './later-states';
import type { Verified, VerifyError, VerifyOptions, VerifyParts } from './verification';

/** Events read at a time to check their hash chain alone. */
const PAGE = 100;
/** Events after the live read model that are counted at most. */
const MOST_BEHIND = 1_000;

/** Ends the run; caught where it began. */
class Stopped extends Error {
  constructor(readonly error: VerifyError) {
    super(error._tag);
  }
}

const orStop = async <A>(task: TE.TaskEither<VerifyError, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) throw new Stopped(result.left);
  return result.right;
};

const groupedByBook = (entries: readonly Ahead[]): readonly (readonly Ahead[])[] => {
  const groups = new Map<string, Ahead[]>();
  for (const one of entries) {
    const { priceBookId } = one.key;
    groups.set(priceBookId, [...(groups.get(priceBookId) ?? []), one]);
  }
  return [...groups.values()];
};

const nameOf = (found: EntriesByName, { priceBookId }: EntryKey): string | undefined => {
  const book = found.get(entryName(bookKey(priceBookId)));
  return book?._tag === 'PriceBook' ? book.value.name?.value : undefined;
};

const isKnown = <A extends ReadModelEntry>(entry: A): entry is Exclude<A, { readonly _tag: 'Unknown' }> =>
  entry._tag !== 'Unknown';

const run = async ({ eventStore, live, scratch }: VerifyParts, options: VerifyOptions): Promise<Verified> => {
  const { signal, onProgress } = options;
  const counted = { entries: 0, books: 0, events: 0, differences: 0, notCompared: 0, ofClones: 0 };
  let undecodable: UndecodableEvent | undefined;

  const tell = (finding: Finding): void => {
    counted.differences += 1;
    options.onDifference(finding);
  };

  const goOn = (): void => {
    if (signal.aborted) throw new Stopped({ _tag: 'Interrupted' });
  };

  const chain = createChainCheck();
  let chained: Position | undefined;
  /** Reads events, and checks the hash chain of those that come for the first time. */
  const readAll: EventStore['readAll'] = (after, limit) =>
    pipe(
      eventStore.readAll(after, limit),
      TE.map((events) => {
        for (const event of events) {
          if (chained !== undefined && event.position <= chained) continue;
          chained = event.position;
          const fault = chain.add(event);
          if (fault !== undefined) tell({ kind: 'broken chain', ...fault });
        }
        return events;
      }),
    );

  /** Checks the hash chain of what the live read model does not have yet, or cannot have. */
  const chainTheRest = async (): Promise<void> => {
    while ((await orStop(readAll(chained, PAGE))).length > 0) goOn();
  };

  /** Replays up to where the live read model is, as far as that can be read. */
  const advance = async (): Promise<void> => {
    const until = await orStop(live.checkpoint());
    const reached = await orStop(scratch.checkpoint());
    if (reached !== undefined && (until === undefined || until < reached)) {
      throw new Stopped({ _tag: 'WentBack' });
    }
    if (undecodable !== undefined || until === undefined || until === reached) return;
    const before = counted.events;
    const result = await replay({ readAll }, scratch, {
      until,
      signal,
      onProgress: ({ events, position }) => {
        counted.events = before + events;
        onProgress?.({ phase: 'replay', events: counted.events, position, until });
      },
    })();
    if (E.isRight(result)) return;
    if (result.left._tag !== 'UndecodableEvent') throw new Stopped(result.left);
    undecodable = result.left;
  };

  const judge = async (ahead: readonly Ahead[], found: EntriesByName): Promise<void> => {
    for (const group of groupedByBook(ahead)) {
      const [first] = group;
      if (first === undefined) continue;
      const judged =
        undecodable === undefined
          ? await judgeAhead(eventStore, group, bookRevision(found, first.key))()
          : E.left(undecodable);
      if (E.isRight(judged)) {
        counted.ofClones += judged.right.ofClone;
        for (const { key, live: entry, expected } of judged.right.wrong) {
          differencesOf(key, entry, expected, nameOf(found, key)).forEach(tell);
        }
        continue;
      }
      if (judged.left._tag !== 'UndecodableEvent') throw new Stopped(judged.left);
      undecodable = judged.left;
      counted.notCompared += group.length;
    }
  };

  /** Looks at some entries again, and tells of those that are not what the events say. */
  const settle = async (keys: readonly EntryKey[]): Promise<void> => {
    if (keys.length === 0) return;
    await advance();
    const now = await orStop(live.findEntries(keys));
    const found = await orStop(scratch.findEntries(keys.flatMap(keysToFollow)));
    const ahead: Ahead[] = [];
    for (const key of keys) {
      const [entry, replayed] = [now.get(entryName(key)), found.get(entryName(key))];
      const verdict = compareEntries(entry, replayed, bookRevision(found, key));
      if (verdict === 'different') differencesOf(key, entry, replayed, nameOf(found, key)).forEach(tell);
      if (verdict === 'ahead' && entry !== undefined) {
        ahead.push({ key, live: entry, state: stateOf(key, found) });
      }
    }
    await judge(ahead, found);
  };

  /** Everything that the live read model has: what is there and different, and what should not be there. */
  const compareLive = async (): Promise<void> => {
    for await (const page of live.entries()) {
      goOn();
      const known = page.filter(isKnown);
      const books = new Set(known.map(({ priceBookId }) => priceBookId));
      const found = await orStop(scratch.findEntries([...[...books].map(bookKey), ...known]));
      await settle(
        known.filter((entry) => {
          const replayed = found.get(entryName(entry));
          return compareEntries(entry, replayed, bookRevision(found, entry)) !== 'same';
        }),
      );
      for (const entry of page) {
        if (!isKnown(entry)) tell({ kind: 'extra', entry, bookName: undefined });
      }
      counted.entries += page.length;
      counted.books += page.filter(({ _tag }) => _tag === 'PriceBook').length;
      onProgress?.({ phase: 'compare', entries: counted.entries });
    }
  };

  const checkBases = async (books: readonly PriceBookEntry[]): Promise<void> => {
    const basesOf = books.flatMap(({ priceBookId, value }) => {
      const base = value.created?.basePriceBookIds[0];
      return base === undefined || !existsAt(value) ? [] : [{ priceBookId, value, base }];
    });
    const found = await orStop(scratch.findEntries(basesOf.map(({ base }) => bookKey(base))));
    for (const { priceBookId, value, base } of basesOf) {
      const entry = found.get(entryName(bookKey(base)));
      const document = entry?._tag === 'PriceBook' ? entry.value : undefined;
      if (document !== undefined && existsAt(document)) continue;
      const wasDeleted = document?.lifecycle !== undefined;
      tell({
        kind: 'base gone',
        priceBookId,
        bookName: value.name?.value,
        basePriceBookId: base,
        wasDeleted,
      });
    }
  };

  const holders = new Map<string, PriceBookId>();
  const shared: KeyShared[] = [];

  const collectKeys = (books: readonly PriceBookEntry[]): void => {
    for (const { priceBookId, value } of books) {
      const key = keyOf(value);
      if (key === undefined) continue;
      const other = holders.get(key) ?? priceBookId;
      const [first, second] = other < priceBookId ? [other, priceBookId] : [priceBookId, other];
      if (other !== priceBookId) shared.push({ kind: 'key shared', key, priceBookIds: [first, second] });
      holders.set(key, first);
    }
  };

  /** The replay has gone on since the books were seen: one may have passed its key to the other. */
  const checkKeys = async (): Promise<void> => {
    for (const finding of shared) {
      const found = await orStop(scratch.findEntries(finding.priceBookIds.map(bookKey)));
      const keys = [...found.values()].map((book) =>
        book._tag === 'PriceBook' ? keyOf(book.value) : undefined,
      );
      if (keys.length === 2 && keys.every((key) => key === finding.key)) tell(finding);
    }
  };

  /** Everything that the replay has made, and the live read model has not. */
  const findMissing = async (): Promise<void> => {
    for await (const page of scratch.entries()) {
      goOn();
      const known = page.filter(isKnown);
      const there = await orStop(live.findEntries(known));
      await settle(known.filter((entry) => !there.has(entryName(entry))));
      const books = known.filter((entry) => entry._tag === 'PriceBook');
      await checkBases(books);
      collectKeys(books);
    }
    await checkKeys();
  };

  const countBehind = async (): Promise<number> => {
    const rest = await orStop(eventStore.readAll(await orStop(live.checkpoint()), MOST_BEHIND));
    for (const recorded of rest) {
      const changes = changesOfRecorded(recorded);
      if (E.isLeft(changes)) undecodable ??= changes.left;
    }
    return rest.length;
  };

  await advance();
  await compareLive();
  await findMissing();
  await chainTheRest();
  const behind = await countBehind();
  return {
    ...counted,
    behind,
    unhashed: chain.unhashedStreams(),
    ...(undecodable !== undefined && { undecodable }),
  };
};

/** @returns what was compared, also where there are differences; an error where it could not be to the end. */
export const verify =
  (parts: VerifyParts, options: VerifyOptions): TE.TaskEither<VerifyError, Verified> =>
  async () => {
    try {
      return E.right(await run(parts, options));
    } catch (failure) {
      if (failure instanceof Stopped) return E.left(failure.error);
      // A walk has no other way to say why it ends.
      if (isStoreError(failure)) return E.left(failure);
      throw failure;
    }
  };
