import { expect } from 'chai';
import * as fc from 'fast-check';
import type { AllProductsAdjustments } from '../adjustments/adjustments';
import { book, currency, instant, product } from '../testing/reading';
import { given, givenNothing, stateAfter } from '../testing/scenario';
import type { BaseBook, PriceBookCommand } from './commands';
import type { PriceBookEvent } from './events';
import { absent, evolve, type PriceBookState } from './state';

const USD = currency('USD');
const P = product('P');
const override = { type: 'override', amount: 1 } as const;

const created: PriceBookEvent = {
  type: 'PriceBookCreated',
  data: { name: 'EU', description: '', basePriceBookIds: [] },
};
const renamed: PriceBookEvent = { type: 'PriceBookUpdated', data: { name: 'Europe' } };
const priced: PriceBookEvent = {
  type: 'ProductPricesSet',
  data: { items: [{ productId: P, adjustments: { [USD]: override } }] },
};
const deleted: PriceBookEvent = { type: 'PriceBookDeleted', data: {} };
const restored: PriceBookEvent = { type: 'PriceBookRestored', data: {} };

const create = { _tag: 'CreatePriceBook', name: 'EU', description: '' } as const;
const taken = { _tag: 'PriceBookKeyTaken', key: 'eu', priceBookId: book(9), isPending: false } as const;
const createOn = (base: BaseBook): PriceBookCommand => ({
  _tag: 'CreatePriceBook',
  name: 'EU',
  description: '',
  base,
});
const remove: PriceBookCommand = { _tag: 'DeletePriceBook', derivedPriceBookIds: [] };

const active = stateAfter([created]);
const books = (...numbers: readonly number[]) => numbers.map(book);

describe('Creating a price book', () => {
  it('makes a root book', () => {
    givenNothing.when(create).then(created);
  });

  it('on a base keeps its chain, nearest first', () => {
    givenNothing.when(createOn({ priceBookId: book(3), state: active, basePriceBookIds: books(2, 1) })).then({
      type: 'PriceBookCreated',
      data: { name: 'EU', description: '', basePriceBookIds: books(3, 2, 1) },
    });
  });

  it('as the fifth of a chain is accepted, as the sixth refused', () => {
    givenNothing
      .when(createOn({ priceBookId: book(4), state: active, basePriceBookIds: books(3, 2, 1) }))
      .then({
        type: 'PriceBookCreated',
        data: { name: 'EU', description: '', basePriceBookIds: books(4, 3, 2, 1) },
      });
    givenNothing
      .when(createOn({ priceBookId: book(5), state: active, basePriceBookIds: books(4, 3, 2, 1) }))
      .thenItIsRefused({ _tag: 'BaseChainTooLong', basePriceBookId: book(5), max: 5 });
  });

  it('on a base that is unknown or deleted is refused', () => {
    for (const state of [absent, stateAfter([created, deleted])]) {
      givenNothing
        .when(createOn({ priceBookId: book(1), state, basePriceBookIds: [] }))
        .thenItIsRefused({ _tag: 'BasePriceBookNotFound', basePriceBookId: book(1) });
    }
  });

  it('keeps its key and metadata, and is refused for its key after its base', () => {
    const details = { key: 'eu', metadata: { owner: 'x' } };
    givenNothing.when({ ...create, ...details }).then({
      type: 'PriceBookCreated',
      data: { name: 'EU', description: '', basePriceBookIds: [], ...details },
    });
    givenNothing.when({ ...create, ...details, keyRefusal: taken }).thenItIsRefused(taken);
    const base = { priceBookId: book(1), state: absent, basePriceBookIds: [] };
    givenNothing
      .when({ ...create, ...details, base, keyRefusal: taken })
      .thenItIsRefused({ _tag: 'BasePriceBookNotFound', basePriceBookId: book(1) });
  });

  it('is refused where the book exists, or did', () => {
    given(created).when(create).thenItIsRefused({ _tag: 'PriceBookExists' });
    given(created, deleted).when(create).thenItIsRefused({ _tag: 'PriceBookExists' });
  });
});

describe('Cloning a price book', () => {
  const at = (number: number, revision: number) => ({
    priceBookId: book(number),
    revision,
    updatedAt: instant(revision * 1_000),
  });
  const clone = { _tag: 'ClonePriceBook', name: 'EU 2', description: '', flattensBase: false } as const;
  const details = { name: 'EU 2', description: '' };

  it('makes one event that names the revision of its source, and keeps its chain', () => {
    givenNothing.when({ ...clone, chain: [at(3, 7), at(2, 5), at(1, 4)] }).then({
      type: 'PriceBookCloned',
      data: { ...details, basePriceBookIds: books(2, 1), clonedFrom: at(3, 7) },
    });
    const extra = { key: 'eu-2', metadata: { owner: 'x' } };
    givenNothing.when({ ...clone, ...extra, chain: [at(1, 0)] }).then({
      type: 'PriceBookCloned',
      data: { ...details, basePriceBookIds: [], clonedFrom: at(1, 0), ...extra },
    });
  });

  it('that flattens the base makes a root book, and names the revision of each base', () => {
    const flattening = { ...clone, flattensBase: true };
    givenNothing.when({ ...flattening, chain: [at(2, 7), at(1, 4)] }).then({
      type: 'PriceBookCloned',
      data: { ...details, basePriceBookIds: [], clonedFrom: at(2, 7), flattenedBases: [at(1, 4)] },
    });
    givenNothing.when({ ...flattening, chain: [at(1, 4)] }).then({
      type: 'PriceBookCloned',
      data: { ...details, basePriceBookIds: [], clonedFrom: at(1, 4), flattenedBases: [] },
    });
    const crowded = { holder: 'all', currency: USD };
    givenNothing
      .when({ ...flattening, chain: [at(1, 4)], crowded })
      .thenItIsRefused({ _tag: 'TooManyDatedAdjustments', ...crowded, max: 100 });
  });

  it('is refused without a source, then for the revision of the source, then for its key', () => {
    givenNothing.when({ ...clone, chain: [] }, [0]).thenItIsRefused({ _tag: 'PriceBookNotFound' });
    const refused = { ...clone, chain: [at(1, 4)], keyRefusal: taken };
    givenNothing.when(refused, [3]).thenItIsRefused({ _tag: 'RevisionMismatch', actual: 4 });
    givenNothing.when(refused, [3, 4]).thenItIsRefused(taken);
    given(created)
      .when({ ...clone, chain: [at(1, 4)] })
      .thenItIsRefused({ _tag: 'PriceBookExists' });
  });
});

describe('Updating a price book', () => {
  it('says only what was given', () => {
    given(created).when({ _tag: 'UpdatePriceBook', name: 'Europe' }).then(renamed);
    given(created)
      .when({ _tag: 'UpdatePriceBook', description: '' })
      .then({ type: 'PriceBookUpdated', data: { description: '' } });
    given(created, priced)
      .when({ _tag: 'UpdatePriceBook', name: 'A', description: 'B' })
      .then({ type: 'PriceBookUpdated', data: { name: 'A', description: 'B' } });
  });

  it('takes a key away, and replaces metadata as a whole', () => {
    given(created)
      .when({ _tag: 'UpdatePriceBook', key: null, metadata: {} })
      .then({ type: 'PriceBookUpdated', data: { key: null, metadata: {} } });
  });

  it('is refused for its key after its revision, and after the book', () => {
    const update = { _tag: 'UpdatePriceBook', key: 'eu', keyRefusal: taken } as const;
    given(created).when(update).thenItIsRefused(taken);
    given(created).when(update, [7]).thenItIsRefused({ _tag: 'RevisionMismatch', actual: 0 });
    given(created, deleted).when(update).thenItIsRefused({ _tag: 'PriceBookNotFound' });
  });

  it('with nothing changes nothing', () => {
    given(created).when({ _tag: 'UpdatePriceBook' }).thenNothingHappens();
  });
});

describe('Deleting a price book', () => {
  it('deletes it', () => {
    given(created, priced).when(remove).then(deleted);
  });

  it('is refused while another book has it as its base', () => {
    given(created)
      .when({ _tag: 'DeletePriceBook', derivedPriceBookIds: books(8, 9) })
      .thenItIsRefused({ _tag: 'PriceBookInUse', derivedPriceBookIds: books(8, 9) });
  });
});

describe('Restoring a price book', () => {
  const restore = { _tag: 'RestorePriceBook', deletion: 1 } as const;
  const baseIn = (...past: readonly PriceBookEvent[]): BaseBook => ({
    priceBookId: book(1),
    state: stateAfter(past),
    basePriceBookIds: [],
  });

  it('makes one event, whatever the book holds, and says the key only where another one was given', () => {
    given(created, deleted).when(restore).then(restored);
    given(created, deleted)
      .when({ ...restore, key: 'eu' })
      .then({ type: 'PriceBookRestored', data: { key: 'eu' } });
    given(created, deleted)
      .when({ ...restore, key: null })
      .then({ type: 'PriceBookRestored', data: { key: null } });
    given(created, deleted)
      .when({ ...restore, base: baseIn(created) })
      .then(restored);
  });

  it('can be done after each deletion', () => {
    given(created, deleted, restored, deleted)
      .when({ ...restore, deletion: 3 })
      .then(restored);
    given(created, deleted, restored).when(remove).then(deleted);
  });

  it('is refused where the book is not deleted, or never was', () => {
    const error = { _tag: 'PriceBookNotDeleted' } as const;
    given(created).when({ _tag: 'RestorePriceBook' }).thenItIsRefused(error);
    given(created, deleted, restored).when(restore).thenItIsRefused(error);
    givenNothing.when(restore).thenItIsRefused({ _tag: 'PriceBookNotFound' });
  });

  it('is refused where its base is deleted, before its key is looked at', () => {
    given(created, deleted)
      .when({ ...restore, base: baseIn(created, deleted), keyRefusal: taken })
      .thenItIsRefused({ _tag: 'BasePriceBookDeleted', basePriceBookId: book(1) });
    given(created, deleted)
      .when({ ...restore, base: baseIn(created, deleted, restored), keyRefusal: taken })
      .thenItIsRefused(taken);
  });

  it('is refused where the book has moved on, before all other conflicts', () => {
    given(created).when(restore, [7]).thenItIsRefused({ _tag: 'RevisionMismatch', actual: 0 });
    given(created, deleted).when(restore, [0]).thenItIsRefused({ _tag: 'RevisionMismatch', actual: 1 });
    given(created, deleted).when(restore, [1]).then(restored);
  });

  it('is to be sent again where it goes by another deletion, or by none', () => {
    const error = { _tag: 'TooManyConflicts' } as const;
    given(created, deleted, restored, deleted).when(restore).thenItIsRefused(error);
    given(created, deleted).when({ _tag: 'RestorePriceBook' }).thenItIsRefused(error);
  });
});

describe('Setting product prices', () => {
  it('makes one event of all items that hold adjustments', () => {
    given(created)
      .when({
        _tag: 'SetProductPrices',
        items: [
          { productId: product('empty'), adjustments: {} },
          { productId: P, adjustments: { [USD]: override } },
        ],
      })
      .then(priced);
  });

  it('makes none of items without adjustments, and none of no items', () => {
    given(created)
      .when({ _tag: 'SetProductPrices', items: [{ productId: P, adjustments: {} }] })
      .thenNothingHappens();
    given(created).when({ _tag: 'SetProductPrices', items: [] }).thenNothingHappens();
  });

  it('again is an event again: revision and time move', () => {
    given(created, priced)
      .when({ _tag: 'SetProductPrices', items: [{ productId: P, adjustments: { [USD]: override } }] })
      .then(priced);
  });
});

describe('Adjusting all products', () => {
  it('makes one event, removals included', () => {
    const adjustments: AllProductsAdjustments = {
      [USD]: { type: 'percent', amount: 5 },
      [currency('JPY')]: { type: 'null', amount: null },
    };
    given(created)
      .when({ _tag: 'AdjustAllProducts', adjustments })
      .then({ type: 'AllProductsAdjusted', data: { adjustments } });
  });

  it('without adjustments changes nothing', () => {
    given(created).when({ _tag: 'AdjustAllProducts', adjustments: {} }).thenNothingHappens();
  });
});

describe('Setting a price sheet', () => {
  const percent = { type: 'percent', amount: 5 } as const;
  const items = [{ productId: P, adjustments: { [USD]: override } }];
  const allProducts: AllProductsAdjustments = { [USD]: percent };

  it('sets what products have first, then what all products have', () => {
    given(created)
      .when({ _tag: 'SetPriceSheet', items, allProducts })
      .then(priced, { type: 'AllProductsAdjusted', data: { adjustments: allProducts } });
  });

  it('makes no event of what it does not say', () => {
    given(created).when({ _tag: 'SetPriceSheet', items, allProducts: {} }).then(priced);
    given(created)
      .when({ _tag: 'SetPriceSheet', items: [], allProducts })
      .then({ type: 'AllProductsAdjusted', data: { adjustments: allProducts } });
    given(created).when({ _tag: 'SetPriceSheet', items: [], allProducts: {} }).thenNothingHappens();
  });
});

describe('Deleting entries', () => {
  it('names each product once, in the order given', () => {
    given(created)
      .when({ _tag: 'DeletePriceBookEntries', productIds: ['Q', 'P', 'Q', 'P'].map(product) })
      .then({ type: 'PriceBookEntriesDeleted', data: { productIds: ['Q', 'P'].map(product) } });
  });

  it('of no products changes nothing', () => {
    given(created).when({ _tag: 'DeletePriceBookEntries', productIds: [] }).thenNothingHappens();
  });
});

const changes: readonly PriceBookCommand[] = [
  { _tag: 'UpdatePriceBook', name: 'Europe' },
  { _tag: 'UpdatePriceBook' },
  remove,
  { _tag: 'DeletePriceBook', derivedPriceBookIds: books(9) },
  { _tag: 'SetProductPrices', items: [{ productId: P, adjustments: { [USD]: override } }] },
  { _tag: 'SetProductPrices', items: [] },
  { _tag: 'AdjustAllProducts', adjustments: { [USD]: { type: 'null', amount: null } } },
  { _tag: 'SetPriceSheet', items: [], allProducts: {} },
  { _tag: 'DeletePriceBookEntries', productIds: [P] },
];

describe('Any change of a price book', () => {
  for (const command of changes) {
    const title = JSON.stringify(command);

    it(`is refused where there is no such book, or none any more: ${title}`, () => {
      givenNothing.when(command).thenItIsRefused({ _tag: 'PriceBookNotFound' });
      givenNothing.when(command, [0]).thenItIsRefused({ _tag: 'PriceBookNotFound' });
      given(created, deleted).when(command, [1]).thenItIsRefused({ _tag: 'PriceBookNotFound' });
    });

    it(`is refused where the book has moved on, before any other conflict: ${title}`, () => {
      given(created, priced).when(command, [0]).thenItIsRefused({ _tag: 'RevisionMismatch', actual: 1 });
      given(created, priced).when(command, []).thenItIsRefused({ _tag: 'RevisionMismatch', actual: 1 });
    });
  }

  it('is accepted where one of the expected revisions is the actual one', () => {
    given(created, renamed).when(remove, [0, 1]).then(deleted);
    given(created).when(remove, [0]).then(deleted);
  });
});

describe('The state of a price book', () => {
  it('is absent, then active with the revision and time of its last event, then deleted', () => {
    expect(stateAfter([])).to.deep.equal({ _tag: 'Absent' });
    expect(stateAfter([created])).to.deep.equal({ _tag: 'Active', revision: 0, updatedAt: instant(0) });
    expect(stateAfter([created, priced])).to.deep.equal({
      _tag: 'Active',
      revision: 1,
      updatedAt: instant(1_000),
    });
    expect(stateAfter([created, priced, deleted])).to.deep.equal({
      _tag: 'Deleted',
      revision: 2,
      updatedAt: instant(2_000),
    });
  });

  it('from the last event alone is the state from all events', () => {
    const adjusted: PriceBookEvent = {
      type: 'AllProductsAdjusted',
      data: { adjustments: { [USD]: { type: 'null', amount: null } } },
    };
    const removed: PriceBookEvent = { type: 'PriceBookEntriesDeleted', data: { productIds: [P] } };
    const streams = fc
      .tuple(fc.array(fc.constantFrom(renamed, priced, adjusted, removed)), fc.boolean())
      .map(([middle, ends]) => [created, ...middle, deleted, restored, ...(ends ? [deleted] : [])]);
    fc.assert(
      fc.property(streams, (events) => {
        const revision = events.length - 1;
        const last = events[revision] ?? created;
        const fromLast: PriceBookState = evolve(absent, last, {
          revision,
          updatedAt: instant(revision * 1_000),
        });
        expect(fromLast).to.deep.equal(stateAfter(events));
      }),
    );
  });
});
