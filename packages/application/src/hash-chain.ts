/**
 * The hash chain of a stream: the metadata of an event holds the hash of the event before it, and a hash over
 * everything in the event, that one included. So no event can be changed, inserted or removed without changing the
 * hash of every event after it: docs/decisions/0024-hash-chain.md.
 *
 * Events from before there were hashes are in the chain as well: theirs are computed when they are needed.
 */
import { hash as digest } from 'node:crypto';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { EventStore, RecordedEvent } from './ports/event-store';
import type { StoreError } from './ports/store-error';

/** Events read at a time. */
const PAGE = 50;

/** An event without its position, which is not part of it: another store has it at another one. */
export type ChainedEvent = Omit<RecordedEvent, 'position'>;

/** What the chain adds to the metadata of an event. */
export interface Hashes {
  /** Absent in the first event of a stream. */
  readonly previousHash?: string;
  readonly hash: string;
}

/** SHA-256, as base64url, of an event that lacks its hash: of its line in an export, without the line feed. */
const hashOf = ({ stream, revision, id, type, data, metadata }: ChainedEvent): string =>
  digest('sha256', JSON.stringify({ stream, revision, id, type, data, metadata }), 'base64url');

/** The metadata of an event with the two hashes; whatever hashes it has are replaced. */
export const withHashes = <Metadata extends object>(
  event: ChainedEvent & { readonly metadata: Metadata },
  previousHash: string | undefined,
): Metadata & Hashes => {
  const metadata = {
    ...event.metadata,
    ...(previousHash !== undefined && { previousHash }),
    hash: undefined,
  };
  return { ...metadata, hash: hashOf({ ...event, metadata }) };
};

const metadataOf = ({ metadata }: ChainedEvent): { readonly [K in keyof Hashes]?: unknown } =>
  typeof metadata === 'object' && metadata !== null ? metadata : {};

/** The hash that an event was kept with, if it was. */
export const hashIn = (event: ChainedEvent): string | undefined => {
  const { hash } = metadataOf(event);
  return typeof hash === 'string' ? hash : undefined;
};

/** The hash of an event: the one that it has, or else the one that it would have been given. */
export const hashAfter = (previousHash: string | undefined, event: ChainedEvent): string =>
  hashIn(event) ?? withHashes({ ...event, metadata: metadataOf(event) }, previousHash).hash;

/** The last event of a stream, as the next one follows it. */
export interface ChainEnd {
  readonly revision: number;
  /** Undefined where the event was kept without one. */
  readonly hash: string | undefined;
}

/**
 * The end of a stream with its hash. Where the last event was kept without one the stream is read whole; once, since
 * the next event will have one.
 */
export const withHash =
  (eventStore: Pick<EventStore, 'read'>) =>
  (stream: string, end: ChainEnd | undefined): TaskEither<StoreError, ChainEnd | undefined> =>
  async () => {
    if (end === undefined || end.hash !== undefined) return E.right(end);
    const { revision } = end;
    let hash: string | undefined;
    for (let from = 0; from <= revision; from += PAGE) {
      const limit = Math.min(PAGE, revision + 1 - from);
      const page = await eventStore.read(stream, { direction: 'forwards', from, limit })();
      if (E.isLeft(page)) return page;
      for (const event of page.right) hash = hashAfter(hash, event);
    }
    return E.right({ revision, hash });
  };

/** An event that is not what was written, or not where it was written. */
export interface ChainFault {
  readonly stream: string;
  readonly revision: number;
  /** What is wrong with it, to follow its name: `does not match its hash`. */
  readonly reason: string;
}

/** The last event of a stream. */
export interface ChainHead {
  readonly revision: number;
  /** Undefined where that event could not be read. */
  readonly hash: string | undefined;
  /** Whether the stream has any event with a hash. */
  readonly isHashed: boolean;
}

const reasonFor = (event: ChainedEvent, before: ChainHead | undefined): string | undefined => {
  const next = before === undefined ? 0 : before.revision + 1;
  if (event.revision !== next) return `comes where revision ${String(next)} belongs`;
  const { hash, ...metadata } = metadataOf(event);
  if (hash === undefined) {
    return before?.isHashed === true ? 'has no hash, although an event before it has one' : undefined;
  }
  if (hash !== hashOf({ ...event, metadata })) {
    return 'does not match its hash: it was changed after it was written';
  }
  const isAfterUnread = before !== undefined && before.hash === undefined;
  return isAfterUnread || metadata.previousHash === before?.hash
    ? undefined
    : 'does not follow the event before it: that one was changed or replaced later';
};

export interface ChainCheck {
  /**
   * Takes the next event of its stream, from the first on.
   *
   * @returns what is wrong with it; undefined where nothing is.
   */
  readonly add: (event: ChainedEvent) => ChainFault | undefined;
  /** Takes notice of an event that cannot be read. */
  readonly skip: (place: Pick<ChainedEvent, 'stream' | 'revision'>) => void;
  /** By stream. */
  readonly heads: ReadonlyMap<string, ChainHead>;
  /** How many streams have no hashes at all, so that a change of their events is not found. */
  readonly unhashedStreams: () => number;
}

/** Checks the chains of all streams at once. Memory grows with the number of streams, not of events. */
export const createChainCheck = (): ChainCheck => {
  const heads = new Map<string, ChainHead>();
  return {
    add: (event) => {
      const { stream, revision } = event;
      const before = heads.get(stream);
      const reason = reasonFor(event, before);
      const isHashed = before?.isHashed === true || metadataOf(event).hash !== undefined;
      heads.set(stream, { revision, hash: hashAfter(before?.hash, event), isHashed });
      return reason === undefined ? undefined : { stream, revision, reason };
    },
    skip: ({ stream, revision }) => {
      heads.set(stream, { revision, hash: undefined, isHashed: heads.get(stream)?.isHashed === true });
    },
    heads,
    unhashedStreams: () => [...heads.values()].filter(({ isHashed }) => !isHashed).length,
  };
};
