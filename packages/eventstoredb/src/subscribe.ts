/** The subscription to all of our events. */
import type { EventBatch, EventStore, Position, RecordedEvent } from '@pricebook/application';
import { createSignal } from '@pricebook/application';
import { START, streamNameFilter } from '@eventstore/db-client';
import type { Connection } from './connection';
import { toStoreError } from './failures';
import { toPosition, toRecordedEvent, toStorePosition } from './positions';

/** What comes in one batch at most. */
const BATCH = { events: 2_000, bytes: 8 * 1024 * 1024 };
/** A checkpoint comes after so many times 32 events, ours or not: what was passed is not searched again. */
const CHECKPOINT_INTERVAL = 16;

interface Gathered {
  events: RecordedEvent[];
  bytes: number;
  checkpoint: Position | undefined;
}

const nothing = (): Gathered => ({ events: [], bytes: 0, checkpoint: undefined });

const isFull = ({ events, bytes }: Gathered): boolean =>
  events.length >= BATCH.events || bytes >= BATCH.bytes;

/**
 * Follows all streams whose names begin in one of some ways. While a batch is being worked on the next one is
 * gathered. Ends with a `StoreError` when the server ends it, for whatever reason: the caller resumes from the last
 * checkpoint.
 */
export const createSubscribe = (
  connection: Connection,
  prefixes: readonly string[],
): EventStore['subscribe'] =>
  async function* (after, signal): AsyncGenerator<EventBatch> {
    const isStopped = (): boolean => signal.aborted;
    if (isStopped()) return;
    let gathered = nothing();
    let failure: unknown;
    let isOver = false as boolean;
    const news = createSignal();
    const taken = createSignal();

    const subscription = connection.client().subscribeToAll({
      fromPosition: after === undefined ? START : toStorePosition(after),
      filter: streamNameFilter({
        prefixes: [...prefixes],
        checkpointInterval: CHECKPOINT_INTERVAL,
        checkpointReached: async (_subscription, position) => {
          // It comes when it arrives: events that came before may still wait to be taken.
          while (subscription.readableLength > 0 && !isOver && !isStopped()) await taken.next(signal);
          // Where they are left when the subscription ends, it would pass them.
          if (subscription.readableLength > 0) return;
          gathered.checkpoint = toPosition(position);
          news.raise();
        },
      }),
    });

    const take = (): void => {
      while (!isFull(gathered)) {
        const resolved = subscription.read() as {
          readonly event?: Parameters<typeof toRecordedEvent>[0];
        } | null;
        if (resolved === null) break;
        if (resolved.event === undefined) continue;
        gathered.checkpoint = toPosition(resolved.event.position);
        const event = toRecordedEvent(resolved.event);
        if (event === undefined) continue;
        gathered.events.push(event);
        gathered.bytes += JSON.stringify(event.data).length;
      }
      if (subscription.readableLength === 0) taken.raise();
      if (gathered.checkpoint !== undefined) news.raise();
    };
    const end = (reason: unknown): void => {
      if (isOver) return;
      isOver = true;
      failure = reason;
      taken.raise();
      news.raise();
    };

    subscription.on('readable', take);
    subscription.on('error', end);
    for (const event of ['end', 'close']) {
      subscription.on(event, () => {
        end(new Error('the subscription ended'));
      });
    }

    try {
      for (;;) {
        if (isStopped()) return;
        if (gathered.checkpoint === undefined) {
          // A subscription has no other way to say why it ends.
          // eslint-disable-next-line @typescript-eslint/only-throw-error
          if (isOver) throw toStoreError(failure);
          await news.next(signal);
          continue;
        }
        const { events, checkpoint } = gathered;
        gathered = nothing();
        // What did not find room is taken now.
        take();
        yield { events, checkpoint };
      }
    } finally {
      end(undefined);
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
    }
  };
