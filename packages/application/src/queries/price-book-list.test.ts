import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { PriceBookView } from '../ports/read-model';
import { type PriceBooksQuestion, readPriceBooks } from './price-book-list';

const idOf = (number: number): PriceBookId =>
  `01890000-0000-7000-8000-${String(number).padStart(12, '0')}` as PriceBookId;

interface Asked extends Omit<PriceBooksQuestion, 'from'> {
  readonly from?: PriceBookId | undefined;
}

/** Books by their numbers; undefined for a deleted one. */
const given = (names: readonly (string | undefined)[]) => {
  const asked: number[] = [];
  const unexpected = (): never => {
    throw new Error('not expected to be asked');
  };
  const readModel: Parameters<typeof readPriceBooks>[0] = {
    findByKey: unexpected,
    findPriceBook: unexpected,
    countPriceBooks: () => TE.right(names.filter((name) => name !== undefined).length),
    listPriceBooks: (limit, from = { priceBookId: idOf(0) }) => {
      const start = Number(from.priceBookId.slice(-12));
      const items = names.slice(start, start + limit).flatMap((name, index) => {
        const view: Partial<PriceBookView> = {
          priceBookId: idOf(start + index),
          name: name ?? '',
          basePriceBookIds: (start + index) % 2 === 0 ? [] : [idOf(0)],
        };
        return name === undefined ? [] : [view as PriceBookView];
      });
      asked.push(limit);
      const next = start + limit < names.length ? { priceBookId: idOf(start + limit) } : undefined;
      return TE.right({ items, next });
    },
  };
  const read = async ({ from, ...question }: Asked) => {
    asked.length = 0;
    const page = await readPriceBooks(readModel, {
      ...question,
      from: from && { priceBookId: from },
    })();
    if (E.isLeft(page)) throw new Error(page.left.reason);
    const { priceBooks, next, total } = page.right;
    const numbers = priceBooks.map(({ priceBookId }) => Number(priceBookId.slice(-12)));
    return {
      numbers,
      next: next?.priceBookId,
      looked: asked.reduce((a, b) => a + b, 0),
      reads: asked.length,
      ...(total !== undefined && { total }),
    };
  };
  return read;
};

const names = (count: number, name: (number: number) => string | undefined) =>
  Array.from({ length: count }, (_, number) => name(number));

describe('The list of price books', () => {
  it('has all of them where no limit is given, read in parts', async () => {
    const read = given(names(1_201, String));
    const { numbers, next, reads } = await read({});
    expect([numbers.length, numbers.at(-1), next, reads]).to.deep.equal([1_201, 1_200, undefined, 3]);
    expect((await read({ name: '7' })).numbers.slice(0, 3)).to.deep.equal([7, 17, 27]);
    expect((await read({ from: idOf(1_199) })).numbers).to.deep.equal([1_199, 1_200]);
  });

  it('has as many as the limit on a page, and looks at hardly more', async () => {
    const read = given(names(2_000, String));
    expect(await read({ limit: 3 })).to.deep.equal({
      numbers: [0, 1, 2],
      next: idOf(3),
      looked: 4,
      reads: 1,
    });
    expect((await read({ limit: 1_000, from: idOf(1_000) })).next).to.equal(undefined);
    expect((await read({ limit: 999, from: idOf(1_000) })).next).to.equal(idOf(1_999));
  });

  it('has no next page where nothing follows that it would hold', async () => {
    const read = given(['red', 'blue', 'red', 'blue', undefined, 'blue']);
    expect((await read({ limit: 2, name: 'red' })).next).to.equal(undefined);
    expect((await read({ limit: 2, name: 'BLUE' })).next).to.equal(idOf(5));
    expect((await given(['a', undefined, undefined])({ limit: 1 })).next).to.equal(undefined);
  });

  it('finds a part of the name in any letter case, and takes it as it is', async () => {
    const read = given(['Straße 1', 'a.c', 'abc', '$where', 'ΟΔΟΣ']);
    expect((await read({ name: 'STRASSE' })).numbers).to.deep.equal([0]);
    expect((await read({ name: 'A.C' })).numbers).to.deep.equal([1]);
    expect((await read({ name: '$' })).numbers).to.deep.equal([3]);
    expect((await read({ name: '.*' })).numbers).to.deep.equal([]);
    expect((await read({ name: 'οδος' })).numbers).to.deep.equal([4]);
    expect((await read({ name: '' })).numbers).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('has books of a base alone where that is asked, and counts what is on all pages', async () => {
    const read = given(names(1_201, String));
    const page = await read({ basePriceBookId: idOf(0), limit: 2, withTotal: true });
    expect([page.numbers, page.next, page.total]).to.deep.equal([[1, 3], idOf(5), 600]);
    expect((await read({ basePriceBookId: idOf(0), name: '99', withTotal: true })).total).to.equal(16);
    expect((await read({ limit: 1, withTotal: true })).total).to.equal(1_201);
    expect((await given(['a', undefined])({ limit: 1, withTotal: true })).total).to.equal(1);
  });

  it('looks at 10,000 books a page, whatever it finds, and goes on there', async () => {
    const read = given(names(25_000, (number) => (number === 24_000 ? 'red' : 'blue')));
    const first = await read({ limit: 5, name: 'red' });
    expect([first.numbers, first.next, first.looked]).to.deep.equal([[], idOf(10_000), 10_000]);
    const second = await read({ limit: 5, name: 'red', from: first.next });
    expect([second.numbers, second.next]).to.deep.equal([[], idOf(20_000)]);
    const third = await read({ limit: 5, name: 'red', from: second.next });
    expect([third.numbers, third.next]).to.deep.equal([[24_000], undefined]);
    expect((await read({ name: 'red' })).numbers).to.deep.equal([24_000]);

    const withDeleted = given(names(25_000, (number) => (number === 24_000 ? 'red' : undefined)));
    const none = await withDeleted({ limit: 1 });
    expect([none.numbers, none.next, none.looked]).to.deep.equal([[], idOf(10_000), 10_000]);
    expect(none.reads).to.be.at.most(22);
  });
});
