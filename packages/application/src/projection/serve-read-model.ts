/**
 * Answers queries from the live read model, and goes over to another when that takes its place, as a rebuild makes
 * it, without a query that fails or an answer that goes back in time.
 *
 * A new read model is announced before it is live. From then on whoever writes waits until both have the write, so
 * that it does not matter from which of them another process answers. What a look has said counts for a while only:
 * a process that was held up must look again before it answers, since its read model may be gone.
 */
import { setTimeout as delay } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import type { KeptReadModel, ReadModelStore } from '../ports/read-model-store';
import type { StoreError } from '../ports/store-error';
import type { Projector } from './projector';
import { followReadSide, type ReadSide } from './read-side';

/** What is asked of the read model by those who serve. */
export type ServedReadModel = Omit<ReadModel, 'apply' | 'changesTogether'>;

export interface ReadModelServer {
  readonly readModel: ServedReadModel;
  readonly readSide: ReadSide;
  /** The projector of the read model that answers; undefined where another process projects. */
  readonly projector: () => Projector | undefined;
  readonly close: () => Promise<void>;
}

export interface ReadModelServerParts {
  readonly store: ReadModelStore;
  /** Starts to project into a read model; absent where another process projects. */
  readonly project?: ((readModel: ReadModel) => Projector) | undefined;
  /** Told, in a sentence, of what an operator should know. */
  readonly report: (message: string) => void;
}

/** How often it is looked which read model is live. */
const LOOK_MS = 500;
/** How long one step of waiting for a read model takes at most. */
const STEP_MS = 1_000;
/** How long a query waits for a look: it is to be refused within 2 s where that cannot be had. */
const LOOK_WAIT_MS = 1_500;

/** A read model, and what keeps it up. */
interface Unit {
  readonly kept: KeptReadModel;
  readonly projector: Projector | undefined;
  readonly readSide: ReadSide;
  readonly close: () => Promise<void>;
}

const reasonOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

/** Opens the live read model. */
export const serveReadModel = async ({
  store,
  project,
  report,
}: ReadModelServerParts): Promise<ReadModelServer> => {
  const closing = new AbortController();
  const isClosing = (): boolean => closing.signal.aborted;

  const start = async (name: string): Promise<Unit> => {
    const kept = await store.open(name);
    const projector = project?.(kept);
    return {
      kept,
      projector,
      readSide: projector ?? followReadSide(kept),
      close: async () => {
        await projector?.close();
        await kept.close();
      },
    };
  };

  const lookNow = async () => {
    const at = performance.now();
    return { at, names: await store.look()() };
  };

  const first = await lookNow();
  if (E.isLeft(first.names)) throw new Error('reason' in first.names.left ? first.names.left.reason : '');
  let current = await start(first.names.right.live);
  let next: Unit | undefined;
  /** Those that other processes may still answer from. */
  let former: readonly Unit[] = [];
  let seenAt = first.at;

  const adopt = async (): Promise<void> => {
    const adopted = await store.adopted(current.kept.name)();
    if (E.isLeft(adopted))
      report(`the read model ${current.kept.name} could not be adopted: ${adopted.left.reason}`);
  };
  await adopt();

  const units = (): readonly Unit[] => [current, ...(next === undefined ? [] : [next]), ...former];

  const isBehind = (position: Position | undefined, unit: Unit): boolean => {
    const reached = unit.readSide.reached();
    return position !== undefined && (reached === undefined || reached < position);
  };

  /** How far the current one is known to have come. Where another process projects, what it says itself counts. */
  const currentPosition = async (): Promise<Position | undefined> => {
    if (current.projector !== undefined) return current.readSide.reached();
    const checkpoint = await current.kept.checkpoint()();
    return E.isRight(checkpoint) ? checkpoint.right : current.readSide.reached();
  };

  /** Waits until the next one has come as far as the current one; says whether it has. */
  const catchUp = async (unit: Unit): Promise<boolean> => {
    while (!isClosing()) {
      const position = await currentPosition();
      if (!isBehind(position, unit) && !isBehind(current.readSide.reached(), unit)) return true;
      if (position !== undefined) await unit.readSide.waitFor(position, STEP_MS);
      if (unit.projector?.status()._tag === 'Stopped') return false;
    }
    return false;
  };

  const linger = async (unit: Unit): Promise<void> => {
    former = [...former, unit];
    // Others see it at their next look, and answer from the old one until then.
    if (store.leaseMs !== undefined)
      await delay(store.leaseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    former = former.filter((one) => one !== unit);
    await unit.close();
  };
  let lingering: Promise<unknown> = Promise.resolve();

  const goOver = async (name: string): Promise<boolean> => {
    next ??= await start(name);
    if (!(await catchUp(next))) return false;
    // Nothing is awaited between that look at both positions and this.
    const old = current;
    current = next;
    next = undefined;
    await adopt();
    report(`the read model ${name} has taken the place of ${old.kept.name}`);
    lingering = Promise.all([lingering, linger(old)]);
    return true;
  };

  const dropNext = async (): Promise<void> => {
    const dropped = next;
    next = undefined;
    await dropped?.close();
  };

  const look = async (): Promise<void> => {
    const { at, names } = await lookNow();
    if (E.isLeft(names)) return;
    const { live, next: announced } = names.right;
    const expected = live === current.kept.name ? announced : live;
    if (next !== undefined && next.kept.name !== expected) await dropNext();
    if (announced !== undefined && announced !== current.kept.name) next ??= await start(announced);
    if (live === current.kept.name || (await goOver(live))) seenAt = at;
  };

  let looking: Promise<void> | undefined;
  /** Looks, unless somebody does already. */
  const lookOnce = (): Promise<void> => {
    looking ??= look()
      .catch((failure: unknown) => {
        report(`the live read model could not be told: ${reasonOf(failure)}`);
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };

  const watch = async (): Promise<void> => {
    while (!isClosing()) {
      await delay(LOOK_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      if (!isClosing()) await lookOnce();
    }
  };
  const watching = watch();

  const isFresh = (): boolean => store.leaseMs === undefined || performance.now() - seenAt < store.leaseMs;

  /** Whether the current one may be relied on; looks where that is not known. */
  const isTrusted = async (timeoutMs: number): Promise<boolean> => {
    if (isFresh()) return true;
    const isOver = new AbortController();
    await Promise.race([
      lookOnce(),
      delay(timeoutMs, undefined, { signal: isOver.signal }).catch(() => undefined),
    ]);
    isOver.abort();
    return isFresh();
  };

  /** Asks the read model that is live. */
  const ask =
    <Args extends readonly unknown[], A>(
      query: (readModel: ReadModel) => (...args: Args) => TaskEither<StoreError, A>,
    ) =>
    (...args: Args): TaskEither<StoreError, A> =>
    async () => {
      if (!isFresh() && !(await isTrusted(LOOK_WAIT_MS)))
        return E.left({ _tag: 'StoreUnavailable', reason: 'which read model is live cannot be told' });
      return query(current.kept)(...args)();
    };

  return {
    readModel: {
      checkpoint: ask((readModel) => readModel.checkpoint),
      findPriceBook: ask((readModel) => readModel.findPriceBook),
      listPriceBooks: ask((readModel) => readModel.listPriceBooks),
      findDerivedPriceBooks: ask((readModel) => readModel.findDerivedPriceBooks),
      findHoldings: ask((readModel) => readModel.findHoldings),
      findHoldingsHistory: ask((readModel) => readModel.findHoldingsHistory),
    },
    readSide: {
      reached: () => current.readSide.reached(),
      waitFor: async (position, timeoutMs) => {
        const until = performance.now() + timeoutMs;
        if (!(await isTrusted(timeoutMs))) return false;
        const reached = await Promise.all(
          units().map(({ readSide }) => readSide.waitFor(position, until - performance.now())),
        );
        return reached.every(Boolean);
      },
    },
    projector: () => current.projector,
    close: async () => {
      closing.abort();
      await watching;
      await lingering;
      for (const unit of units()) await unit.close();
    },
  };
};
