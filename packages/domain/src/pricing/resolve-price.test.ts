import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { createBooks } from '../testing/books';
import { book, currency, instant, product } from '../testing/reading';
import type { PriceStep, ResolvedPrice } from './resolve-price';

const root = book(1);
const derived = book(2);
const USD = currency('USD');

interface Telling {
  readonly set: (id: typeof root, adjustment: unknown, second: number) => void;
  readonly setAll: (id: typeof root, adjustment: unknown, second: number) => void;
  readonly deleteEntry: (id: typeof root, second: number) => void;
  readonly price: (id: typeof root, quantity?: string) => ResolvedPrice;
  readonly steps: (id: typeof root, quantity?: string) => readonly PriceStep[];
}

/** A root book and one that has it as its base; times are seconds. */
const twoBooks = (): Telling => {
  const books = createBooks();
  books.create(root, undefined, instant(0));
  books.create(derived, root, instant(0));
  const request = (id: typeof root, operation: 'set' | 'delete', body: unknown, second: number): void => {
    books.request(id, { operation, body }, instant(second * 1_000));
  };
  return {
    set: (id, adjustment, second) => {
      request(id, 'set', [{ productId: 'P', adjustments: { USD: adjustment } }], second);
    },
    setAll: (id, adjustment, second) => {
      request(id, 'set', { productId: 'all', adjustments: { USD: adjustment } }, second);
    },
    deleteEntry: (id, second) => {
      request(id, 'delete', ['P'], second);
    },
    price: (id, quantity) => {
      const answer = books.price(id, product('P'), USD, parametersOf(quantity));
      if (E.isLeft(answer)) throw new Error(JSON.stringify(answer.left));
      return answer.right;
    },
    steps: (id, quantity) => books.steps(id, product('P'), USD, parametersOf(quantity)),
  };
};

const parametersOf = (quantity: string | undefined) =>
  new Map(quantity === undefined ? [] : [['quantity', [quantity]]]);

const override = (amount: number) => ({ type: 'override', amount });
const percent = (amount: number) => ({ type: 'percent', amount });
const nothing = { type: 'null', amount: null };

describe('The effective date of a price', () => {
  const seconds = ({ effectiveDate }: ResolvedPrice, second: number): void => {
    expect(effectiveDate).to.equal(instant(second * 1_000));
  };

  it('is that of the list price, then of the percent that changes it', () => {
    const { set, setAll, price } = twoBooks();
    set(root, override(100), 1);
    seconds(price(root), 1);
    setAll(root, percent(10), 2);
    seconds(price(root), 2);
    set(root, percent(20), 3);
    seconds(price(root), 3);
  });

  it('does not move with the percent of the book while the product has its own', () => {
    const { set, setAll, price } = twoBooks();
    set(root, override(100), 1);
    set(root, percent(0), 2);
    setAll(root, percent(10), 3);
    setAll(root, null, 4);
    seconds(price(root), 2);
    seconds(price(derived), 2);
  });

  it('moves when the same is set again, though the price does not', () => {
    const { set, setAll, price } = twoBooks();
    set(root, override(100), 1);
    setAll(root, percent(10), 2);
    setAll(root, percent(10), 3);
    expect(price(root).price).to.equal(110);
    seconds(price(root), 3);
    set(root, override(100), 4);
    seconds(price(root), 4);
  });

  it('is that of a removal that the price goes back to', () => {
    const { set, setAll, deleteEntry, price } = twoBooks();
    set(root, override(100), 1);
    setAll(derived, percent(10), 2);
    setAll(derived, null, 3);
    expect(price(derived).price).to.equal(100);
    seconds(price(derived), 3);
    set(derived, override(7), 4);
    deleteEntry(derived, 5);
    expect(price(derived).price).to.equal(100);
    seconds(price(derived), 5);
  });

  it('does not move when nothing is removed', () => {
    const { set, setAll, deleteEntry, price } = twoBooks();
    set(root, override(100), 1);
    set(derived, nothing, 2);
    setAll(derived, null, 3);
    setAll(root, null, 4);
    deleteEntry(derived, 5);
    seconds(price(derived), 1);
  });

  it('moves once when the same is removed twice', () => {
    const { set, setAll, price } = twoBooks();
    set(root, override(100), 1);
    set(derived, percent(5), 2);
    setAll(derived, percent(5), 3);
    set(derived, nothing, 4);
    setAll(derived, null, 5);
    set(derived, nothing, 6);
    setAll(derived, null, 7);
    seconds(price(derived), 5);
  });

  it('is that of the base where this is later', () => {
    const { set, setAll, price } = twoBooks();
    setAll(derived, percent(10), 1);
    set(root, override(100), 2);
    seconds(price(derived), 2);
    setAll(root, percent(10), 3);
    seconds(price(derived), 3);
  });

  it('does not come from the base where the book says the price itself', () => {
    const { set, setAll, price } = twoBooks();
    set(derived, override(7), 1);
    set(root, override(100), 2);
    setAll(root, percent(10), 3);
    setAll(derived, percent(10), 4);
    expect(price(derived).price).to.equal(7);
    seconds(price(derived), 1);
  });
});

describe('The explanation of a price', () => {
  const stampOf = (revision: number, second: number) => ({
    revision,
    occurredAt: instant(second * 1_000),
    actor: 'tester',
  });

  it('goes from the book that said a price to the book that was asked, before and after rounding', () => {
    const { set, setAll, steps } = twoBooks();
    const tiers = [
      { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
      { firstUnit: 10, lastUnit: null, unitPrice: 15 },
    ];
    set(root, { type: 'volume', tiers }, 1);
    setAll(root, percent(7.5), 2);
    setAll(derived, percent(50), 3);
    set(derived, percent(10), 4);
    expect(steps(derived, '10')).to.deep.equal([
      {
        priceBookId: root,
        entered: {
          adjustment: { type: 'volume', tiers },
          ...stampOf(1, 1),
          chosen: { property: 'quantity', value: 10, row: tiers[1] },
        },
        listPrice: 15,
        change: {
          of: 'allProducts',
          adjustment: percent(7.5),
          ...stampOf(2, 2),
          exact: '16.125',
          roundedTo: 2,
        },
        price: 16.13,
      },
      {
        priceBookId: derived,
        listPrice: 16.13,
        change: { of: 'product', adjustment: percent(10), ...stampOf(2, 4), exact: '17.743', roundedTo: 2 },
        price: 17.74,
      },
    ]);
  });

  it('begins at the book that says the price itself', () => {
    const { set, setAll, steps } = twoBooks();
    set(root, override(100), 1);
    setAll(derived, percent(50), 2);
    set(derived, override(0.049999999999999996), 3);
    expect(steps(derived)).to.deep.equal([
      {
        priceBookId: derived,
        entered: { adjustment: override(0.049999999999999996), ...stampOf(2, 3) },
        listPrice: 0.049999999999999996,
        price: 0.049999999999999996,
      },
    ]);
  });

  it('names a percent that changes nothing, and that nothing was rounded', () => {
    const { set, steps } = twoBooks();
    set(root, override(0.005), 1);
    set(root, percent(0), 2);
    expect(steps(root)[0]?.change).to.deep.equal({
      of: 'product',
      adjustment: percent(0),
      ...stampOf(2, 2),
      exact: '0.005',
      roundedTo: null,
    });
  });

  it('says of a price of 0 that no percent changed it', () => {
    const { set, setAll, steps } = twoBooks();
    set(root, override(0), 1);
    setAll(root, percent(10), 2);
    expect(steps(root)[0]).to.deep.include({ listPrice: 0, price: 0 });
    expect(steps(root)[0]?.change).to.deep.include({ exact: '0', roundedTo: null });
  });

  it('names the later of the removals that the price goes back to', () => {
    const { set, setAll, steps } = twoBooks();
    set(root, override(100), 1);
    setAll(derived, percent(5), 2);
    set(derived, percent(5), 3);
    setAll(derived, null, 4);
    set(derived, nothing, 5);
    expect(steps(derived)[1]).to.deep.equal({
      priceBookId: derived,
      listPrice: 100,
      price: 100,
      removed: stampOf(4, 5),
    });
  });
});
