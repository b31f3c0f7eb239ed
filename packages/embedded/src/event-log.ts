/**
 * The tables of the event store: `about` has its id; `log` has all events by position, from 1 up without gaps; `streams` has the
 * position of each event by stream and revision.
 */
import { randomUUID } from 'node:crypto';
import type {
  Appended,
  ExpectedRevision,
  NewEvent,
  ReadOptions,
  RecordedEvent,
} from '@pricebook/application';
import type { RootDatabase } from 'lmdb';
import { Damage } from './damage';
import { decodeRecord, encodeBody, encodeRecord } from './event-record';

export const REVISION_BYTES = 6;
const MAX_REVISION = 2 ** 48 - 1;

/** Events as they go into the log, but for their positions. */
export interface Prepared {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
  readonly bodies: readonly Buffer[];
}

export interface EventLog {
  /** Tells this log from all others; made with it. */
  readonly id: string;
  /** The position of the last event; 0 in an empty log. */
  readonly last: () => number;
  /** Events from a position on; at least one where there is one, and no more once they have so many bytes. */
  readonly from: (
    position: number,
    limits: { readonly events: number; readonly bytes: number },
  ) => readonly RecordedEvent[];
  readonly read: (stream: string, options: ReadOptions) => readonly RecordedEvent[];
  /** For use within a write transaction. Either all events are added, or it changes nothing and says why. */
  readonly append: (prepared: Prepared) => Appended | { readonly actual: ExpectedRevision };
  /** Commits something that changes nothing. */
  readonly touch: () => void;
  /** Makes the next reads see what other processes have written. */
  readonly refresh: () => void;
}

/** The revision of the first event after the expected one. */
const firstRevision = (expected: ExpectedRevision): number => (expected === 'noStream' ? 0 : expected + 1);

/** Does what can be done before the transaction. */
export const prepare = (
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): Prepared => ({
  stream,
  expected,
  events,
  bodies: events.map((event, index) => encodeBody(stream, firstRevision(expected) + index, event)),
});

/** Streams by name, the events of each by revision. Names hold no NUL, so none is the beginning of another. */
const streamKey = (stream: string, revision: number): Buffer => {
  const name = Buffer.from(`${stream}\0`, 'utf8');
  const key = Buffer.alloc(name.length + REVISION_BYTES);
  name.copy(key);
  key.writeUIntBE(revision, name.length, REVISION_BYTES);
  return key;
};

const revisionOf = (key: Buffer): number => key.readUIntBE(key.length - REVISION_BYTES, REVISION_BYTES);

/** @param file its name for error messages. */
export const openEventLog = (environment: RootDatabase, file: string): EventLog => {
  const log = environment.openDB<Buffer, number>('log', { keyEncoding: 'uint32', encoding: 'binary' });
  const streams = environment.openDB<number, Buffer>('streams', { keyEncoding: 'binary' });
  const about = environment.openDB<string, string>('about', { encoding: 'string' });

  const last = (): number => {
    for (const position of log.getKeys({ reverse: true, limit: 1 })) return position;
    return 0;
  };

  const decode = (record: Buffer | undefined, position: number): RecordedEvent => {
    if (record === undefined) throw new Damage(file, `the event at position ${String(position)} is missing`);
    const event = decodeRecord(record, position);
    if (event === undefined) {
      throw new Damage(file, `the event at position ${String(position)} is not as it was written`);
    }
    return event;
  };

  /** Positions of a stream from a revision on, up or down, checked to be without gaps. */
  const positions = (
    stream: string,
    { direction, from, limit }: ReadOptions,
  ): readonly { readonly revision: number; readonly position: number }[] => {
    const isForwards = direction === 'forwards';
    const start = streamKey(stream, from ?? (isForwards ? 0 : MAX_REVISION));
    const end = streamKey(stream, isForwards ? MAX_REVISION : 0);
    const found: { readonly revision: number; readonly position: number }[] = [];
    let expected = isForwards ? (from ?? 0) : undefined;
    // The bound that is passed as the end of a range is left out of it.
    for (const { key, value } of streams.getRange({
      start,
      end,
      reverse: !isForwards,
      limit,
      inclusiveEnd: true,
    })) {
      const revision = revisionOf(key);
      if (expected !== undefined && revision !== expected) {
        throw new Damage(file, `revision ${String(expected)} of ${stream} is missing`);
      }
      expected = isForwards ? revision + 1 : revision - 1;
      found.push({ revision, position: value });
    }
    return found;
  };

  const read = (stream: string, options: ReadOptions): readonly RecordedEvent[] =>
    positions(stream, options).map(({ revision, position }) => {
      const event = decode(log.get(position), position);
      if (event.stream !== stream || event.revision !== revision) {
        throw new Damage(
          file,
          `the event at position ${String(position)} is not revision ${String(revision)} of ${stream}`,
        );
      }
      return event;
    });

  /** Where the same events stand, if they were appended before. */
  const findResent = ({ stream, expected, events }: Prepared): Appended | undefined => {
    const from = firstRevision(expected);
    const stored = read(stream, { direction: 'forwards', from, limit: events.length });
    const final = stored.at(-1);
    const isSame =
      stored.length === events.length && events.every(({ id }, index) => stored[index]?.id === id);
    return isSame && final !== undefined
      ? { lastRevision: final.revision, position: final.position }
      : undefined;
  };

  const lastRevisionOf = (stream: string): ExpectedRevision => {
    const range = { start: streamKey(stream, MAX_REVISION), end: streamKey(stream, 0), inclusiveEnd: true };
    for (const key of streams.getKeys({ ...range, reverse: true, limit: 1 })) return revisionOf(key);
    return 'noStream';
  };

  const identify = (): string =>
    about.get('id') ??
    // Two processes may make the file at the same time.
    about.transactionSync(() => {
      const known = about.get('id');
      if (known !== undefined) return known;
      const id = randomUUID();
      about.putSync('id', id);
      return id;
    });

  return {
    id: identify(),
    last,
    read,

    from: (position, limits) => {
      const events: RecordedEvent[] = [];
      let bytes = 0;
      let next = position;
      for (const { key, value } of log.getRange({ start: position, limit: limits.events })) {
        if (key !== next) throw new Damage(file, `the event at position ${String(next)} is missing`);
        next += 1;
        bytes += value.length;
        events.push(decode(value, key));
        if (bytes >= limits.bytes) break;
      }
      return events;
    },

    append: (prepared) => {
      const { stream, expected, bodies } = prepared;
      const actual = lastRevisionOf(stream);
      if (actual !== expected) return findResent(prepared) ?? { actual };
      const first = last() + 1;
      const revision = firstRevision(expected);
      bodies.forEach((body, index) => {
        const position = first + index;
        void log.put(position, encodeRecord(body, position));
        void streams.put(streamKey(stream, revision + index), position);
      });
      const count = bodies.length - 1;
      return { lastRevision: revision + count, position: BigInt(first + count) };
    },

    touch: () => {
      about.putSync('confirmed', new Date().toISOString());
    },

    refresh: () => {
      log.resetReadTxn();
    },
  };
};
