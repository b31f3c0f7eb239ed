/** What every store of read models has to do, whatever it is built on. */
import {
  changesOf,
  type KeptReadModel,
  type NewReadModel,
  type ReadModel,
  type ReadModelStore,
  rememberedName,
} from '@pricebook/application';
import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import { v7 } from 'uuid';
import { succeed } from './either';

/** A store of read models to be tested. Nothing is in it. */
export interface ReadModelStoreUnderTest {
  readonly store: ReadModelStore;
  /** The same as another process has it. */
  readonly ofAnother: () => Promise<ReadModelStore>;
  /** Lets another process begin a new read model, and kills it. */
  readonly beginAndKill: () => Promise<void>;
  /** The names of all read models of which anything is left. */
  readonly left: () => Promise<readonly string[]>;
  readonly dispose: () => Promise<void>;
}

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

    /** Opens the live read model as a process does that starts now. */
    const onLive = async <A>(
      use: (readModel: KeptReadModel) => Promise<A>,
      of: ReadModelStore = store,
    ): Promise<A> => {
      const readModel = await of.openLive();
      try {
        return await use(readModel);
      } finally {
        await readModel.close();
      }
    };

    /** A store whose live read model has a book of this name. @returns the name of the read model. */
    const givenLive = (book: string): Promise<string> =>
      onLive(async (readModel) => {
        await give(readModel, book);
        return readModel.name;
      });

    const liveName = (): Promise<string> => onLive((readModel) => Promise.resolve(readModel.name));
    const liveBooks = (of?: ReadModelStore): Promise<readonly string[]> => onLive(booksIn, of);

    const beginWith = async (book: string): Promise<NewReadModel> => {
      const fresh = await store.begin();
      await give(fresh, book);
      return fresh;
    };

    const goLive = async (fresh: NewReadModel): Promise<void> => {
      expect(await succeed(fresh.goLive)).to.equal(true);
      await fresh.close();
    };

    it('has a live read model from the beginning, and the same one for every process', async () => {
      const first = await onLive(async (readModel) => {
        expect(await succeed(readModel.checkpoint())).to.equal(undefined);
        return readModel.name;
      });
      expect(await onLive(({ name }) => Promise.resolve(name), await underTest.ofAnother())).to.equal(first);
    });

    it('opens the old read model until the new one is live', async () => {
      const old = await givenLive('old');
      const fresh = await beginWith('new');
      expect(fresh.name).not.to.equal(old);
      expect(await liveName()).to.equal(old);
      expect(await liveBooks()).to.deep.equal(['old']);
      expect(await booksIn(fresh)).to.deep.equal(['new']);
      await fresh.abandon();
    });

    it('opens what the new one was given, and nothing of the old one, after it went live', async () => {
      await givenLive('old');
      const fresh = await beginWith('new');
      await goLive(fresh);
      expect(await liveName()).to.equal(fresh.name);
      expect(await liveBooks()).to.deep.equal(['new']);
      expect(await liveBooks(await underTest.ofAnother())).to.deep.equal(['new']);
    });

    it('leaves a process with the read model that it has opened', async () => {
      const running = await store.openLive();
      await give(running, 'old');
      const fresh = await beginWith('new');
      await goLive(fresh);
      await give(running, 'later', 2n);
      expect([...(await booksIn(running))].sort()).to.deep.equal(['later', 'old']);
      expect(await succeed(running.checkpoint())).to.equal(2n);
      // Even where another one is begun before it ends.
      await (await store.begin()).abandon();
      await give(running, 'last', 3n);
      expect([...(await booksIn(running))].sort()).to.deep.equal(['last', 'later', 'old']);
      await running.close();
      expect(await liveBooks()).to.deep.equal(['new']);
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
      await goLive(fresh);
      const found = await onLive((readModel) =>
        Promise.all(
          ['old', 'new'].map((key) =>
            succeed(readModel.findRemembered(rememberedName('tests', { key, request: '' }))),
          ),
        ),
      );
      expect(found.map((done) => done?.request)).to.deep.equal([undefined, 'new']);
    });

    it('has nothing of one that was abandoned', async () => {
      const old = await givenLive('old');
      await (await beginWith('new')).abandon();
      expect(await underTest.left()).to.deep.equal([old]);
      expect(await liveBooks()).to.deep.equal(['old']);
    });

    it('keeps a live one that is abandoned', async () => {
      const fresh = await beginWith('new');
      expect(await succeed(fresh.goLive)).to.equal(true);
      await fresh.abandon();
      expect(await liveBooks()).to.deep.equal(['new']);
    });

    it('says again that one is live', async () => {
      const fresh = await beginWith('new');
      await goLive(fresh);
      expect(await succeed(fresh.goLive)).to.equal(true);
      expect(await liveBooks()).to.deep.equal(['new']);
    });

    it('has the old one live, and begins another, after a process was killed that had begun one', async () => {
      await givenLive('old');
      await underTest.beginAndKill();
      expect(await liveBooks()).to.deep.equal(['old']);
      const fresh = await beginWith('new');
      expect(await booksIn(fresh)).to.deep.equal(['new']);
      await goLive(fresh);
      expect(await liveBooks()).to.deep.equal(['new']);
    });

    it('never gives a name again', async () => {
      const names = [await liveName()];
      for (let time = 0; time < 3; time += 1) {
        const abandoned = await store.begin();
        names.push(abandoned.name);
        await abandoned.abandon();
        const fresh = await store.begin();
        names.push(fresh.name);
        await goLive(fresh);
        expect(await liveName()).to.equal(fresh.name);
      }
      expect(new Set(names).size).to.equal(names.length);
    });
  });
};
