import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { noParameters, type PriceParameters } from '../adjustments/parameters';
import { createBooks, type PriceRequest } from '../testing/books';
import { book, currency, instant, product } from '../testing/reading';

const R = book(1);
const D = book(2);

const p = (adjustment: unknown): PriceRequest => ({
  operation: 'set',
  body: [{ productId: 'P', adjustments: { USD: adjustment } }],
});
const all = (adjustment: unknown): PriceRequest => ({
  operation: 'set',
  body: { productId: 'all', adjustments: { USD: adjustment } },
});
const percent = (amount: number) => ({ type: 'percent', amount });
const override = (amount: number) => ({ type: 'override', amount });
const nothing = { type: 'null', amount: null };
const tiers = {
  type: 'volume',
  tiers: [
    { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
    { firstUnit: 10, unitPrice: 15 },
  ],
};

interface Example {
  readonly title: string;
  readonly in: typeof R;
  readonly request: PriceRequest;
  /** The price in each book for one unit; null for none. */
  readonly R: number | null;
  readonly D: number | null;
  /** The price for ten units, where it is another one. */
  readonly ten?: { readonly R: number; readonly D: number };
}

/** The table at the end of section 1 of the design: the rows build on each other. */
const examples: readonly Example[] = [
  { title: 'R: P override 100', in: R, request: p(override(100)), R: 100, D: 100 },
  { title: 'R: all percent 10', in: R, request: all(percent(10)), R: 110, D: 110 },
  { title: 'R: all percent 10 again', in: R, request: all(percent(10)), R: 110, D: 110 },
  { title: 'D: all percent -50', in: D, request: all(percent(-50)), R: 110, D: 55 },
  { title: 'R: P percent -20', in: R, request: p(percent(-20)), R: 80, D: 40 },
  { title: 'R: all percent 5', in: R, request: all(percent(5)), R: 80, D: 40 },
  { title: 'R: P override 200', in: R, request: p(override(200)), R: 210, D: 105 },
  { title: 'R: P percent 0', in: R, request: p(percent(0)), R: 200, D: 100 },
  { title: 'D: P override 7', in: D, request: p(override(7)), R: 200, D: 7 },
  { title: 'D: all percent -60', in: D, request: all(percent(-60)), R: 200, D: 7 },
  { title: 'D: P percent 10', in: D, request: p(percent(10)), R: 200, D: 220 },
  { title: 'D: P null', in: D, request: p(nothing), R: 200, D: 80 },
  { title: 'D: all null', in: D, request: all(null), R: 200, D: 200 },
  {
    title: 'R: P volume 1-9: 20, 10-: 15',
    in: R,
    request: p(tiers),
    R: 21,
    D: 21,
    ten: { R: 15.75, D: 15.75 },
  },
  {
    title: 'R: all percent 7.5',
    in: R,
    request: all(percent(7.5)),
    R: 21.5,
    D: 21.5,
    ten: { R: 16.13, D: 16.13 },
  },
  {
    title: 'D: all percent 10',
    in: D,
    request: all(percent(10)),
    R: 21.5,
    D: 23.65,
    ten: { R: 16.13, D: 17.74 },
  },
  { title: 'R: P null', in: R, request: p(nothing), R: null, D: null },
  { title: 'R: P override 0', in: R, request: p(override(0)), R: 0, D: 0 },
];

describe('The worked examples of the design', () => {
  const books = createBooks();
  books.create(R, undefined, instant(0));
  books.create(D, R, instant(1));
  const ten: PriceParameters = new Map([['quantity', ['10']]]);

  const priceIn = (id: typeof R, parameters: PriceParameters): number | null => {
    const answer = books.price(id, product('P'), currency('USD'), parameters);
    if (E.isRight(answer)) return answer.right.price;
    expect(answer.left).to.deep.equal({ _tag: 'NoListPrice' });
    return null;
  };

  it('begin with a product without a price', () => {
    expect([priceIn(R, noParameters), priceIn(D, noParameters)]).to.deep.equal([null, null]);
  });

  examples.forEach((example, row) => {
    const { title, R: inR, D: inD, ten: ofTen = { R: inR, D: inD } } = example;
    const said = (price: number | null): string => (price === null ? 'none' : String(price));
    it(`${title}: the price in R is ${said(inR)} and in D ${said(inD)}`, () => {
      books.request(example.in, example.request, instant(100 + row));
      expect({ R: priceIn(R, noParameters), D: priceIn(D, noParameters) }).to.deep.equal({ R: inR, D: inD });
      expect({ R: priceIn(R, ten), D: priceIn(D, ten) }).to.deep.equal(ofTen);
    });
  });
});
