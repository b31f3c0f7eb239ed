import * as E from 'fp-ts/Either';
import type { RegisterStatus } from './follow-register';
import type { Clock } from './ports/clock';
import type { EventStore, Position, RecordedEvent } from './ports/event-store';
import type { ReadModel } from './ports/read-model';
import type { Projector, ProjectorStatus } from './projection/projector';
import { readMetadata } from './recorded-event';
import type { WaitingTime } from './waiting-time';

/** How far the read side is behind the events. */
export interface Lag {
  /** Events that have not been applied; counted up to LAG_LIMIT. */
  readonly events: number;
  /** For how long the first of them has been waiting. */
  readonly seconds: number;
}

/** Whether requests can be answered, and what stands in the way. */
export interface Readiness {
  readonly isReady: boolean;
  /** `full` and `failing` where it is read as ever but takes no events: no room, or a disk that fails. */
  readonly eventStore: 'up' | 'down' | 'full' | 'failing';
  readonly readModel: 'up' | 'down';
  /** Absent where a process takes no keys, such as a projector of its own. */
  readonly keys?: {
    readonly state: Lowercase<RegisterStatus['_tag']>;
    /** The event that cannot be read, where there is one. */
    readonly unreadable?: { readonly stream: string; readonly revision: number };
  };
  readonly projection: {
    /** `elsewhere` where another process projects. */
    readonly state: Lowercase<ProjectorStatus['_tag']> | 'elsewhere';
    /** The position up to which the read side has come, and that of the last event; null before the first. */
    readonly position: string | null;
    readonly head: string | null;
    /** Null while a store is down. */
    readonly lag: Lag | null;
    /** The event that cannot be read, where there is one. */
    readonly stoppedAt?: { readonly stream: string; readonly revision: number };
  };
}

export interface ReadinessParts {
  readonly eventStore: EventStore;
  readonly readModel: Pick<ReadModel, 'checkpoint'>;
  /** The projector of this process; absent where another process projects. */
  readonly projector: Pick<Projector, 'status'> | undefined;
  /**
   * The position of the last event when this process started. Until the read side has come so far, books and prices
   * that exist are missing.
   */
  readonly start: Position | undefined;
  readonly clock: Clock;
  /** Whether the keys are known as they are; absent where this process takes no keys. */
  readonly keys?: (() => RegisterStatus) | undefined;
  /** Of this process: it remembers what was seen before. */
  readonly waitingTime: WaitingTime;
}

/** A read side that is further behind than so many events says so many. */
const LAG_LIMIT = 1_000;
/** Seconds without progress after which a read side that is behind does not count as ready. */
const STILL_LIMIT = 10;

const text = (position: Position | undefined): string | null =>
  position === undefined ? null : String(position);

const lagOf = async (
  { eventStore, clock, waitingTime }: ReadinessParts,
  position: Position | undefined,
  head: Position | undefined,
): Promise<(Lag & { readonly still: number }) | null> => {
  if (head === undefined || (position !== undefined && position >= head)) {
    return { events: 0, ...waitingTime.look(head, undefined) };
  }
  let first: RecordedEvent | undefined;
  let events = 0;
  // Stores answer with fewer than asked for where they are large.
  for (let after = position; events < LAG_LIMIT;) {
    const page = await eventStore.readAll(after, LAG_LIMIT - events)();
    if (E.isLeft(page)) return null;
    const last = page.right.at(-1);
    if (last === undefined) break;
    first ??= page.right[0];
    events += page.right.length;
    after = last.position;
  }
  const metadata = first === undefined ? undefined : readMetadata(first);
  const since = metadata !== undefined && E.isRight(metadata) ? metadata.right.occurredAt : clock.now();
  const byClock = (Date.parse(clock.now()) - Date.parse(since)) / 1_000;
  const waiting = first === undefined ? undefined : { position: first.position, seconds: byClock };
  return { events, ...waitingTime.look(head, waiting) };
};

const keysPart = (keys: RegisterStatus): NonNullable<Readiness['keys']> => ({
  state: keys._tag.toLowerCase() as Lowercase<RegisterStatus['_tag']>,
  ...(keys._tag === 'Unreadable' && {
    unreadable: { stream: keys.error.stream, revision: keys.error.revision },
  }),
});

/** Asks both stores, and the projector. */
export const checkReadiness = async (parts: ReadinessParts): Promise<Readiness> => {
  const { eventStore, readModel, projector, start } = parts;
  const [head, checkpoint] = await Promise.all([eventStore.head()(), readModel.checkpoint()()]);
  const isUp = E.isRight(head) && E.isRight(checkpoint);
  const obstacle = eventStore.obstacle?.();
  const status = projector?.status();
  const keys = parts.keys?.();
  const hasStarted =
    start === undefined ||
    (E.isRight(checkpoint) && checkpoint.right !== undefined && checkpoint.right >= start);
  const lag = isUp ? await lagOf(parts, checkpoint.right, head.right) : null;
  return {
    isReady:
      isUp &&
      obstacle === undefined &&
      hasStarted &&
      (status === undefined || status._tag === 'Running') &&
      (lag === null || lag.still < STILL_LIMIT) &&
      (keys === undefined || keys._tag === 'Current'),
    eventStore: E.isLeft(head) ? 'down' : (obstacle?.why ?? 'up'),
    readModel: E.isRight(checkpoint) ? 'up' : 'down',
    ...(keys !== undefined && { keys: keysPart(keys) }),
    projection: {
      state: (status?._tag.toLowerCase() ?? 'elsewhere') as Readiness['projection']['state'],
      position: E.isRight(checkpoint) ? text(checkpoint.right) : null,
      head: E.isRight(head) ? text(head.right) : null,
      lag: lag === null ? null : { events: lag.events, seconds: lag.seconds },
      ...(status?._tag === 'Stopped' &&
        status.error._tag === 'UndecodableEvent' && {
          stoppedAt: { stream: status.error.stream, revision: status.error.revision },
        }),
    },
  };
};
