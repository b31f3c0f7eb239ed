/** What goes wrong on request: a state that the calls of the stand-in ask before they do their work. */
import type { status } from '@grpc/grpc-js';
import { type Ending, failing } from './wire';

/**
 * `append` is an append that is not stored yet, `answer` the answer to one that is, `features` the question that a
 * client asks before its first append; `read` and `subscription` are also those that are open already.
 */
export type Kind = 'features' | 'append' | 'answer' | 'read' | 'subscription' | 'delete';

type AppendFault =
  /** Ends the call with UNAVAILABLE, or closes the client's connection without a word. */
  | { readonly _tag: 'CutBeforeStoring' | 'CutAfterStoring'; readonly what: 'call' | 'connection' }
  | { readonly _tag: 'AnswerLate'; readonly milliseconds: number }
  /** On the stream of batch appends; a client that is not guarded against it dies of it. */
  | { readonly _tag: 'AnswerTwice' };

export interface Faults {
  /**
   * Takes requests of these kinds and leaves them lying until the function that comes back is called. They are
   * then done and answered, appends also where the client has given up meanwhile.
   */
  readonly hang: (...kinds: readonly Kind[]) => () => void;
  /** Ends calls of these kinds with UNAVAILABLE, open batch appends at their next message, until told otherwise. */
  readonly refuse: (...kinds: readonly Kind[]) => () => void;
  /** The same with another failure. */
  readonly refuseAs: (code: keyof typeof status, ...kinds: readonly Kind[]) => () => void;
  /** Several that are asked for take their turns, an append each. */
  readonly nextAppend: (fault: AppendFault, times?: number) => void;
  /** Ends the next read with UNAVAILABLE after so many messages. */
  readonly breakNextRead: (after: number) => void;
  /** Nothing hangs, is refused or will be cut from now on. */
  readonly heal: () => void;
}

export interface FaultState {
  readonly faults: Faults;
  /** Runs the action, later where such calls hang; ends the call instead where such are refused. */
  readonly admit: (kind: Kind, end: (ending: Ending) => void, action: () => void) => void;
  /** Runs the action, later where such calls hang. */
  readonly whenReleased: (kind: Kind, action: () => void) => void;
  readonly takeAppendFault: () => AppendFault | undefined;
  readonly takeReadBreak: () => number | undefined;
  /** How many requests of a kind have come. */
  readonly requests: (kind: Kind) => number;
  /** Lets go of all that hangs, undone. */
  readonly abandon: () => void;
}

export const createFaultState = (): FaultState => {
  const hangs = new Map<readonly Kind[], (() => void)[]>();
  const refusals = new Map<readonly Kind[], Ending>();
  const appendFaults: AppendFault[] = [];
  const readBreaks: number[] = [];
  const requests = new Map<Kind, number>();

  const whenReleased = (kind: Kind, action: () => void): void => {
    const held = [...hangs].find(([kinds]) => kinds.includes(kind))?.[1];
    if (held === undefined) action();
    else
      held.push(() => {
        whenReleased(kind, action);
      });
  };

  const release = (kinds: readonly Kind[]): void => {
    const held = hangs.get(kinds) ?? [];
    hangs.delete(kinds);
    for (const action of held) action();
  };

  const refuseAs: Faults['refuseAs'] = (code, ...kinds) => {
    refusals.set(kinds, failing(code));
    return () => {
      refusals.delete(kinds);
    };
  };

  return {
    whenReleased,
    admit: (kind, end, action) => {
      requests.set(kind, (requests.get(kind) ?? 0) + 1);
      const refusal = [...refusals].find(([kinds]) => kinds.includes(kind))?.[1];
      if (refusal === undefined) whenReleased(kind, action);
      else end(refusal);
    },
    requests: (kind) => requests.get(kind) ?? 0,
    takeAppendFault: () => appendFaults.shift(),
    takeReadBreak: () => readBreaks.shift(),
    abandon: () => {
      hangs.clear();
    },
    faults: {
      hang: (...kinds) => {
        hangs.set(kinds, []);
        return () => {
          release(kinds);
        };
      },
      refuse: (...kinds) => refuseAs('UNAVAILABLE', ...kinds),
      refuseAs,
      nextAppend: (fault, times = 1) => {
        appendFaults.push(...Array.from({ length: times }, () => fault));
      },
      breakNextRead: (after) => {
        readBreaks.push(after);
      },
      heal: () => {
        appendFaults.length = 0;
        readBreaks.length = 0;
        refusals.clear();
        for (const kinds of [...hangs.keys()]) release(kinds);
      },
    },
  };
};
