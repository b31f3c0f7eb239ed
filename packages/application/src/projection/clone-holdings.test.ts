import type { BookAtRevision, Currency, PriceBookEvent, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v7 } from 'uuid';
import { createInMemoryReadModel, type InMemoryReadModel } from '../in-memory/read-model';
import { changesOf } from './changes';
import { applyClone, cloneIn } from './clone-holdings';

const USD = 'USD' as Currency;
const P = 'P' as ProductId;
/** All of this happens in one millisecond. */
const NOW = '2026-11-22T22:00:00.000Z';
const running = new AbortController().signal;

const set = (amount: number): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: { items: [{ productId: P, adjustments: { [USD]: { type: 'override', amount } } }] },
});
const setAll = (amount: number): PriceBookEvent => ({
  type: 'AllProductsAdjusted',
  data: { adjustments: { [USD]: { type: 'percent', amount } } },
});

const given = async (...events: readonly PriceBookEvent[]) => {
  const readModel = createInMemoryReadModel();
  const source = v7() as PriceBookId;
  const created: PriceBookEvent = {
    type: 'PriceBookCreated',
    data: { name: 'A', description: '', basePriceBookIds: [] },
  };
  for (const [revision, event] of [created, ...events].entries()) {
    const stamp = { revision, occurredAt: NOW, actor: 'key' };
    await readModel.apply(changesOf(source, event, stamp), BigInt(revision))();
  }
  return { readModel, source };
};

const cloneOf = (readModel: InMemoryReadModel, clonedFrom: BookAtRevision) => {
  const id = v7() as PriceBookId;
  const event: PriceBookEvent = {
    type: 'PriceBookCloned',
    data: { name: 'B', description: '', basePriceBookIds: [], clonedFrom },
  };
  const changes = changesOf(id, event, { revision: 0, occurredAt: NOW, actor: 'other' });
  const clone = cloneIn(changes);
  if (clone === undefined) throw new Error('no clone among the changes');
  const finish = async (signal = running) => {
    const applied = await applyClone(readModel, clone, 99n, signal);
    if (E.isRight(applied) && applied.right !== undefined) {
      await readModel.apply([...changes, ...applied.right], 100n)();
    }
    return applied;
  };
  return { id, finish };
};

const heldIn = async (readModel: InMemoryReadModel, id: PriceBookId) => {
  const chain = await readModel.findHoldings(id, P, USD)();
  if (E.isLeft(chain) || chain.right === undefined) return undefined;
  const [{ product, allProducts }] = chain.right;
  return [product?.absolute?.adjustment, allProducts?.relative?.adjustment];
};

describe('what a clone begins with', () => {
  it('is what its source held at the revision, whatever came later in the same millisecond', async () => {
    const { readModel, source } = await given(set(1), setAll(5), set(2), setAll(10));
    for (const [revision, product, allProducts] of [
      [4, 2, 10],
      [3, 2, 5],
      [2, 1, 5],
      [1, 1, undefined],
    ] as const) {
      const { id, finish } = cloneOf(readModel, { priceBookId: source, revision, updatedAt: NOW });
      await finish();
      expect(await heldIn(readModel, id), String(revision)).to.deep.equal([
        { type: 'override', amount: product },
        allProducts === undefined ? undefined : { type: 'percent', amount: allProducts },
      ]);
    }
  });

  it('is what its source held after hundreds of changes in one millisecond', async () => {
    const many = Array.from({ length: 350 }, (_, n) => (n % 2 === 0 ? set(n) : setAll(n)));
    const { readModel, source } = await given(...many);
    const { id, finish } = cloneOf(readModel, { priceBookId: source, revision: 349, updatedAt: NOW });
    await finish();
    expect(await heldIn(readModel, id)).to.deep.equal([
      { type: 'override', amount: 348 },
      { type: 'percent', amount: 347 },
    ]);
  });

  it('is what its source held also where that is deleted since', async () => {
    const { readModel, source } = await given(set(1), setAll(5), { type: 'PriceBookDeleted', data: {} });
    const { id, finish } = cloneOf(readModel, { priceBookId: source, revision: 2, updatedAt: NOW });
    await finish();
    expect(await heldIn(readModel, id)).to.deep.equal([
      { type: 'override', amount: 1 },
      { type: 'percent', amount: 5 },
    ]);
  });

  it('is not brought by one that is told to end', async () => {
    const { readModel, source } = await given(set(1));
    const { id, finish } = cloneOf(readModel, { priceBookId: source, revision: 1, updatedAt: NOW });
    expect(await finish(AbortSignal.abort())).to.deep.equal(E.right(undefined));
    expect(await heldIn(readModel, id)).to.equal(undefined);
  });

  it('fails where the read model does', async () => {
    const { readModel, source } = await given(set(1));
    const error = { _tag: 'StoreUnavailable', reason: 'as the test wants it' } as const;
    const failing = { ...readModel, listHoldings: () => TE.left(error) };
    const { finish } = cloneOf(failing, { priceBookId: source, revision: 1, updatedAt: NOW });
    expect(await finish()).to.deep.equal(E.left(error));
  });
});
