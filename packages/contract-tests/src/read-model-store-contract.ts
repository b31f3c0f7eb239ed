/** What every store of read models has to do, whatever it is built on. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  changesOf,
  type KeptReadModel,
  type NewReadModel,
  type ReadModel,
  type ReadModelStore,
  rememberedName,
  serveReadModel,
} from '@pricebook/application';
import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import { v7 } from 'uuid';
import { succeed } from './either';

/** How far another process gets with a new read model before it is killed. */
export type KilledAt = 'begun' | 'announced';

/** A store of read models to be tested. Nothing is in it. */
export interface ReadModelStoreUnderTest {
  readonly store: ReadModelStore;
  /** The same as another process has it. */
  readonly ofAnother: () => Promise<ReadModelStore>;
  /** Runs something while a process serves, which may not have looked yet. */
  readonly whileServed: (act: () => Promise<void>) => Promise<void>;
  /** Lets another process begin a new read model, and kills it. */
  readonly beginAndKill: (at: KilledAt) => Promise<void>;
  /** The names of all read models of which anything is left. */
  readonly left: () => Promise<readonly string[]>;
  readonly dispose: () => Promise<void>;
}

const never = new AbortController().signal;
const eventStore = { head: () => TE.right(undefined) };

/** Gives a read model a book of this name. */
const give = (readModel: ReadModel, name: string, position = 1n): Promise<void> => {
  const id = v7() as PriceBookId;
  const stamp = { revision: 0, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'tests' };
  const created = {
    type: 'PriceBookCreated',
    data: { name, description: '', basePriceBookIds: [] },
  } as const;
  return succeed(readModel.apply(changesOf(id, created, stamp), position));
};

const booksIn = async (readModel: Pick<ReadModel, 'listPriceBooks'>): Promise<readonly string[]> =>
  (await succeed(readModel.listPriceBooks(100))).items.map(({ name }) => name);

export const describeReadModelStore = (
  name: string,
  create: () => Promise<ReadModelStoreUnderTest>,
): void => {
  describe(`read model store: ${name}`, () => {
    let underTest: ReadModelStoreUnderTest;
    let store: ReadModelStore;
    beforeEach(async () => {
      underTest = await create();
      ({ store } = underTest);
    });
    afterEach(() => underTest.dispose());

    const using = async <A>(
      readModel: KeptReadModel,
      use: (one: KeptReadModel) => Promise<A>,
    ): Promise<A> => {
      try {
        return await use(readModel);
      } finally {
        await readModel.close();
      }
    };

    /** Opens the live read model as a service does that answers from it alone. */
    const onLive = async <A>(use: (readModel: KeptReadModel) => Promise<A>): Promise<A> => {
      const { live } = await succeed(store.look());
      expect(await succeed(store.adopt(live))).to.equal(true);
      return using(await store.open(live), use);
    };

    /** A store whose live read model has a book of this name. */
    const givenLive = (book: string): Promise<void> => onLive((readModel) => give(readModel, book));

    const liveBooks = (): Promise<readonly string[]> => onLive(booksIn);

    const beginWith = async (book: string): Promise<NewReadModel> => {
      const fresh = await store.begin();
      await give(fresh, book);
      return fresh;
    };

    const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => undefined,
        (failure: unknown) => failure,
      );

    it('has a live read model from the first look on, and no other', async () => {
      const names = await succeed(store.look());
      expect(names).to.have.all.keys('live');
      await onLive(async (readModel) => {
        expect(readModel.name).to.equal(names.live);
        expect(await succeed(readModel.checkpoint())).to.equal(undefined);
      });
    });

    it('shows a new read model to nobody before it goes live', async () => {
      await givenLive('old');
      const before = await succeed(store.look());
      const fresh = await beginWith('new');
      expect(fresh.name).not.to.equal(before.live);
      expect(await succeed(store.look())).to.deep.equal(before);
      expect(await liveBooks()).to.deep.equal(['old']);
      expect(await booksIn(fresh)).to.deep.equal(['new']);
      await fresh.abandon();
    });

    it('has what the new one was given, and nothing of the old one, after it went live', async () => {
      await givenLive('old');
      const fresh = await beginWith('new');
      expect(await succeed(fresh.goLive(never))).to.equal(true);
      expect(await succeed(store.look())).to.deep.equal({ live: fresh.name });
      expect(await succeed((await underTest.ofAnother()).look())).to.deep.equal({ live: fresh.name });
      expect(await liveBooks()).to.deep.equal(['new']);
      expect(await underTest.left()).to.deep.equal([fresh.name]);
    });

    it('remembers the requests that the new one was given, and none of the old one, after it went live', async () => {
      const remember = (readModel: ReadModel, key: string): Promise<void> => {
        const created = {
          type: 'PriceBookCreated',
          data: { name: key, description: '', basePriceBookIds: [] },
        } as const;
        const stamp = { revision: 0, occurredAt: new Date().toISOString(), actor: 'tests' };
        const changes = changesOf(v7() as PriceBookId, created, stamp, { key, request: key });
        return succeed(readModel.apply(changes, 1n));
      };
      await onLive((readModel) => remember(readModel, 'old'));
      const fresh = await store.begin();
      await remember(fresh, 'new');
      expect(await succeed(fresh.goLive(never))).to.equal(true);
      const found = await onLive((readModel) =>
        Promise.all(
          ['old', 'new'].map((key) =>
            succeed(readModel.findRemembered(rememberedName('tests', { key, request: '' }))),
          ),
        ),
      );
      expect(found.map((done) => done?.request)).to.deep.equal([undefined, 'new']);
      expect(await underTest.left()).to.deep.equal([fresh.name]);
    });

    it('is told of the new one where it is served, and leaves one when the services have ended', async () => {
      await givenLive('old');
      const fresh = await beginWith('new');
      await underTest.whileServed(async () => {
        const server = await serveReadModel({
          store: await underTest.ofAnother(),
          eventStore,
          report: () => undefined,
          lookMs: 5,
        });
        let isLive: boolean | undefined;
        const going = succeed(fresh.goLive(never)).then((answer) => {
          isLive = answer;
        });
        const seen: string[] = [];
        while (isLive === undefined) {
          const [book = 'none'] = await booksIn(server.readModel);
          if (seen.at(-1) !== book) seen.push(book);
          await delay(1);
        }
        await going;
        expect(isLive).to.equal(true);
        expect([...seen, ...(await booksIn(server.readModel))].slice(-2)).to.deep.equal(['new', 'new']);
        expect(seen).to.deep.equal(['old', 'new']);
        await server.close();
      });
      expect(await underTest.left()).to.deep.equal([fresh.name]);
      expect(await liveBooks()).to.deep.equal(['new']);
    });

    it('has nothing of one that was abandoned', async () => {
      await givenLive('old');
      const before = await succeed(store.look());
      await (await beginWith('new')).abandon();
      expect(await succeed(store.look())).to.deep.equal(before);
      expect(await underTest.left()).to.deep.equal([before.live]);
      expect(await liveBooks()).to.deep.equal(['old']);
    });

    it('keeps a live one, whoever abandons it', async () => {
      const fresh = await beginWith('new');
      expect(await succeed(fresh.goLive(never))).to.equal(true);
      await fresh.abandon();
      expect(await liveBooks()).to.deep.equal(['new']);
    });

    it('stays as it was where going live is told to stop, before or while it waits', async () => {
      await givenLive('old');
      const before = await succeed(store.look());
      await underTest.whileServed(async () => {
        for (const afterMs of [0, 20]) {
          const fresh = await beginWith('new');
          const stopping = new AbortController();
          if (afterMs === 0) stopping.abort();
          const going = fresh.goLive(stopping.signal)();
          await delay(afterMs);
          stopping.abort();
          expect(await going).to.deep.include({ _tag: 'Right', right: false });
          expect(await succeed(store.look())).to.deep.equal(before);
          await fresh.abandon();
          expect(await underTest.left()).to.deep.equal([before.live]);
        }
      });
      expect(await liveBooks()).to.deep.equal(['old']);
    });

    it('lets one process at a time make a new one', async () => {
      const another = await underTest.ofAnother();
      for (let time = 0; time < 2; time += 1) {
        const fresh = await beginWith('new');
        const refusal = await refusalOf(another.begin());
        expect(refusal).to.be.an('error');
        expect(String(refusal)).to.match(/being rebuilt by another process/);
        expect(await booksIn(fresh)).to.deep.equal(['new']);
        await fresh.abandon();
        await (await another.begin()).abandon();
      }
    });

    for (const at of ['begun', 'announced'] as const) {
      it(`starts clean after one that was ${at} by a process that was killed`, async () => {
        await givenLive('old');
        const { live } = await succeed(store.look());
        await underTest.whileServed(() => underTest.beginAndKill(at));
        const fresh = await beginWith('new');
        expect(await booksIn(fresh)).to.deep.equal(['new']);
        expect(await succeed(store.look())).to.deep.equal({ live });
        expect([...(await underTest.left())].sort()).to.deep.equal([live, fresh.name].sort());
        expect(await succeed(fresh.goLive(never))).to.equal(true);
        expect(await underTest.left()).to.deep.equal([fresh.name]);
        expect(await liveBooks()).to.deep.equal(['new']);
      });
    }

    it('never gives a name again', async () => {
      const names = [(await succeed(store.look())).live];
      for (let time = 0; time < 3; time += 1) {
        const abandoned = await store.begin();
        names.push(abandoned.name);
        await abandoned.abandon();
        if (time === 1) continue;
        const fresh = await store.begin();
        names.push(fresh.name);
        expect(await succeed(fresh.goLive(never))).to.equal(true);
      }
      expect(new Set(names).size).to.equal(names.length);
      expect(await underTest.left()).to.deep.equal(names.slice(-1));
    });
  });
};
