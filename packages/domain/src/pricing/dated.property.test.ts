import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/Either';
import type { PriceParameters } from '../adjustments/parameters';
import { adjustmentJson, percentAdjustment } from '../testing/arbitraries';
import { type Books, createBooks } from '../testing/books';
import {
  type AdjustmentJson,
  createOracle,
  type Oracle,
  type OracleAnswer,
  type RequestJson,
} from '../testing/oracle';
import { parameters } from '../testing/price-requests';
import { book, currency, instant, product } from '../testing/reading';

/** All instants are among these: sets, beginnings and ends meet. */
const INSTANTS = 24;
const PRODUCTS = ['P', 'Q'];

const bounds = fc
  .record({
    from: fc.option(fc.integer({ min: 0, max: INSTANTS }), { nil: undefined }),
    until: fc.option(fc.integer({ min: 0, max: INSTANTS }), { nil: undefined }),
  })
  .map(({ from, until }) => {
    const [first, last] =
      from !== undefined && until !== undefined && until < from ? [until, from] : [from, until];
    return {
      ...(first !== undefined && { validFrom: instant(first) }),
      ...(last !== undefined && last !== first && { validUntil: instant(last) }),
    };
  });

const removal: AdjustmentJson = { type: 'null', amount: null };

const dated = (adjustment: fc.Arbitrary<AdjustmentJson>): fc.Arbitrary<AdjustmentJson> =>
  fc
    .tuple(
      fc.oneof({ weight: 5, arbitrary: adjustment }, fc.constant<AdjustmentJson>({ type: 'cancel' })),
      bounds,
    )
    .map(([one, its]) =>
      one.type === 'cancel' && Object.keys(its).length === 0 ? removal : { ...one, ...its },
    );

const placeOf = ({ type, validFrom, validUntil }: AdjustmentJson): string =>
  validFrom === undefined && validUntil === undefined
    ? type === 'null' || type === 'percent'
      ? type
      : 'absolute'
    : `${String(validFrom)} ${String(validUntil)}`;

const several = (one: fc.Arbitrary<AdjustmentJson>) =>
  fc.oneof(
    { weight: 3, arbitrary: one },
    { weight: 2, arbitrary: fc.uniqueArray(one, { minLength: 1, maxLength: 6, selector: placeOf }) },
  );

const simple = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 1, max: 9 })
      .map((n): AdjustmentJson => ({ type: 'override', amount: n * 100 })),
  },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: -9, max: 9 })
      .map((n): AdjustmentJson => ({ type: 'percent', amount: n * 10 })),
  },
  { weight: 1, arbitrary: fc.constant(removal) },
  { weight: 1, arbitrary: adjustmentJson },
);

const request: fc.Arbitrary<RequestJson> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('P', 'P', 'P', 'Q'), several(dated(simple)))
      .map(([productId, USD]) => ({
        operation: 'set' as const,
        body: [{ productId, adjustments: { USD } }],
      })),
  },
  {
    weight: 3,
    arbitrary: several(
      dated(fc.oneof({ weight: 4, arbitrary: percentAdjustment }, fc.constant(removal))),
    ).map((USD) => ({
      operation: 'set' as const,
      body: {
        productId: 'all' as const,
        adjustments: {
          USD: [USD].flat().map((one) => (placeOf(one) === 'null' ? null : one)),
        },
      },
    })),
  },
  { weight: 1, arbitrary: fc.constant<RequestJson>({ operation: 'delete', body: ['P'] }) },
);

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

/** The service refuses what could never be seen. */
const isRefused = (body: unknown, now: string): boolean =>
  JSON.stringify(body)
    .split('{')
    .some((part) => {
      const until = /"validUntil":"([^"]*)"/.exec(part)?.[1];
      return until !== undefined && until <= now && !part.includes('"cancel"');
    });

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
    if (isRefused(asked.body, now)) continue;
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
