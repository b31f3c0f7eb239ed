import * as E from 'fp-ts/Either';
import type { Clock } from './ports/clock';
import type { EventStore, Position } from './ports/event-store';
import type { ReadModel } from './ports/read-model';
import type { Projector, ProjectorStatus } from './projection/projector';
import { decodeMetadata } from './recorded-event';

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
  readonly eventStore: 'up' | 'down';
  readonly readModel: 'up' | 'down';
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
  readonly readModel: ReadModel;
  /** The projector of this process; absent where another process projects. */
  readonly projector: Pick<Projector, 'status'> | undefined;
  readonly clock: Clock;
}

/** A read side that is further behind than so many events says so many. */
const LAG_LIMIT = 1_000;

const text = (position: Position | undefined): string | null =>
  position === undefined ? null : String(position);

const lagOf = async (
  { eventStore, clock }: ReadinessParts,
  position: Position | undefined,
  head: Position | undefined,
): Promise<Lag | null> => {
  if (head === undefined || (position !== undefined && position >= head)) return { events: 0, seconds: 0 };
  const waiting = await eventStore.readAll(position, LAG_LIMIT)();
  if (E.isLeft(waiting)) return null;
  const [first] = waiting.right;
  const metadata = first === undefined ? undefined : decodeMetadata(first);
  const since = metadata !== undefined && E.isRight(metadata) ? metadata.right.occurredAt : clock.now();
  const seconds = Math.max(0, (Date.parse(clock.now()) - Date.parse(since)) / 1_000);
  return { events: waiting.right.length, seconds };
};

/** Asks both stores, and the projector. */
export const checkReadiness = async (parts: ReadinessParts): Promise<Readiness> => {
  const { eventStore, readModel, projector } = parts;
  const [head, checkpoint] = await Promise.all([eventStore.head()(), readModel.checkpoint()()]);
  const isUp = E.isRight(head) && E.isRight(checkpoint);
  const status = projector?.status();
  return {
    isReady: isUp && (status === undefined || status._tag === 'Running'),
    eventStore: E.isRight(head) ? 'up' : 'down',
    readModel: E.isRight(checkpoint) ? 'up' : 'down',
    projection: {
      state: (status?._tag.toLowerCase() ?? 'elsewhere') as Readiness['projection']['state'],
      position: E.isRight(checkpoint) ? text(checkpoint.right) : null,
      head: E.isRight(head) ? text(head.right) : null,
      lag: isUp ? await lagOf(parts, checkpoint.right, head.right) : null,
      ...(status?._tag === 'Stopped' &&
        status.error._tag === 'UndecodableEvent' && {
          stoppedAt: { stream: status.error.stream, revision: status.error.revision },
        }),
    },
  };
};
