/** What every read model has to do that can be looked at entry by entry. */
import {
  type EventStore,
  type LiveReadModel,
  replay,
  type ReplayedInto,
  type ScratchReadModel,
  verify,
} from '@pricebook/application';
import { createInMemoryEventStore, createInMemoryReadModel } from '@pricebook/application/in-memory';
import { expect } from 'chai';
import fc from 'fast-check';
import * as TE from 'fp-ts/TaskEither';
import { succeed } from './either';
import { clonesLast } from './read-model-clones-contract';
import { randomHistory, startBooks } from './random-history';

/** A read model, and the same for those who only look at it. */
export interface EntriesUnderTest {
  /** Brings it to where the events of a store are. */
  readonly readModel: ReplayedInto;
  readonly live: LiveReadModel;
  readonly dispose: () => Promise<void>;
}

interface Options {
  /** How many random histories are compared. */
  readonly runs?: number;
  readonly createScratch?: () => { readonly scratch: ScratchReadModel; readonly remove: () => Promise<void> };
}

const running = new AbortController().signal;

const inMemory = () => ({ scratch: createInMemoryReadModel(), remove: () => Promise.resolve() });

export const describeReadModelEntries = (
  name: string,
  create: () => Promise<EntriesUnderTest>,
  { runs = 100, createScratch = inMemory }: Options = {},
): void => {
  describe(`entries of the read model: ${name}`, () => {
    const project = async (eventStore: EventStore, { readModel }: EntriesUnderTest): Promise<void> => {
      const until = await succeed(eventStore.head());
      if (until !== undefined) await succeed(replay(eventStore, readModel, { until, signal: running }));
    };

    const differencesOf = async (eventStore: EventStore, { live }: EntriesUnderTest) => {
      const { scratch, remove } = createScratch();
      const told: unknown[] = [];
      const onDifference = (difference: unknown) => told.push(difference);
      try {
        const done = await succeed(verify({ eventStore, live, scratch }, { signal: running, onDifference }));
        return { ...done, told };
      } finally {
        await remove();
      }
    };

    it('are what a replay makes, whatever commands there were', async () => {
      await fc.assert(
        fc.asyncProperty(randomHistory, async (steps) => {
          const underTest = await create();
          const { eventStore, take, close } = startBooks();
          try {
            await take(steps);
            await project(eventStore, underTest);
            const { told, entries, books } = await differencesOf(eventStore, underTest);
            expect(told, JSON.stringify(told)).to.deep.equal([]);
            expect(books).to.be.at.least(3);
            expect(entries).to.be.above(books);
          } finally {
            await close();
            await underTest.dispose();
          }
        }),
        { numRuns: runs },
      );
    }).timeout(120_000);

    it('are the same where clones come after what their sources were told later', async () => {
      await fc.assert(
        fc.asyncProperty(randomHistory, async (steps) => {
          const underTest = await create();
          const { eventStore, take, close } = startBooks();
          try {
            await take(steps);
            const events = await succeed(eventStore.readAll(undefined, 1_000));
            const late = clonesLast(events).map((event, place) => ({ ...event, position: BigInt(place) }));
            const readAll: EventStore['readAll'] = (after = -1n, limit) =>
              TE.right(late.filter(({ position }) => position > after).slice(0, limit));
            const until = BigInt(late.length - 1);
            await succeed(replay({ readAll }, underTest.readModel, { until, signal: running }));
            await succeed(underTest.readModel.apply([], events.at(-1)?.position ?? 0n));
            const { told } = await differencesOf(eventStore, underTest);
            expect(told, JSON.stringify(told)).to.deep.equal([]);
          } finally {
            await close();
            await underTest.dispose();
          }
        }),
        { numRuns: runs },
      );
    }).timeout(120_000);

    it('are all of them different from those of no events, and missing where they are not', async () => {
      const underTest = await create();
      const { eventStore, take, close, books, priceBooks } = startBooks();
      try {
        await take(fc.sample(randomHistory, 1)[0] ?? []);
        const [root] = books;
        if (root === undefined) throw new Error('no book was created');
        const items = [{ productId: 'many', adjustments: { USD: { type: 'override', amount: 1 } } }] as never;
        for (let n = 0; n < 1_200; n += 1) {
          await priceBooks.setPrices(
            root,
            { _tag: 'SetProductPrices', items },
            { actor: 'a', requestId: 'r' },
          )();
        }
        const head = (await succeed(eventStore.head())) ?? 0n;
        await succeed(underTest.readModel.apply([], head));
        const missing = await differencesOf(eventStore, underTest);
        expect(new Set(missing.told.map((one) => (one as { kind: string }).kind))).to.deep.equal(
          new Set(['missing']),
        );

        const full = await create();
        try {
          await project(eventStore, full);
          const same = await differencesOf(eventStore, full);
          expect([same.told, same.entries]).to.deep.equal([[], missing.told.length]);
          const others = startBooks(createInMemoryEventStore());
          // As many other events as it says that it is made of.
          const id = await succeed(
            others.priceBooks.create({ name: 'other' }, { actor: 'a', requestId: 'r' }),
          );
          for (let n = 1n; n < head; n += 1n) {
            const name = String(n);
            await others.priceBooks.update(
              id.priceBook.priceBookId,
              { name },
              { actor: 'a', requestId: 'r' },
            )();
          }
          const extra = await differencesOf(others.eventStore, full);
          await others.close();
          expect(extra.told.filter((one) => (one as { kind: string }).kind === 'extra')).to.have.length(
            missing.told.length,
          );
        } finally {
          await full.dispose();
        }
      } finally {
        await close();
        await underTest.dispose();
      }
    }).timeout(120_000);
  });
};
