import {
  type EventStore,
  type ReadModelChange,
  type RecordedEvent,
  replay,
  type ReplayedInto,
} from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import { randomHistory, startBooks } from '@pricebook/contract-tests';
import type { PriceBookId } from '@pricebook/domain';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { allEvents } from '@pricebook/acceptance';
import type { Campaign } from '../campaign';
import { figure } from '../figures';
import { createRandom, type Random } from '../random';
import { type Act, randomActs } from './acts';
import { type Adapter, embedded, inMemory, onMongoDb } from './adapters';
import { deliver, type Delivered } from './deliver';
import { projectToTheEnd } from './flaky-projector';
import { freshReplay, judge, type Question, randomQuestion } from './judge';

/** Interleavings for each adapter. */
const SIZES = {
  full: { inMemory: 6_000, embedded: 3_900, mongoDb: 100 },
  short: { inMemory: 400, embedded: 150, mongoDb: 5 },
};
/** Histories that are made at once, and interleavings of each. */
const HISTORIES = 50;
const OF_A_HISTORY = 4;
const QUESTIONS = 12;
/** How often the projector meets failures at the end: it waits after each. */
const FLAKY = 0.03;
const REPORT_EVERY = 1_000;

const running = new AbortController().signal;

interface History {
  readonly eventStore: EventStore;
  readonly events: readonly Delivered[];
  readonly books: readonly [PriceBookId, ...PriceBookId[]];
  readonly times: readonly [string, ...string[]];
  readonly close: () => Promise<void>;
}

/** What each event changes: what a replay in order applies for it. */
const deliveriesOf = async (events: readonly RecordedEvent[]): Promise<readonly Delivered[]> => {
  const readModel = createInMemoryReadModel();
  const delivered: Delivered[] = [];
  for (const recorded of events) {
    const { position } = recorded;
    const changes: ReadModelChange[] = [];
    const recording: ReplayedInto = {
      ...readModel,
      apply: (some, ...rest) => {
        changes.push(...some);
        return readModel.apply(some, ...rest);
      },
    };
    const one = { readAll: () => TE.right([recorded]) };
    const done = await replay(one, recording, { until: position, signal: running })();
    if (E.isLeft(done)) throw new Error('not an event that this version reads');
    delivered.push({ position, changes });
  }
  return delivered;
};

type Steps = Parameters<ReturnType<typeof startBooks>['take']>[0];

const makeHistory = async (steps: Steps): Promise<History> => {
  const { eventStore, take, close, books } = startBooks();
  await take(steps);
  const events = await deliveriesOf(await allEvents(eventStore));
  const stamps = events.flatMap(({ changes }) => changes.map(({ stamp }) => stamp.occurredAt));
  const [[book, ...otherBooks], [time, ...otherTimes]] = [books, [...new Set(stamps)]];
  if (book === undefined || time === undefined) throw new Error('nothing was created');
  return { eventStore, events, books: [book, ...otherBooks], times: [time, ...otherTimes], close };
};

/** @returns what is wrong with what one interleaving has left. */
const interleave = async (
  adapter: Adapter,
  { eventStore, events }: History,
  acts: readonly Act[],
  questions: readonly Question[],
  random: Random,
): Promise<readonly string[]> => {
  const underTest = await adapter.create();
  try {
    await deliver(underTest, events, acts, random);
    const head = events.at(-1)?.position ?? 0n;
    await projectToTheEnd(eventStore, underTest.readModel(), head, random, random.chance(FLAKY));
    return await judge(eventStore, underTest, await freshReplay(eventStore), questions);
  } catch (failure) {
    return [failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)];
  } finally {
    await underTest.dispose();
  }
};

/** Histories without end, each for some interleavings. */
const histories = async function* (seed: number): AsyncGenerator<History> {
  for (let round = 0; ; round += 1) {
    for (const steps of fc.sample(randomHistory, { seed: seed + round, numRuns: HISTORIES })) {
      const history = await makeHistory(steps);
      yield history;
      await history.close();
    }
  }
};

export const deliveries: Campaign = {
  name: 'deliveries',
  title: 'duplicate, out-of-order and interrupted deliveries to the projection',
  aim: '10,000 interleavings, read model equals a fresh replay',
  run: async ({ size, folder, seed, progress }) => {
    const random = createRandom(seed);
    const faults: string[] = [];
    const mongoDb = await onMongoDb();
    const wanted = SIZES[size];
    const adapters: readonly (readonly [Adapter, number])[] = [
      [inMemory, wanted.inMemory],
      [embedded(folder), wanted.embedded],
      ...(mongoDb === undefined ? [] : [[mongoDb, wanted.mongoDb] as const]),
    ];
    const done: string[] = [];
    let total = 0;
    let acted = 0;
    try {
      for (const [adapter, count] of adapters) {
        let runs = 0;
        for await (const history of histories(random.below(2 ** 31))) {
          for (let n = 0; n < OF_A_HISTORY && runs < count; n += 1) {
            const acts = randomActs(random, history.events.length);
            const questions = Array.from({ length: QUESTIONS }, () =>
              randomQuestion(random, history.books, history.times),
            );
            const wrong = await interleave(adapter, history, acts, questions, random);
            runs += 1;
            acted += acts.length;
            if (wrong.length > 0) {
              faults.push(
                `${adapter.name}, number ${String(runs)}, ${JSON.stringify(acts)}: ${wrong.slice(0, 3).join('; ')}`,
              );
            }
            if (runs % REPORT_EVERY === 0) progress(`${adapter.name}: ${figure(runs)}`);
          }
          if (runs === count) break;
        }
        total += runs;
        done.push(`${figure(runs)} ${adapter.name}`);
      }
    } finally {
      await mongoDb?.stop();
    }
    return {
      figures:
        `${figure(total)} interleavings of ${figure(acted)} acts (${done.join(', ')}), ` +
        `${figure(faults.length)} not equal`,
      faults,
      ...(mongoDb === undefined && { skipped: 'no MongoDB' }),
    };
  },
};
