import { createPriceBooks, startProjector } from '@pricebook/application';
import { createInMemoryEventStore, createInMemoryReadModel } from '@pricebook/application/in-memory';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { systemClock, systemIds } from '../system';
import { findBook } from './find-book';

const caller = { actor: 'tests', requestId: 'tests' };

describe('a book that the command for its history is given by name', () => {
  it('is found by its last name, also after it was deleted, among any number of events', async () => {
    const eventStore = createInMemoryEventStore();
    const readModel = createInMemoryReadModel();
    const projector = startProjector(eventStore, readModel, () => undefined);
    const priceBooks = createPriceBooks({
      eventStore,
      readModel,
      readSide: projector,
      clock: systemClock,
      ids: systemIds,
    });
    const create = async (name: string) => {
      const created = await priceBooks.create({ name }, caller)();
      if (E.isLeft(created)) throw new Error(created.left._tag);
      return created.right.priceBook.priceBookId;
    };
    try {
      const renamed = await create('Retail');
      await priceBooks.update(renamed, { name: 'Retail 2026' }, caller)();
      // More than a page of events.
      for (let n = 0; n < 1_100; n += 1)
        await priceBooks.update(renamed, { description: String(n) }, caller)();
      await priceBooks.update(renamed, { key: 'shop' }, caller)();
      const deleted = await create('Wholesale');
      await priceBooks.update(deleted, { key: 'b2b' }, caller)();
      await priceBooks.delete(deleted, caller)();

      const patience = { ms: 1_000, signal: new AbortController().signal };
      const find = (words: string) => findBook(eventStore, words, patience);
      expect(await find('retail 2026')).to.deep.equal(E.right(renamed));
      expect(await find('shop')).to.deep.equal(E.right(renamed));
      expect(E.isLeft(await find('b2b'))).to.equal(true);
      expect(await find('Wholesale')).to.deep.equal(E.right(deleted));
      expect(await find(deleted.slice(0, -1))).to.deep.equal(E.right(deleted));
      expect(E.isLeft(await find('Retail'))).to.equal(true);

      await priceBooks.restore(deleted, {}, caller)();
      expect(await find('b2b'), 'restored').to.deep.equal(E.right(deleted));
      await priceBooks.delete(deleted, caller)();
      await priceBooks.restore(deleted, { key: 'trade' }, caller)();
      expect(E.isLeft(await find('b2b'))).to.equal(true);
      expect(await find('trade')).to.deep.equal(E.right(deleted));
    } finally {
      await projector.close();
    }
  }).timeout(20_000);
});
