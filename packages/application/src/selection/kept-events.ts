/** Reads the kept events of selection rules. */
import * as E from 'fp-ts/Either';
import type { RecordedEvent } from '../ports/event-store';
import { decodeMetadata, type UndecodableEvent } from '../recorded-event';
import { type SelectionRuleEvent, selectionRuleEventCodec } from './events';

/** An event of a selection rule, and what goes with it. */
export interface DecodedRuleEvent {
  readonly event: SelectionRuleEvent;
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  /** The id of the API key. */
  readonly actor: string;
  readonly requestId: string;
  /** Absent where the client gave none. */
  readonly reason?: string;
}

export const decodeSelectionRuleEvent = (
  recorded: RecordedEvent,
): E.Either<UndecodableEvent, DecodedRuleEvent> => {
  const { type, data, stream, revision } = recorded;
  const metadata = decodeMetadata(recorded);
  if (E.isLeft(metadata)) return metadata;
  const { occurredAt, actor, $correlationId: requestId, reason } = metadata.right;
  const event = selectionRuleEventCodec.decode({ type, data });
  return E.isLeft(event)
    ? E.left({
        _tag: 'UndecodableEvent',
        stream,
        revision,
        reason: `its data are not those of a selection rule: ${type}`,
      })
    : E.right({
        event: event.right,
        revision,
        occurredAt,
        actor,
        requestId,
        ...(reason !== undefined && { reason }),
      });
};
