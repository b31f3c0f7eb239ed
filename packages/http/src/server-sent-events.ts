/**
 * What is followed, as server-sent events of the WHATWG HTML standard (section 9.2): blocks of lines, each block ended
 * by an empty line. The client keeps the last id, and says it when it comes again.
 */
import type { FollowedPage, Following, HistoryEntry } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { historyEntryBody } from './answers/history-entry';

export const EVENT_STREAM = 'text/event-stream';

/** When clients come again that were cut off, from and to: not all in the same moment. */
const RETRY_MS = { from: 1_000, to: 3_000 };

/** Many followers are sent the same entries: each is written once for all of them. */
const written = new WeakMap<HistoryEntry, Buffer>();

const blockOf = (entry: HistoryEntry): Buffer => {
  const known = written.get(entry);
  if (known !== undefined) return known;
  // JSON has no line breaks of its own.
  const data = JSON.stringify(historyEntryBody(entry));
  const block = Buffer.from(`id: ${String(entry.revision)}\nevent: ${entry.event.type}\ndata: ${data}\n\n`);
  written.set(entry, block);
  return block;
};

interface Joined {
  readonly entries: readonly HistoryEntry[];
  readonly blocks: Buffer;
}

/** By the first of its entries, the last page that began with it: of all who are sent it, it takes memory once. */
const joined = new WeakMap<HistoryEntry, Joined>();

const blocksOf = (first: HistoryEntry, entries: readonly HistoryEntry[]): Buffer => {
  if (entries.length === 1) return blockOf(first);
  const known = joined.get(first);
  const isSame = known?.entries.length === entries.length && known.entries.every((e, n) => e === entries[n]);
  if (isSame) return known.blocks;
  const blocks = Buffer.concat(entries.map(blockOf));
  joined.set(first, { entries, blocks });
  return blocks;
};

/** At once, so that clients and proxies see that the stream is open. */
const greeting = (): string => {
  const retryMs = Math.round(RETRY_MS.from + Math.random() * (RETRY_MS.to - RETRY_MS.from));
  return `: following\nretry: ${String(retryMs)}\n\n`;
};

/** A comment, which means nothing. */
const HEARTBEAT = ':\n\n';

/**
 * The events as they come, and a heartbeat where none does.
 *
 * @param known the last revision that the client knows; -1 where it knows none.
 * @param isLetInStill asked before anything is sent: a key may be revoked or expire meanwhile.
 * @throws what `next` says where it cannot go on.
 */
export const serverSentEvents = async function* (
  following: Pick<Following, 'next'>,
  known: number,
  isLetInStill: () => boolean,
): AsyncGenerator<string | Uint8Array> {
  let lastId = known;

  const pieceOf = ({ entries, upTo }: FollowedPage): string | Uint8Array => {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first !== undefined && last !== undefined) {
      lastId = last.revision;
      return blocksOf(first, entries);
    }
    if (upTo <= lastId) return HEARTBEAT;
    // Without data it is no event, but who comes again need not be looked for so far again.
    lastId = upTo;
    return `id: ${String(upTo)}\n\n`;
  };

  /** Of a function of its own, so that no page stays in memory while its client takes it. */
  const nextPiece = async (): Promise<string | Uint8Array | undefined> => {
    const page = await following.next();
    // A stream has no other way to say why it ends.
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    if (E.isLeft(page)) throw page.left;
    return page.right === undefined ? undefined : pieceOf(page.right);
  };

  yield greeting();
  for (;;) {
    const piece = await nextPiece();
    if (piece === undefined || !isLetInStill()) return;
    yield piece;
  }
};
