import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/Either';
import type { PriceParameters } from '../adjustments/parameters';
import { type Books, createBooks } from '../testing/books';
import { datedRequests, setsWhatHasEnded } from '../testing/dated-requests';
import type { RequestJson } from '../testing/oracle';
import { parameters } from '../testing/price-requests';
import { book, currency, instant, product } from '../testing/reading';

const INSTANTS = 24;
const PRODUCTS = ['P', 'Q'].map(product);
const USD = currency('USD');
const SOURCE = book(2);
const CLONE = book(9);

const request = datedRequests(fc.integer({ min: 0, max: INSTANTS }).map(instant));

/** Of a book, by its place in the chain 0, 1, 2; `pause` before it. */
const steps = fc.array(
  fc.record({ place: fc.integer({ min: 0, max: 2 }), request, pause: fc.integer({ min: 0, max: 3 }) }),
  { maxLength: 12 },
);

/** @returns when it is, after all that was asked. */
const play = (
  books: Books,
  asked: readonly { readonly place: number; readonly request: RequestJson; readonly pause: number }[],
  from: number,
): number => {
  let clock = from;
  for (const { place, request: one, pause } of asked) {
    clock += pause;
    if (!setsWhatHasEnded(one, instant(clock))) books.request(book(place), one, instant(clock));
  }
  return clock;
};

const chainOfThree = (): Books => {
  const books = createBooks();
  for (const place of [0, 1, 2]) {
    books.create(book(place), place === 0 ? undefined : book(place - 1), instant(0));
  }
  return books;
};

const isGraduated = ({ body }: RequestJson): boolean => JSON.stringify(body).includes('graduated');

const later = (clock: number): readonly string[] =>
  Array.from({ length: INSTANTS + 3 }, (_, index) => instant(index)).filter((at) => at >= instant(clock));

describe('A clone, whatever its source was told', function () {
  this.timeout(60_000);

  const priceIn = (
    books: Books,
    id: typeof SOURCE,
    name: (typeof PRODUCTS)[number],
    given: PriceParameters,
    at: string,
    knownAt: string,
  ): unknown => {
    const answer = books.price(id, name, USD, given, at, knownAt);
    return E.isRight(answer) ? answer.right.price : answer.left._tag;
  };

  /** @param after what the books of the chain are told after they were cloned. */
  const check = (
    flattensBase: boolean,
    before: Parameters<typeof play>[1],
    after: Parameters<typeof play>[1],
    given: PriceParameters,
  ): void => {
    const books = chainOfThree();
    const clonedAt = play(books, before, 0) + 1;
    books.clone(CLONE, SOURCE, flattensBase, instant(clonedAt));
    // What comes later is asked of the products of the source alone, or of its bases where the clone has none.
    play(books, after, clonedAt + 1);
    for (const name of PRODUCTS) {
      for (const at of later(clonedAt)) {
        const known = instant(clonedAt);
        const [ofClone, ofSource] = [
          priceIn(books, CLONE, name, given, at, '9999-12-31T23:59:59.999Z'),
          priceIn(books, SOURCE, name, given, at, known),
        ];
        expect(ofClone, `${name} at ${at}`).to.deep.equal(ofSource);
      }
    }
  };

  it('answers what the source does at that moment and from then on, whatever becomes of the source', () => {
    fc.assert(
      fc.property(steps, steps, parameters, (before, after, given) => {
        const ofSource = after.filter(({ place }) => place === 2);
        check(false, before, ofSource, given);
      }),
      { numRuns: 400 },
    );
  });

  it('that flattens the base answers so whatever becomes of the bases as well', () => {
    const plain = steps.map((all) => all.filter((step) => !isGraduated(step.request)));
    fc.assert(
      fc.property(plain, steps, parameters, (before, after, given) => {
        check(true, before, after, given);
      }),
      { numRuns: 400 },
    );
  });
});
