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
import type { EventStore, Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import type { KeptReadModel, ReadModelNames, ReadModelStore } from '../ports/read-model-store';
import type { StoreError } from '../ports/store-error';
import { createGate } from './gate';
import type { Projector } from './projector';
import { followReadSide, type ReadSide } from './read-side';
import { within } from '../within';

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
  /** Says how many events there are. */
  readonly eventStore: Pick<EventStore, 'head'>;
  /** Starts to project into a read model; absent where another process projects. */
  readonly project?: ((readModel: ReadModel) => Projector) | undefined;
  /** Told, in a sentence, of what an operator should know. */
  readonly report: (message: string) => void;
  /** How often it is looked which read model is live. */
  readonly lookMs?: number;
}

const LOOK_MS = 500;
/** How long one step of waiting for a read model takes at most. */
const STEP_MS = 1_000;
/** How long a query waits for a look: it is to be refused within 2 s where that cannot be had. */
const LOOK_WAIT_MS = 1_500;
/** How long queries are held for the next read model to have every event. */
const HOLD_MS = 250;
/** How often a query is asked, where the time of a look ran out meanwhile. */
const ATTEMPTS = 2;

/** A read model, and what keeps it up. */
interface Unit {
  readonly kept: KeptReadModel;
  readonly projector: Projector | undefined;
  readonly readSide: ReadSide;
  readonly close: () => Promise<void>;
}

const reasonOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

const unavailable: StoreError = {
  _tag: 'StoreUnavailable',
  reason: 'which read model is live cannot be told',
};

/** Opens the live read model. */
export const serveReadModel = async ({
  store,
  eventStore,
  project,
  report,
  lookMs = LOOK_MS,
}: ReadModelServerParts): Promise<ReadModelServer> => {
  const closing = new AbortController();
  const isClosing = (): boolean => closing.signal.aborted;
  const gate = createGate();

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

  const orThrow = <A>(result: E.Either<StoreError, A>): A => {
    if (E.isLeft(result)) throw new Error(result.left.reason);
    return result.right;
  };

  /** The live read model, and what there was to see when it was found. */
  const open = async () => {
    for (;;) {
      const at = performance.now();
      const names = orThrow(await store.look()());
      if (orThrow(await store.adopt(names.live)())) return { at, names, unit: await start(names.live) };
    }
  };

  const first = await open();
  let current = first.unit;
  let next: Unit | undefined;
  /** Those that other processes may still answer from. */
  let former: readonly Unit[] = [];
  let seenAt = -Infinity;
  let lingering: Promise<unknown> = Promise.resolve();

  const units = (): readonly Unit[] => [current, ...(next === undefined ? [] : [next]), ...former];

  /** How far the current one has come: who else projects into it may have come further than is known here. */
  const currentPosition = async (): Promise<Position | undefined> => {
    const checkpoint = await current.kept.checkpoint()();
    const [stored, reached] = [
      E.isRight(checkpoint) ? checkpoint.right : undefined,
      current.readSide.reached(),
    ];
    return stored === undefined || (reached !== undefined && reached > stored) ? reached : stored;
  };

  /** Waits until the next one has come as far as the current one; says whether it has. */
  const catchUp = async (unit: Unit): Promise<boolean> => {
    while (!isClosing()) {
      const position = await currentPosition();
      if (position === undefined || (await unit.readSide.waitFor(position, STEP_MS))) return true;
      if (unit.projector?.status()._tag === 'Stopped') return false;
      // One that was taken back may never come as far.
      const names = await store.look()();
      if (E.isRight(names) && names.right.live !== unit.kept.name) return false;
    }
    return false;
  };

  const linger = async (unit: Unit): Promise<void> => {
    former = [...former, unit];
    // Others see it at their next look, and answer from the old one until then.
    if (store.leaseMs !== undefined)
      await delay(store.leaseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    former = former.filter((one) => one !== unit);
    await unit.close().catch((failure: unknown) => {
      report(`the read model ${unit.kept.name} could not be closed: ${reasonOf(failure)}`);
    });
  };

  /** While no query is on its way, so that none sees less than one before. */
  const replaceBy = async (unit: Unit): Promise<boolean> => {
    // A reader may have seen what no checkpoint speaks of yet, but never more than there are events.
    const hasAll = async (): Promise<void> => {
      const head = await eventStore.head()();
      if (E.isRight(head) && head.right !== undefined) await unit.readSide.waitFor(head.right, HOLD_MS);
    };
    await within(HOLD_MS, hasAll());
    // Where the events come faster than they are projected, or nobody projects, that has to do which was answered.
    const position = await currentPosition();
    const hasWhatIsRead = position === undefined || (await unit.readSide.waitFor(position, HOLD_MS));
    if (!hasWhatIsRead || isClosing() || !orThrow(await store.adopt(unit.kept.name)())) return false;
    const old = current;
    current = unit;
    next = undefined;
    lingering = Promise.all([lingering, linger(old)]);
    report(`the read model ${unit.kept.name} has taken the place of ${old.kept.name}`);
    return true;
  };

  /** Has the read model of this name, and no other, up beside the current one. */
  const keepNext = async (name: string | undefined): Promise<void> => {
    if (next !== undefined && next.kept.name !== name) {
      const dropped = next;
      next = undefined;
      await dropped.close();
    }
    if (name !== undefined && !isClosing()) next ??= await start(name);
  };

  const follow = async (at: number, { live, next: announced }: ReadModelNames): Promise<void> => {
    if (live !== current.kept.name) {
      await keepNext(live);
      const unit = next;
      if (unit === undefined || !(await catchUp(unit))) return;
      if (!(await gate.hold(HOLD_MS, () => replaceBy(unit)))) return;
    }
    await keepNext(announced);
    seenAt = at;
  };

  let reported: string | undefined;
  /** Says it once, however often it is tried. */
  const reportFailure = (failure: unknown): void => {
    const message = `the live read model could not be told: ${reasonOf(failure)}`;
    if (message !== reported) report(message);
    reported = message;
  };

  const look = async (): Promise<void> => {
    const at = performance.now();
    const names = await store.look()();
    // A store that does not answer is reported by those who ask it for more.
    if (E.isLeft(names)) return;
    await follow(at, names.right);
    reported = undefined;
  };

  let looking: Promise<void> | undefined;
  /** Looks, unless somebody does already. */
  const lookOnce = (): Promise<void> => {
    if (isClosing()) return looking ?? Promise.resolve();
    looking ??= look()
      .catch(reportFailure)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };

  // One that was announced before the start is waited for from the first write on.
  await follow(first.at, first.names).catch(reportFailure);

  const watch = async (): Promise<void> => {
    while (!isClosing()) {
      await delay(lookMs, undefined, { signal: closing.signal }).catch(() => undefined);
      await lookOnce();
    }
  };
  const watching = watch();

  const isFresh = (): boolean => store.leaseMs === undefined || performance.now() - seenAt < store.leaseMs;

  /** Whether the current one may be relied on; looks where that is not known. */
  const isTrusted = async (timeoutMs: number): Promise<boolean> => {
    if (!isFresh()) await within(timeoutMs, lookOnce());
    return isFresh();
  };

  /** Asks the read model that is live. */
  const ask =
    <Args extends readonly unknown[], A>(
      query: (readModel: ReadModel) => (...args: Args) => TaskEither<StoreError, A>,
    ) =>
    (...args: Args): TaskEither<StoreError, A> =>
    async () => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        if (!(await isTrusted(LOOK_WAIT_MS))) break;
        const answer = await gate.pass(() => query(current.kept)(...args)());
        // Where this process was held up meanwhile, it may have been asked of a read model that was gone.
        if (isFresh()) return answer;
      }
      return E.left(unavailable);
    };

  return {
    readModel: {
      checkpoint: ask((readModel) => readModel.checkpoint),
      findPriceBook: ask((readModel) => readModel.findPriceBook),
      listPriceBooks: ask((readModel) => readModel.listPriceBooks),
      findDerivedPriceBooks: ask((readModel) => readModel.findDerivedPriceBooks),
      listHoldings: ask((readModel) => readModel.listHoldings),
      findAllProducts: ask((readModel) => readModel.findAllProducts),
      findHoldings: ask((readModel) => readModel.findHoldings),
      findHoldingsHistory: ask((readModel) => readModel.findHoldingsHistory),
      findRemembered: ask((readModel) => readModel.findRemembered),
    },
    readSide: {
      reached: () => current.readSide.reached(),
      waitFor: async (position, timeoutMs) => {
        const until = performance.now() + timeoutMs;
        const left = (): number => until - performance.now();
        const waitFor = async (unit: Unit): Promise<boolean> =>
          (await unit.readSide.waitFor(position, left())) ||
          // Nobody answers from one that was taken away meanwhile.
          !units().includes(unit);
        const done = new Set<Unit>();
        // One may be announced, and others answer from it, while this waits for those there were before.
        while (await isTrusted(left())) {
          const awaited = units().filter((unit) => !done.has(unit));
          if (awaited.length === 0) return true;
          if (!(await Promise.all(awaited.map(waitFor))).every(Boolean)) return false;
          for (const unit of awaited) done.add(unit);
        }
        return false;
      },
    },
    projector: () => current.projector,
    close: async () => {
      closing.abort();
      // A look that is under way is waited for there, and what it has opened is closed here.
      await watching;
      await lingering;
      await Promise.all(units().map((unit) => unit.close()));
    },
  };
};
