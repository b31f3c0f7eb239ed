import * as E from 'fp-ts/Either';
import type { EventStore } from './ports/event-store';
import type { ReadModel } from './ports/read-model';
import type { Projector, ProjectorStatus } from './projection/projector';

/** Whether requests can be answered, and what stands in the way. */
export interface Readiness {
  readonly isReady: boolean;
  readonly eventStore: 'up' | 'down';
  readonly readModel: 'up' | 'down';
  readonly projection: {
    readonly state: Lowercase<ProjectorStatus['_tag']>;
    /** The position up to which the read side has come, and that of the last event; null before the first. */
    readonly position: string | null;
    readonly head: string | null;
    /** The event that cannot be read, where there is one. */
    readonly stoppedAt?: { readonly stream: string; readonly revision: number };
  };
}

const text = (position: bigint | undefined): string | null =>
  position === undefined ? null : String(position);

/** Asks both stores, and the projector. */
export const checkReadiness = async (
  eventStore: EventStore,
  readModel: ReadModel,
  projector: Pick<Projector, 'status'>,
): Promise<Readiness> => {
  const [head, checkpoint] = await Promise.all([eventStore.head()(), readModel.checkpoint()()]);
  const status = projector.status();
  return {
    isReady: E.isRight(head) && E.isRight(checkpoint) && status._tag === 'Running',
    eventStore: E.isRight(head) ? 'up' : 'down',
    readModel: E.isRight(checkpoint) ? 'up' : 'down',
    projection: {
      state: status._tag.toLowerCase() as Lowercase<ProjectorStatus['_tag']>,
      position: text(status.position),
      head: E.isRight(head) ? text(head.right) : null,
      ...(status._tag === 'Stopped' &&
        status.error._tag === 'UndecodableEvent' && {
          stoppedAt: { stream: status.error.stream, revision: status.error.revision },
        }),
    },
  };
};
