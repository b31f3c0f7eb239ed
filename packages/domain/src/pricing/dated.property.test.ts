import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/Either';
import type { PriceParameters } from '../adjustments/parameters';
import { type Books, createBooks } from '../testing/books';
import { datedRequests, setsWhatHasEnded } from '../testing/dated-requests';
import { createOracle, type Oracle, type OracleAnswer, type RequestJson } from '../testing/oracle';
import { parameters } from '../testing/price-requests';
import { book, currency, instant, product } from '../testing/reading';

/** All instants are among these: sets, beginnings and ends meet. */
const INSTANTS = 24;
const PRODUCTS = ['P', 'Q'];

const request = datedRequests(fc.integer({ min: 0, max: INSTANTS }).map(instant));

interface Step {
  readonly book: number;
  readonly request: RequestJson;
  readonly pause: number;
}

const history = fc.integer({ min: 1, max: 3 }).chain((bookCount) =>
  fc.record({
    bookCount: fc.constant(bookCount),
    steps: fc.array(
      fc.record({
        book: fc.integer({ min: 0, max: bookCount - 1 }),
        request,
        pause: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 14 },
    ),
  }),
);

const play = (
  bookCount: number,
  steps: readonly Step[],
): { readonly books: Books; readonly oracle: Oracle } => {
  const books = createBooks();
  const oracle = createOracle(bookCount);
  for (let place = 0; place < bookCount; place += 1) {
    books.create(book(place), place === 0 ? undefined : book(place - 1), instant(0));
  }
  let clock = 0;
  for (const { book: place, request: asked, pause } of steps) {
    clock += pause;
    const now = instant(clock);
    if (setsWhatHasEnded(asked, now)) continue;
    books.request(book(place), asked, now);
    oracle.request(place, asked, now);
  }
  return { books, oracle };
};

const answerOf = (
  books: Books,
  place: number,
  name: string,
  given: PriceParameters,
  at: string,
  knownAt?: string,
): OracleAnswer => {
  const answer = books.price(book(place), product(name), currency('USD'), given, at, knownAt);
  if (E.isRight(answer)) {
    const { price, effectiveDate } = answer.right;
    return { price, effectiveDate };
  }
  const error = answer.left;
  return error._tag === 'NoListPrice' ? { problem: error._tag } : { problem: error._tag, name: error.name };
};

const priceOf = (answer: OracleAnswer): number | undefined => ('price' in answer ? answer.price : undefined);

describe('Prices with dates, after any history of requests', function () {
  this.timeout(60_000);

  const instants = Array.from({ length: INSTANTS + 3 }, (_, index) => instant(index));

  it('are what a plain reading of the rule says, at every instant, as known at every other', () => {
    fc.assert(
      fc.property(
        history,
        parameters,
        fc.integer({ min: 0, max: INSTANTS }),
        ({ bookCount, steps }, given, known) => {
          const { books, oracle } = play(bookCount, steps);
          for (let place = 0; place < bookCount; place += 1) {
            for (const name of PRODUCTS) {
              for (const at of instants) {
                for (const knownAt of [undefined, instant(known)]) {
                  expect(
                    answerOf(books, place, name, given, at, knownAt),
                    `book ${String(place)}, ${name} at ${at}, known at ${String(knownAt)}`,
                  ).to.deep.equal(oracle.price(place, name, 'USD', given, at, knownAt));
                }
              }
            }
          }
        },
      ),
      { numRuns: 600 },
    );
  });

  it('have an effective date that never goes back, and hold until the next instant that makes them another', () => {
    fc.assert(
      fc.property(history, parameters, ({ bookCount, steps }, given) => {
        const { books } = play(bookCount, steps);
        const last = instant(steps.reduce((clock, { pause }) => clock + pause, 0));
        for (let place = 0; place < bookCount; place += 1) {
          let before = '';
          for (const at of instants) {
            const answer = answerOf(books, place, 'P', given, at);
            if ('price' in answer) {
              expect(
                answer.effectiveDate >= before,
                `${answer.effectiveDate} after ${before} at ${at}`,
              ).to.equal(true);
              expect(answer.effectiveDate <= at).to.equal(true);
              before = answer.effectiveDate;
            } else before = '';
            if (at < last) continue;
            const until = books.validUntil(book(place), product('P'), currency('USD'), given, at);
            const next = instants.find(
              (later) => later > at && priceOf(answerOf(books, place, 'P', given, later)) !== priceOf(answer),
            );
            expect(until, `at ${at}`).to.equal(next);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
