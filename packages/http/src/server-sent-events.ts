/**
 * What is followed, as server-sent events of the WHATWG HTML standard (section 9.2): blocks of lines, each block ended
 * by an empty line. The client keeps the last id, and says it when it comes again.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FollowedPage, Following } from '@pricebook/application';
import * as E from 'fp-ts/Either';

export const EVENT_STREAM = 'text/event-stream';

/** When clients come again that were cut off, from and to: not all in the same moment. */
const RETRY_MS = { from: 1_000, to: 3_000 };

/** The id that a client says when it comes again; undefined where it says none. */
export const lastEventIdIn = (headers: IncomingHttpHeaders): string | undefined => {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** An event as it is sent. */
interface SentEvent {
  readonly id: string;
  readonly event: string;
  /** JSON. */
  readonly data: unknown;
}

/** How the events that are followed are sent. */
export interface Sending<Entry extends object, Place> {
  readonly sentOf: (entry: Entry) => SentEvent;
  /** The id after which a client at a place goes on; undefined where it begins with the first event. */
  readonly idOf: (place: Place) => string | undefined;
}

interface Written {
  readonly id: string;
  readonly block: Buffer;
}

/** Many followers are sent the same entries: each is written once for all of them. */
const written = new WeakMap<object, Written>();

const writtenOf = <Entry extends object>(entry: Entry, sentOf: (entry: Entry) => SentEvent): Written => {
  const known = written.get(entry);
  if (known !== undefined) return known;
  const { id, event, data } = sentOf(entry);
  // JSON has no line breaks of its own.
  const block = Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const made = { id, block };
  written.set(entry, made);
  return made;
};

interface Joined {
  readonly entries: readonly object[];
  readonly blocks: Buffer;
}

/** By the first of its entries, the last page that began with it: of all who are sent it, it takes memory once. */
const joined = new WeakMap<object, Joined>();

const blocksOf = <Entry extends object>(
  first: Entry,
  entries: readonly Entry[],
  sentOf: (entry: Entry) => SentEvent,
): Buffer => {
  if (entries.length === 1) return writtenOf(first, sentOf).block;
  const known = joined.get(first);
  const isSame = known?.entries.length === entries.length && known.entries.every((e, n) => e === entries[n]);
  if (isSame) return known.blocks;
  const blocks = Buffer.concat(entries.map((entry) => writtenOf(entry, sentOf).block));
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
 * @param known the last id that the client knows; undefined where it knows none.
 * @param isLetInStill asked before anything is sent: a key may be revoked or expire meanwhile.
 * @throws what `next` says where it cannot go on.
 */
export const serverSentEvents = async function* <Entry extends object, Place>(
  following: Pick<Following<Entry, Place>, 'start' | 'next'>,
  { sentOf, idOf }: Sending<Entry, Place>,
  known: string | undefined,
  isLetInStill: () => boolean,
): AsyncGenerator<string | Uint8Array> {
  const startId = idOf(following.start);
  let lastId = startId;

  const pieceOf = ({ entries, next }: FollowedPage<Entry, Place>): string | Uint8Array => {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first !== undefined && last !== undefined) {
      lastId = writtenOf(last, sentOf).id;
      return blocksOf(first, entries, sentOf);
    }
    const id = idOf(next);
    if (id === undefined || id === lastId) return HEARTBEAT;
    // Without data it is no event, but who comes again need not be looked for so far again.
    lastId = id;
    return `id: ${id}\n\n`;
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
  // Who is cut off before the first event goes on from here.
  if (startId !== undefined && startId !== known) yield `id: ${startId}\n\n`;
  for (;;) {
    const piece = await nextPiece();
    if (piece === undefined || !isLetInStill()) return;
    yield piece;
  }
};
