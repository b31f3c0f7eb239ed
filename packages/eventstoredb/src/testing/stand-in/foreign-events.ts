/** Events that no client proposed: of the system, of others, not all of them JSON. Every EventStoreDB has such. */
import { randomUUID } from 'node:crypto';
import type { ProposedEvent } from './stored-event';

export const foreignEvent = (
  type: string,
  data: string,
  contentType = 'application/json',
): ProposedEvent => ({
  id: randomUUID(),
  type,
  contentType,
  data: Buffer.from(data),
  metadata: Buffer.alloc(0),
});

const makers = [
  () => ({ stream: '$stats-127.0.0.1:2113', event: foreignEvent('$statsCollected', '{"proc-cpu":1.5}') }),
  () => ({ stream: '$user-admin', event: foreignEvent('$UserCreated', '{"loginName":"admin"}') }),
  () => ({
    stream: 'somebody-else',
    event: foreignEvent('SomethingElse', '\0not JSON', 'application/octet-stream'),
  }),
] as const;

/** @param into the stream into which somebody writes; those of others where it is absent. */
export const foreignEvents = (
  count: number,
  into?: string,
): readonly { readonly stream: string; readonly event: ProposedEvent }[] =>
  Array.from({ length: count }, (_, index) =>
    into === undefined
      ? (makers[index % makers.length] ?? makers[0])()
      : { stream: into, event: foreignEvent('SomethingElse', '{}') },
  );
