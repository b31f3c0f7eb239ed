/** The call that reads and subscribes: writes answers as fast as the client takes them. */
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { FaultState } from './faults';
import { answersTo, type Answer } from './read-answers';
import type { Store } from './store';
import * as wire from './wire';

export interface Reader {
  readonly read: (call: ServerWritableStream<ReadReq, Buffer>) => void;
  /** Ends all open subscriptions: with an error, or as if there were no more to come. */
  readonly dropSubscriptions: (ending?: wire.Ending) => void;
  readonly open: () => { readonly reads: number; readonly subscriptions: number };
}

interface OpenCall {
  readonly kind: 'read' | 'subscription';
  readonly pump: () => void;
  readonly end: (ending?: wire.Ending) => void;
}

export const createReader = (store: Store, { admit, whenReleased, takeReadBreak }: FaultState): Reader => {
  const calls = new Set<OpenCall>();
  const subscriptions = (): readonly OpenCall[] => [...calls].filter(({ kind }) => kind === 'subscription');

  const read = (call: ServerWritableStream<ReadReq, Buffer>): void => {
    const options = call.request.getOptions();
    if (options === undefined) return;
    const kind = options.hasSubscription() ? 'subscription' : 'read';
    let answers: Iterator<Answer, undefined> | undefined;
    let left = Infinity;
    let isFull = false;

    const pump = (): void => {
      while (answers !== undefined && !isFull && calls.has(opened)) {
        const answer = left === 0 ? wire.unavailable : answers.next().value;
        left -= 1;
        if (answer === 'wait') return;
        if (Buffer.isBuffer(answer)) isFull = !call.write(answer);
        else end(answer);
      }
    };
    const pumpWhenReleased = (): void => {
      whenReleased(kind, pump);
    };
    const end = (ending?: wire.Ending): void => {
      calls.delete(opened);
      if (ending === undefined) call.end();
      else call.emit('error', ending);
    };

    const opened: OpenCall = { kind, pump: pumpWhenReleased, end };
    calls.add(opened);
    call.on('cancelled', () => calls.delete(opened));
    call.on('drain', () => {
      isFull = false;
      pumpWhenReleased();
    });
    admit(kind, end, () => {
      answers = answersTo(options, store);
      if (kind === 'read') left = takeReadBreak() ?? Infinity;
      pump();
    });
  };

  let isWaking = false;
  // Appends that come together are answered first and then delivered together.
  store.onStored(() => {
    if (isWaking) return;
    isWaking = true;
    setImmediate(() => {
      isWaking = false;
      for (const { pump } of subscriptions()) pump();
    });
  });

  return {
    read,
    dropSubscriptions: (ending) => {
      for (const { end } of subscriptions()) end(ending);
    },
    open: () => {
      const { length } = subscriptions();
      return { reads: calls.size - length, subscriptions: length };
    },
  };
};
