/**
 * Judges entries that are ahead of the replay, as those are that were written a moment ago: each has to be what the
 * events of its book left at some revision. The stream of the book says so, whatever happens meanwhile.
 */
import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import type { EventStore } from '../ports/event-store';
import type { EntryKey, KnownEntry } from '../ports/read-model-entries';
import type { StoreError } from '../ports/store-error';
import { cloneIn } from '../projection/clone-holdings';
import { changesOfRecorded } from '../projection/recorded-changes';
import { streamOf, type UndecodableEvent } from '../recorded-event';
import { isOf, revisionOf } from './compare-entries';
import { type EntryState, stateAfter } from './later-states';

/** Events that are read at once. */
const PAGE = 100;

/** An entry of one book that is ahead. */
export interface Ahead {
  readonly key: EntryKey;
  readonly live: KnownEntry;
  /** Where the replay stands with it. */
  readonly state: EntryState;
}

/** One that no event has led to, and what the events say instead. */
interface Wrong {
  readonly key: EntryKey;
  readonly live: KnownEntry;
  readonly expected: KnownEntry | undefined;
}

export interface Judged {
  readonly wrong: readonly Wrong[];
  /** Of a book that is being cloned: what it begins with hangs on other books, and cannot be told from its stream. */
  readonly ofClone: number;
}

/**
 * @param after the revision of the book up to which the replay has come.
 * @returns what is wrong, once the stream has reached their revision, or has none so high.
 */
export const judgeAhead =
  (
    eventStore: Pick<EventStore, 'read'>,
    entries: readonly Ahead[],
    after: number,
  ): TE.TaskEither<StoreError | UndecodableEvent, Judged> =>
  async () => {
    const wrong: Wrong[] = [];
    let open = [...entries];
    let from = after + 1;
    const [first] = entries;
    if (first === undefined) return E.right({ wrong, ofClone: 0 });
    const stream = streamOf(first.key.priceBookId);
    while (open.length > 0) {
      const page = await eventStore.read(stream, { direction: 'forwards', from, limit: PAGE })();
      if (E.isLeft(page)) return page;
      for (const recorded of page.right) {
        const changes = changesOfRecorded(recorded);
        if (E.isLeft(changes)) return changes;
        if (cloneIn(changes.right) !== undefined) return E.right({ wrong, ofClone: open.length });
        open = open.map((one) => ({
          ...one,
          state: changes.right.reduce((state, change) => stateAfter(one.key, state, change), one.state),
        }));
        // Nothing older than its own revision can be it, and nothing later would have left it there.
        for (const { key, live, state } of open.filter((one) => revisionOf(one.live) === recorded.revision)) {
          const isRight = state.entry !== undefined && isOf(live, state.entry);
          if (!isRight) wrong.push({ key, live, expected: state.entry });
        }
        open = open.filter(({ live }) => revisionOf(live) > recorded.revision);
      }
      from += page.right.length;
      if (page.right.length > 0) continue;
      for (const { key, live, state } of open) wrong.push({ key, live, expected: state.entry });
      break;
    }
    return E.right({ wrong, ofClone: 0 });
  };
