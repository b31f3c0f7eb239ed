import type { Cell, Cells, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { PriceBookView, ReadModel } from '../ports/read-model';
import { type OwnPricesQuestion, readOwnPrices } from './own-prices';

const [USD, EUR] = ['USD', 'EUR'] as [Currency, Currency];
const BOOK = '01890000-0000-7000-8000-000000000000' as PriceBookId;
const clock = { now: () => '2026-01-02T00:00:00.000Z' };
const stamp = { revision: 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'a' };
const price: Cell = { absolute: { adjustment: { type: 'override', amount: 1 }, ...stamp } };
const removed: Cell = { removed: stamp };
/** A cell of about so many characters. */
const table = (size: number): Cell => ({
  absolute: {
    adjustment: { type: 'enum', property: 'p', values: [{ value: 'x'.repeat(size), unitPrice: 1 }] },
    ...stamp,
  },
});

const idOf = (number: number): ProductId => String(number).padStart(8, '0') as ProductId;

/** A root book with so many products; what each holds is told by its number. */
const given = (count: number, cellsOf: (number: number) => Cells) => {
  const asked: number[] = [];
  const readModel: Pick<ReadModel, 'findPriceBook' | 'listHoldings'> = {
    findPriceBook: (priceBookId) =>
      TE.right(
        priceBookId === BOOK
          ? ({ revision: 9, basePriceBookIds: [] } as unknown as PriceBookView)
          : undefined,
      ),
    listHoldings: (_, limit, from = idOf(0)) => {
      // A list may also begin at part of an id.
      const start = Number(from.padEnd(8, '0'));
      asked.push(limit);
      const end = Math.min(start + limit, count);
      return TE.right({
        items: Array.from({ length: end - start }, (__, index) => ({
          productId: idOf(start + index),
          revision: 0,
          cells: cellsOf(start + index),
        })),
        next: end < count ? idOf(end) : undefined,
      });
    },
  };
  return async (question: Partial<OwnPricesQuestion>) => {
    asked.length = 0;
    const page = await readOwnPrices(readModel, clock, { priceBookId: BOOK, limit: 100, ...question })();
    if (E.isLeft(page)) throw new Error(page.left._tag);
    const { products, next, revision } = page.right;
    const numbers = products.map(({ productId }) => Number(productId));
    return { numbers, next, revision, looked: asked.reduce((a, b) => a + b, 0), reads: asked.length };
  };
};

describe('The list of own prices', () => {
  it('has as many products as the limit, and looks at one more', async () => {
    const read = given(1_000_000, () => ({ [USD]: price }));
    for (const from of [0, 500_000]) {
      const page = await read({ limit: 100, from: idOf(from) });
      expect([page.numbers[0], page.numbers.length, page.next]).to.deep.equal([from, 100, idOf(from + 100)]);
      expect(page.looked).to.equal(101);
      expect(page.revision).to.equal(9);
    }
    expect((await read({ limit: 1 })).looked).to.equal(2);
    expect((await read({ limit: 1_000 })).reads).to.be.at.most(12);
    expect((await read({ limit: 10, from: idOf(999_990) })).next).to.equal(undefined);
  });

  it('leaves out products from which all was taken away, and what is in other currencies', async () => {
    const cells = [
      { [USD]: price },
      { [USD]: removed },
      { [EUR]: price },
      {},
      { [USD]: removed, [EUR]: price },
    ];
    const read = given(5, (number) => cells[number] ?? {});
    expect((await read({})).numbers).to.deep.equal([0, 2, 4]);
    expect((await read({ currency: EUR })).numbers).to.deep.equal([2, 4]);
    expect(await read({ currency: USD, limit: 1 })).to.deep.include({ numbers: [0], next: undefined });
  });

  it('ends a page at about 4 MiB, and one product always fits', async () => {
    const MIB = 1024 * 1024;
    const large = given(100, () => ({ [USD]: table(MIB) }));
    const page = await large({});
    expect([page.numbers, page.next]).to.deep.equal([[0, 1, 2], idOf(3)]);
    const huge = await given(100, () => ({ [USD]: table(9 * MIB) }))({});
    expect([huge.numbers, huge.next]).to.deep.equal([[0], idOf(1)]);
    // What is in other currencies fills no page, and is not looked at without end.
    const others = await given(100, () => ({ [EUR]: table(MIB) }))({ currency: USD });
    expect([others.numbers, others.next]).to.deep.equal([[], idOf(32)]);
  });

  it('looks at 10,000 products a page, whatever it finds, in few reads', async () => {
    const read = given(25_000, (number) => ({ [USD]: number === 24_000 ? price : removed }));
    for (const limit of [1, 100]) {
      const first = await read({ limit });
      expect([first.numbers, first.next]).to.deep.equal([[], idOf(10_000)]);
      expect(first.reads).to.be.at.most(60);
      const last = await read({ limit, from: idOf(20_000) });
      expect([last.numbers, last.next]).to.deep.equal([[24_000], undefined]);
    }
  });

  it('looks at the products of a prefix, and at one more', async () => {
    const read = given(1_000_000, () => ({ [USD]: price }));
    const page = await read({ limit: 100, productIdPrefix: '0054321' });
    expect(page).to.deep.include({
      numbers: Array.from({ length: 10 }, (_, n) => 543_210 + n),
      next: undefined,
    });
    expect(page.looked).to.be.at.most(40);
    const rest = await read({ limit: 100, productIdPrefix: '0054321', from: idOf(543_218) });
    expect(rest).to.deep.include({ numbers: [543_218, 543_219], next: undefined });
    expect(await read({ limit: 2, productIdPrefix: '005432' })).to.deep.include({
      numbers: [543_200, 543_201],
      next: idOf(543_202),
    });
    expect(await read({ limit: 2, productIdPrefix: '0054321', from: idOf(2) })).to.deep.include({
      numbers: [543_210, 543_211],
    });
  });

  it('carries a revision that is never newer than what it shows, whatever is written meanwhile', async () => {
    let revision = 1;
    const readModel: Pick<ReadModel, 'findPriceBook' | 'listHoldings'> = {
      findPriceBook: () =>
        TE.fromIO(() => ({ revision: revision++, basePriceBookIds: [] }) as unknown as PriceBookView),
      listHoldings: () =>
        TE.fromIO(() => {
          const amount = revision++;
          const cell: Cell = { absolute: { adjustment: { type: 'override', amount }, ...stamp } };
          return { items: [{ productId: idOf(1), revision: 0, cells: { [USD]: cell } }], next: undefined };
        }),
    };
    const page = await readOwnPrices(readModel, clock, { priceBookId: BOOK, limit: 1 })();
    if (E.isLeft(page)) throw new Error(page.left._tag);
    const [own] = page.right.products;
    expect(own?.adjustments[USD]).to.deep.equal({ type: 'override', amount: 2 });
    expect(page.right.revision).to.equal(1);
  });

  it('is not there without the book', async () => {
    const unknown = '01890000-0000-7000-8000-000000000001' as PriceBookId;
    const failure = await given(1, () => ({}))({ priceBookId: unknown }).catch(String);
    expect(failure).to.include('PriceBookNotFound');
  });
});
