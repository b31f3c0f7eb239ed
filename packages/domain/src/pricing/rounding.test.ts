import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { noParameters } from '../adjustments/parameters';
import { createBooks } from '../testing/books';
import { book, currency, instant, product } from '../testing/reading';

/** The price of a product in a root book, entered as `amount` and changed by the book's percent. */
const priceOf = (amount: number, percent: number, code = 'USD'): number => {
  const books = createBooks();
  books.create(book(1), undefined, instant(0));
  const set = (body: unknown): void => {
    books.request(book(1), { operation: 'set', body }, instant(1));
  };
  set([{ productId: 'P', adjustments: { [code]: { type: 'override', amount } } }]);
  set({ productId: 'all', adjustments: { [code]: { type: 'percent', amount: percent } } });
  const answer = books.price(book(1), product('P'), currency(code), noParameters);
  return E.isRight(answer) ? answer.right.price : NaN;
};

interface Case {
  readonly code?: string;
  readonly list: number;
  readonly percent: number;
  readonly price: number;
  readonly because: string;
}

const cases: readonly Case[] = [
  { list: 1.1, percent: 15, price: 1.27, because: '1.265 rounds half up' },
  { list: 1.1, percent: -15, price: 0.94, because: '0.935 rounds half up' },
  { list: 0.15, percent: -50, price: 0.08, because: '0.075 rounds half up' },
  { list: 0.25, percent: -90, price: 0.03, because: '0.025 is exact, where doubles reckon 0.02499' },
  { list: 1.005, percent: 100, price: 2.01, because: 'a sum of doubles would be the same' },
  { list: 10, percent: 0.04, price: 10, because: '10.004 rounds down' },
  { list: 10, percent: 0.05, price: 10.01, because: '10.005 rounds up' },
  { list: 100, percent: 10, price: 110, because: 'whole stays whole' },
  { code: 'JPY', list: 105, percent: 10, price: 116, because: 'the yen has no minor unit: 115.5' },
  { code: 'JPY', list: 104, percent: 10, price: 114, because: 'the yen has no minor unit: 114.4' },
  { code: 'JPY', list: 1, percent: -50, price: 1, because: '0.5 yen round half up' },
  { code: 'BHD', list: 1.005, percent: 50, price: 1.508, because: 'the Bahraini dinar has 3 digits: 1.5075' },
  { code: 'BHD', list: 1.234, percent: -50, price: 0.617, because: 'the Bahraini dinar has 3 digits' },
  { code: 'UYW', list: 1.0001, percent: 50, price: 1.5002, because: 'the nominal wage index has 4: 1.50015' },
  { code: 'MGA', list: 1.05, percent: 10, price: 1.16, because: 'ISO lists the ariary with 2 digits: 1.155' },
  {
    code: 'MRU',
    list: 0.33,
    percent: -50,
    price: 0.17,
    because: 'ISO lists the ouguiya with 2 digits: 0.165',
  },
  { code: 'HUF', list: 1.01, percent: 50, price: 1.52, because: 'ISO lists the forint with 2 digits: 1.515' },

  {
    list: 0.00035,
    percent: 10,
    price: 0.000385,
    because: 'a list price finer than a cent keeps 12 decimals',
  },
  { list: 0.00035, percent: 33.3333333333, price: 0.000466666667, because: 'and is rounded to those' },
  { list: 1.001, percent: 0.1, price: 1.002001, because: 'fine is more than the minor unit, at any size' },
  { code: 'JPY', list: 0.5, percent: 10, price: 0.55, because: 'half a yen is fine' },
  { code: 'JPY', list: 100.5, percent: 1, price: 101.505, because: 'a fine price in yen may have decimals' },
  { code: 'BHD', list: 1.0005, percent: 10, price: 1.10055, because: 'finer than 3 digits' },
  { code: 'BHD', list: 1.005, percent: 0.01, price: 1.005, because: '3 digits are not finer than 3' },
  {
    list: 0.0000000000015,
    percent: -50,
    price: 0.0000000000008,
    because: 'the list price has 13 decimals of its own: 7.5e-13',
  },
  { list: 1e-20, percent: 50, price: 2e-20, because: 'its own 20 decimals: 1.5e-20' },
  { list: 0.30000000000000004, percent: 10, price: 0.33, because: '17 decimals: 0.330000000000000044' },

  { list: 1e15, percent: 1e6, price: 1.0001e19, because: 'the most of both' },
  { list: 999999999999999, percent: 1e6, price: 1.000099999999999e19, because: 'nearly the most' },
  { list: 1e15, percent: -100, price: 0, because: 'nothing is left' },
  { list: 0.049999999999999996, percent: -100, price: 0, because: 'nothing is left of a fine price' },
  { list: 5e-324, percent: -100, price: 0, because: 'nothing is left of next to nothing' },
  { list: 5e-324, percent: 100, price: 1e-323, because: 'its own 324 decimals' },
  { list: 5e-324, percent: 1e6, price: 5.0005e-320, because: 'its own 324 decimals: 50005e-324' },
  {
    list: 5e-324,
    percent: -50,
    price: 5e-324,
    because: '2.5e-324 rounds up to 3e-324, which is the same double',
  },
  { list: 0, percent: 1e6, price: 0, because: 'nothing times anything' },
  { list: 100, percent: 5e-324, price: 100, because: 'a percent of next to nothing is rounded away' },
  { list: 100, percent: -99.99999999999999, price: 0, because: 'a hundred-trillionth of 100 is no cent' },
];

describe('A computed price', () => {
  for (const { code = 'USD', list, percent, price, because } of cases) {
    it(`of ${String(list)} ${code} and ${String(percent)} % is ${String(price)}: ${because}`, () => {
      const computed = priceOf(list, percent, code);
      expect(computed).to.equal(price);
      expect(Object.is(computed, -0)).to.equal(false);
    });
  }

  it('is rounded once in every book of a chain, the next takes what the one before answers', () => {
    const books = createBooks();
    for (let number = 1; number <= 5; number += 1) {
      books.create(book(number), number === 1 ? undefined : book(number - 1), instant(0));
      const adjustments = { USD: { type: 'percent', amount: 10 } };
      books.request(book(number), { operation: 'set', body: { productId: 'all', adjustments } }, instant(1));
    }
    const entered = [{ productId: 'P', adjustments: { USD: { type: 'override', amount: 1.05 } } }];
    books.request(book(1), { operation: 'set', body: entered }, instant(2));
    const prices = [1, 2, 3, 4, 5].map((number) => {
      const answer = books.price(book(number), product('P'), currency('USD'), noParameters);
      return E.isRight(answer) ? answer.right.price : NaN;
    });
    // 1.155; 1.276; 1.408; 1.551; 1.705, where 1.05 x 1.1^5 is 1.691.
    expect(prices).to.deep.equal([1.16, 1.28, 1.41, 1.55, 1.71]);
  });
});

describe('An entered price is answered exactly as entered', () => {
  const entered: readonly (readonly [string, number])[] = [
    ['USD', 0.049999999999999996],
    ['USD', 0.1 + 0.2],
    ['USD', 5e-324],
    ['USD', 1e15],
    ['USD', 123456789012345.67],
    ['JPY', 0.5],
    ['JPY', 1234.5678],
    ['BHD', 1.00005],
  ];

  for (const [code, amount] of entered) {
    it(`${String(amount)} ${code} with 0 %, which is no computation`, () => {
      expect(priceOf(amount, 0, code)).to.equal(amount);
      expect(priceOf(amount, -0, code)).to.equal(amount);
    });

    it(`${String(amount)} ${code} without any percent, in a root book and in one with a base`, () => {
      const books = createBooks();
      books.create(book(1), undefined, instant(0));
      books.create(book(2), book(1), instant(0));
      books.create(book(3), book(2), instant(0));
      const body = [{ productId: 'P', adjustments: { [code]: { type: 'override', amount } } }];
      for (const number of [1, 2]) {
        books.request(book(number), { operation: 'set', body }, instant(1));
        for (const asked of [1, 2, 3]) {
          const answer = books.price(book(asked), product('P'), currency(code), noParameters);
          expect(E.isRight(answer) && answer.right.price).to.equal(amount);
        }
      }
    });
  }
});
