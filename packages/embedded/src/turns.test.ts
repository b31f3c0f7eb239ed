import type { Adjustment, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import { changesOf } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { openEmbeddedReadModel } from './read-model';
import { newFolder, noReport, removeFolder } from './testing/folder';

const book = '01a1fcf9-f25b-75a0-80fb-5049634a2f84' as PriceBookId;
const products = Array.from({ length: 900 }, (_, n) => `P${String(n)}` as ProductId);
const currency = 'USD' as Currency;
const stamp = (revision: number) => ({ revision, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'tests' });

/** Prices that take a while to read. */
const values = Array.from({ length: 1_000 }, (_, n) => ({ value: `${String(n)} regions`, unitPrice: n }));
const table: Adjustment = { type: 'enum', property: 'region', values };

describe('the embedded read model', () => {
  it('leaves turns of the event loop to others, however much is asked at once', async () => {
    const folder = newFolder();
    const readModel = await openEmbeddedReadModel(folder, { id: 'events', head: 1n }, noReport);
    let turns = 0;
    let isAnswered = false;
    const takeTurns = (): void => {
      turns += 1;
      if (!isAnswered) setImmediate(takeTurns);
    };
    try {
      const data = { name: 'A', description: '', basePriceBookIds: [] };
      const items = products.map((productId) => ({ productId, adjustments: { [currency]: table } }));
      const changes = [
        ...changesOf(book, { type: 'PriceBookCreated', data }, stamp(0)),
        ...changesOf(book, { type: 'ProductPricesSet', data: { items } }, stamp(1)),
      ];
      expect(E.isRight(await readModel.apply(changes, 1n)())).to.equal(true);
      setImmediate(takeTurns);
      const started = performance.now();
      // Each once: what was read before is remembered.
      const asked = products.map((product) => readModel.findHoldings(book, product, currency)());
      const answers = await Promise.all(asked);
      isAnswered = true;
      expect(answers.every(E.isRight)).to.equal(true);
      const usual = (performance.now() - started) / 100;
      expect(turns).to.be.greaterThan(Math.max(1, Math.floor(usual)));
    } finally {
      isAnswered = true;
      await readModel.close();
      removeFolder(folder);
    }
  }).timeout(10_000);
});
