/** The streams, `$all` and the rules of appending, as EventStoreDB has them; in memory, with a file beneath if wanted. */
import { openDataFile } from './data-file';
import { foreignEvent } from './foreign-events';
import { bytesOf, TOMBSTONE_REVISION, type ProposedEvent, type StoredEvent } from './stored-event';

export type Expected = 'any' | 'no_stream' | 'stream_exists' | bigint;

export type Outcome =
  /** Stored now or, where the same ids came before, then. */
  | { readonly _tag: 'Stored'; readonly revision: bigint; readonly position: bigint }
  | { readonly _tag: 'WrongRevision'; readonly actual: bigint }
  | { readonly _tag: 'StreamDeleted' };

export interface Stream {
  /** By revision, none missing; a tombstone comes last. */
  readonly events: StoredEvent[];
  /** Revisions below are gone for readers of the stream; all of them, where it was deleted softly. */
  truncateBefore: bigint;
}

export interface Store {
  readonly all: readonly StoredEvent[];
  /** The same object each time, also for a stream that is yet to come. */
  readonly stream: (name: string) => Readonly<Stream>;
  readonly append: (name: string, expected: Expected, events: readonly ProposedEvent[]) => Outcome;
  readonly softDelete: (name: string, expected: Expected) => Outcome;
  readonly tombstone: (name: string, expected: Expected) => Outcome;
  /** Has the listener called after each append. */
  readonly onStored: (listener: () => void) => void;
  /** Forgets which ids were appended, as a restart does. */
  readonly forgetIds: () => void;
  readonly close: () => void;
}

export const NO_REVISION = -1n;
const FIRST_POSITION = 2112n;
const BYTES_AROUND_AN_EVENT = 136;

const lastRevision = ({ events }: Stream): bigint => events.at(-1)?.revision ?? NO_REVISION;

export const isTombstoned = (stream: Stream): boolean => lastRevision(stream) === TOMBSTONE_REVISION;

/** The largest revision comes out of JSON larger than it went in, as a number. */
export const isSoftDeleted = ({ truncateBefore }: Stream): boolean => truncateBefore >= TOMBSTONE_REVISION;

const stored = ({ revision, position }: Pick<StoredEvent, 'revision' | 'position'>): Outcome => ({
  _tag: 'Stored',
  revision,
  position,
});

const metadataStream = (name: string): string => `$$${name}`;
const truncation = (before: bigint): ProposedEvent => foreignEvent('$metadata', `{"$tb":${String(before)}}`);

export const openStore = (file: string | undefined): Store => {
  const all: StoredEvent[] = [];
  const streams = new Map<string, Stream>();
  const listeners: (() => void)[] = [];
  /** The last event with each id; a memory of this process only, from a position on. */
  const remembered = new Map<string, StoredEvent>();
  let rememberedFrom = 0n;

  const streamNamed = (name: string): Stream => {
    const known = streams.get(name);
    if (known !== undefined) return known;
    const unheardOf = { events: [], truncateBefore: 0n };
    streams.set(name, unheardOf);
    return unheardOf;
  };

  const load = (events: readonly StoredEvent[]): void => {
    for (const event of events) {
      all.push(event);
      streamNamed(event.stream).events.push(event);
      if (event.type !== '$metadata') continue;
      const { $tb = 0 } = JSON.parse(Buffer.from(event.data).toString('utf8')) as { readonly $tb?: number };
      streamNamed(event.stream.slice(metadataStream('').length)).truncateBefore = BigInt($tb);
    }
  };
  const dataFile = file === undefined ? undefined : openDataFile(file, load);

  /** Positions are like offsets into a log of bytes: they ascend with gaps that mean nothing. */
  const nextPosition = (last = all.at(-1)): bigint =>
    last === undefined ? FIRST_POSITION : last.position + BigInt(BYTES_AROUND_AN_EVENT + bytesOf(last));

  const forgetIds = (): void => {
    remembered.clear();
    rememberedFrom = nextPosition();
  };
  forgetIds();

  /** Adds events to the end of their streams, all or none. */
  const add = (
    events: readonly { readonly stream: string; readonly event: ProposedEvent; readonly revision?: bigint }[],
  ): Outcome => {
    const next = new Map<string, bigint>();
    const added: StoredEvent[] = [];
    for (const { stream, event, revision: given } of events) {
      const revision = given ?? next.get(stream) ?? lastRevision(streamNamed(stream)) + 1n;
      next.set(stream, revision + 1n);
      const position = nextPosition(added.at(-1));
      added.push({ ...event, stream, revision, position, created: Date.now() });
    }
    dataFile?.write(added);
    load(added);
    for (const event of added) remembered.set(event.id, event);
    for (const listener of listeners) listener();
    return stored(added.at(-1) ?? { revision: NO_REVISION, position: nextPosition() });
  };

  /** What stands against adding the events; undefined where nothing does. */
  const judge = (name: string, expected: Expected, events: readonly ProposedEvent[]): Outcome | undefined => {
    const stream = streamNamed(name);
    const actual = lastRevision(stream);
    const wrong: Outcome = { _tag: 'WrongRevision', actual };
    if (isTombstoned(stream)) return { _tag: 'StreamDeleted' };
    if (expected === 'stream_exists' && isSoftDeleted(stream)) return { _tag: 'StreamDeleted' };
    if (expected === 'stream_exists' && actual === NO_REVISION) return wrong;

    const revision = expected === 'no_stream' ? NO_REVISION : expected;
    if (revision === actual) return undefined;
    if (typeof revision === 'bigint' && revision > actual) return wrong;

    const earlier = events.map(({ id }, index) => {
      const candidate =
        typeof revision === 'bigint' ? stream.events[Number(revision) + 1 + index] : remembered.get(id);
      const isSame =
        candidate?.id === id && candidate.stream === name && candidate.position >= rememberedFrom;
      return isSame ? candidate : undefined;
    });
    const last = earlier.at(-1);
    if (last !== undefined && !earlier.includes(undefined)) return stored(last);
    const isAnew = typeof revision !== 'bigint' || (revision === NO_REVISION && isSoftDeleted(stream));
    return isAnew && earlier[0] === undefined ? undefined : wrong;
  };

  return {
    all,
    stream: streamNamed,
    append: (name, expected, events) => {
      const stream = streamNamed(name);
      // Numbering goes on where the deleted stream ended.
      const revival =
        isSoftDeleted(stream) && events.length > 0
          ? [{ stream: metadataStream(name), event: truncation(lastRevision(stream) + 1n) }]
          : [];
      return (
        judge(name, expected, events) ??
        add([...revival, ...events.map((event) => ({ stream: name, event }))])
      );
    },
    softDelete: (name, expected) =>
      judge(name, expected, []) ??
      add([{ stream: metadataStream(name), event: truncation(TOMBSTONE_REVISION) }]),
    tombstone: (name, expected) =>
      judge(name, expected, []) ??
      add([{ stream: name, event: foreignEvent('$streamDeleted', ''), revision: TOMBSTONE_REVISION }]),
    onStored: (listener) => {
      listeners.push(listener);
    },
    forgetIds,
    close: () => dataFile?.close(),
  };
};
