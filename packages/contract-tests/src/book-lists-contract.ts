/** Lists of books in every order, how many there are, and the book of a key. */
import { type BookOrder, type BookPlace, changesOf, type ReadModel } from '@pricebook/application';
import type { PriceBookEvent, PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { succeed } from './either';

/** In the order of lists; those of one line are the same in any letter case, and go by the ids of their books. */
const NAMES: readonly (readonly string[])[] = [
  [''],
  ['-'],
  ['a', 'A'],
  ['a\0b', 'A B'],
  ['aa', 'AA'],
  ['Straße', 'STRASSE', 'strasse'],
  ['ü', 'Ü', 'u\u0308'],
  ['\uff5e'],
  ['🎈'],
];
const KEYS = ['retail', 'Retail', 'a_b-1'];

const timeOf = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** A book as it is given; what happens to it comes a second apart. */
interface Given {
  readonly name: string;
  readonly since: number;
  readonly key?: string | undefined;
  readonly renamed?: string | undefined;
  readonly newKey?: string | null | undefined;
  /** Where it was deleted and restored: with which key, if one was given. */
  readonly restored?: { readonly key?: string | null } | undefined;
  /** Whether it was deleted in the end. */
  readonly isDeleted: boolean;
}

const anyName = fc.constantFrom(...NAMES.flat());
const given: fc.Arbitrary<Given> = fc.record({
  name: anyName,
  since: fc.nat(5),
  key: fc.option(fc.constantFrom(...KEYS), { nil: undefined }),
  renamed: fc.option(anyName, { nil: undefined }),
  newKey: fc.option(fc.option(fc.constantFrom(...KEYS)), { nil: undefined }),
  restored: fc.option(fc.record({ key: fc.option(fc.constantFrom(...KEYS)) }, { requiredKeys: [] }), {
    nil: undefined,
  }),
  isDeleted: fc.boolean(),
});

const eventsOf = ({ name, key, renamed, newKey, restored, isDeleted }: Given): readonly PriceBookEvent[] => [
  {
    type: 'PriceBookCreated',
    data: { name, description: '', basePriceBookIds: [], ...(key !== undefined && { key }) },
  },
  ...(renamed === undefined
    ? []
    : [{ type: 'PriceBookUpdated', data: { name: renamed, metadata: { $x: renamed } } } as const]),
  ...(newKey === undefined ? [] : [{ type: 'PriceBookUpdated', data: { key: newKey } } as const]),
  ...(restored === undefined
    ? []
    : [
        { type: 'PriceBookDeleted', data: {} } as const,
        { type: 'PriceBookRestored', data: restored } as const,
      ]),
  ...(isDeleted ? [{ type: 'PriceBookDeleted', data: {} } as const] : []),
];

const ORDERS = (['createdAt', 'name', 'updatedAt'] as const).flatMap((by): readonly BookOrder[] => [
  { by, isDescending: false },
  { by, isDescending: true },
]);

/** What is expected of a book that is listed. */
interface Listed {
  readonly id: PriceBookId;
  readonly name: string;
  readonly key: string | undefined;
  readonly updatedAt: string;
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

const sorted = (books: readonly Listed[], { by, isDescending }: BookOrder): readonly PriceBookId[] => {
  const rank = ({ name }: Listed): number => NAMES.findIndex((names) => names.includes(name));
  const way = isDescending ? -1 : 1;
  return books
    .toSorted((a, b) => {
      const byValue =
        by === 'name'
          ? compare(rank(a), rank(b))
          : by === 'updatedAt'
            ? compare(a.updatedAt, b.updatedAt)
            : 0;
      return way * (byValue || compare(a.id, b.id));
    })
    .map(({ id }) => id);
};

export const describeBookLists = (readModelOf: () => ReadModel, runs: number): void => {
  describe('price books in every order', () => {
    let position = 1_000_000n;

    const changesOfBook = (id: PriceBookId, book: Given) =>
      eventsOf(book).map((event, revision) =>
        changesOf(id, event, { revision, occurredAt: timeOf(book.since + revision), actor: 'key' }),
      );

    const listAll = async (order: BookOrder, limit: number): Promise<readonly PriceBookId[]> => {
      const ids: PriceBookId[] = [];
      for (let from: BookPlace | undefined; ;) {
        const { items, next } = await succeed(readModelOf().listPriceBooks(limit, from, order));
        expect(items.length).to.be.at.most(limit);
        ids.push(...items.map(({ priceBookId }) => priceBookId));
        if (next === undefined) return ids;
        from = next;
      }
    };

    it('come a page at a time, are counted, and are found by their keys, whatever has become of them', async () => {
      // What a run leaves is deleted after it.
      const property = fc.asyncProperty(
        fc.array(given, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (books, limit, isLate) => {
          const readModel = readModelOf();
          const withIds = books.map((book) => ({ book, id: v7() as PriceBookId }));
          const changes = withIds.flatMap(({ book, id }) => changesOfBook(id, book));
          // Events of a book may come late.
          for (const some of isLate ? changes.toReversed() : changes) {
            await succeed(readModel.apply(some, (position += 1n)));
          }
          const listed = withIds.flatMap(({ book, id }): readonly Listed[] => {
            if (book.isDeleted) return [];
            const last = eventsOf(book).length - 1;
            const keys = [book.key, book.newKey, book.restored?.key];
            const key = keys.findLast((one) => one !== undefined) ?? undefined;
            const name = book.renamed ?? book.name;
            return [{ id, name, key, updatedAt: timeOf(book.since + last) }];
          });
          for (const order of ORDERS) {
            expect(await listAll(order, limit), JSON.stringify(order)).to.deep.equal(sorted(listed, order));
          }
          expect(await succeed(readModel.countPriceBooks())).to.equal(listed.length);
          for (const key of [...KEYS, 'RETAIL', 'retai', '']) {
            const [first] = sorted(
              listed.filter((book) => book.key === key),
              { by: 'createdAt', isDescending: false },
            );
            expect(await succeed(readModel.findByKey(key)), key).to.equal(first);
          }
          for (const id of listed.map((book) => book.id)) {
            const stamp = { revision: 9, occurredAt: timeOf(60), actor: 'key' };
            const gone = changesOf(id, { type: 'PriceBookDeleted', data: {} }, stamp);
            await succeed(readModel.apply(gone, (position += 1n)));
          }
        },
      );
      await fc.assert(property, { numRuns: Math.ceil(runs / 5), interruptAfterTimeLimit: 60_000 });
    }).timeout(90_000);

    it('go on where a page ended, also where the book of that place has moved or is gone', async () => {
      const readModel = readModelOf();
      const create = async (name: string): Promise<PriceBookId> => {
        const id = v7() as PriceBookId;
        const changes = changesOfBook(id, { name, since: 0, isDeleted: false }).flat();
        await succeed(readModel.apply(changes, (position += 1n)));
        return id;
      };
      const [b, c, d] = [await create('b'), await create('c'), await create('d')];
      const order = { by: 'name', isDescending: false } as const;
      const first = await succeed(readModel.listPriceBooks(1, undefined, order));
      expect(first.items.map(({ priceBookId }) => priceBookId)).to.deep.equal([b]);
      const renamed: PriceBookEvent = { type: 'PriceBookUpdated', data: { name: 'a' } };
      const stamp = { revision: 1, occurredAt: timeOf(9), actor: 'key' };
      await succeed(readModel.apply(changesOf(c, renamed, stamp), (position += 1n)));
      const second = await succeed(readModel.listPriceBooks(5, first.next, order));
      expect(second.items.map(({ priceBookId }) => priceBookId)).to.deep.equal([d]);
      const backwards = { ...order, isDescending: true };
      const before = await succeed(readModel.listPriceBooks(5, first.next, backwards));
      expect(before.items.map(({ priceBookId }) => priceBookId)).to.deep.equal([b, c]);
    });
  });
};
