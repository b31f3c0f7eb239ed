/** What a read or a subscription is answered, made as it is taken. */
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { isSoftDeleted, isTombstoned, type Store } from './store';
import { TOMBSTONE_REVISION, type StoredEvent } from './stored-event';
import * as wire from './wire';

/** A message, that there is nothing more for now, or how the call ends. */
export type Answer = Buffer | 'wait' | wire.Ending;

const { BACKWARDS } = ReadReq.Options.ReadDirection;
/** Filters look at so many events at a time; checkpoints come at multiples of it. */
const SEARCH_WINDOW = 32;

type Filter = ReadReq.Options.FilterOptions;

const matcherOf = (filter: Filter): ((event: StoredEvent) => boolean) => {
  const expression = filter.getStreamIdentifier() ?? filter.getEventType();
  const subject = (event: StoredEvent): string => (filter.hasStreamIdentifier() ? event.stream : event.type);
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = expression?.getRegex() ?? '';
  if (regex === '') return (event) => prefixes.some((prefix) => subject(event).startsWith(prefix));
  const pattern = new RegExp(regex);
  return (event) => pattern.test(subject(event));
};

/** Passes on what matches, and tells how far it has looked, at intervals. */
const filtered = (filter: Filter): ((event: StoredEvent) => readonly Answer[]) => {
  const matches = matcherOf(filter);
  const searchWindow = filter.hasMax() ? filter.getMax() : SEARCH_WINDOW;
  const interval = searchWindow * filter.getCheckpointintervalmultiplier();
  let considered = 0;
  return (event) => {
    considered += 1;
    const found = matches(event) ? [wire.eventMessage(event)] : [];
    return considered % interval === 0 ? [...found, wire.checkpointMessage(event.position)] : found;
  };
};

/** Everything from an index on, and whatever comes later. */
function* follow(
  events: readonly StoredEvent[],
  start: number,
  visit: (event: StoredEvent) => readonly Answer[],
): Generator<Answer, undefined> {
  yield wire.confirmationMessage();
  let isCaughtUp = false;
  for (let index = start; ;) {
    const event = events[index];
    if (event !== undefined) {
      index += 1;
      yield* visit(event);
    } else if (isCaughtUp) {
      yield 'wait';
    } else {
      isCaughtUp = true;
      yield wire.caughtUpMessage;
    }
  }
}

/** Messages of the visible events from an index on, at most so many. */
function* once(
  events: readonly StoredEvent[],
  start: number,
  step: 1 | -1,
  count: number,
  isVisible: (event: StoredEvent) => boolean,
): Generator<Answer, undefined> {
  let left = count;
  for (let index = start; left > 0; index += step) {
    const event = events[index];
    if (event === undefined) return;
    if (!isVisible(event)) continue;
    left -= 1;
    yield wire.eventMessage(event);
  }
}

export function* answersTo(options: ReadReq.Options, store: Store): Generator<Answer, undefined> {
  const ofStream = options.getStream();
  const ofAll = options.getAll();
  const name = wire.nameOf(ofStream?.getStreamIdentifier());
  const stream = ofStream === undefined ? undefined : store.stream(name);
  if (stream !== undefined && isTombstoned(stream)) {
    yield wire.streamDeleted(name);
    return;
  }
  const events = stream?.events ?? store.all;
  const isVisible = ({ revision }: StoredEvent): boolean =>
    stream === undefined || revision >= stream.truncateBefore;

  const isEnd = (ofStream ?? ofAll)?.hasEnd() === true;
  const given = ofStream?.hasRevision() ? ofStream.getRevision() : ofAll?.getPosition()?.getCommitPosition();
  const place = given === undefined ? undefined : BigInt(given);
  const indexFrom = (first: bigint): number => {
    const index = events.findIndex(({ revision, position }) => (stream ? revision : position) >= first);
    return isEnd || index === -1 ? events.length : index;
  };

  if (options.hasSubscription()) {
    // It begins after the place that it names.
    const start = isEnd || place !== undefined ? indexFrom((place ?? 0n) + 1n) : 0;
    const filter = options.getFilter();
    const visit = (event: StoredEvent): readonly Answer[] => {
      const ending = stream && event.revision === TOMBSTONE_REVISION ? [wire.streamDeleted(name)] : [];
      return isVisible(event) ? [wire.eventMessage(event), ...ending] : [];
    };
    yield* follow(events, start, filter === undefined ? visit : filtered(filter));
  } else if (stream !== undefined && (events.length === 0 || isSoftDeleted(stream))) {
    yield wire.streamNotFoundMessage(name);
  } else if (options.getReadDirection() === BACKWARDS) {
    // Backwards a revision is that of the first event, a position that of the event after it.
    const end = indexFrom((place ?? 0n) + (stream ? 1n : 0n));
    yield* once(events, end - 1, -1, Number(options.getCount()), isVisible);
  } else {
    yield* once(events, indexFrom(place ?? 0n), 1, Number(options.getCount()), isVisible);
  }
}
