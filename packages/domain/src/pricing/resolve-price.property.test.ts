import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/Either';
import type { PriceParameters } from '../adjustments/parameters';
import { readSheet } from '../price-sheet/read-sheet';
import type { SheetRow } from '../price-sheet/sheet';
import { holderRows } from '../price-sheet/write-sheet';
import { type Books, createBooks } from '../testing/books';
import { createOracle, type Oracle, type OracleAnswer, type RequestJson } from '../testing/oracle';
import { parameters, priceRequests } from '../testing/price-requests';
import { book, currency, instant, product } from '../testing/reading';

const products = ['P', 'Q'];
const currencies = ['USD', 'JPY', 'BHD', 'UYW', 'MGA'];

const productId = fc.oneof(
  { weight: 3, arbitrary: fc.constant('P') },
  { arbitrary: fc.constant('Q'), weight: 1 },
);
const { productRequest, allProductsRequest } = priceRequests(
  productId,
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('USD', 'usd', 'Usd') },
    { weight: 2, arbitrary: fc.constantFrom('jpy', 'JPY') },
    { weight: 1, arbitrary: fc.constantFrom('BHD', 'UYW', 'mga') },
  ),
);

interface Step {
  readonly book: number;
  readonly request: RequestJson;
  /** Milliseconds since the step before: clocks stand still, and those of two books differ. */
  readonly pause: number;
}

interface History {
  readonly bookCount: number;
  readonly steps: readonly Step[];
}

const history: fc.Arbitrary<History> = fc.integer({ min: 1, max: 5 }).chain((bookCount) =>
  fc.record({
    bookCount: fc.constant(bookCount),
    steps: fc.array(
      fc.record({
        book: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: bookCount - 1 })),
        request: fc.oneof(
          { weight: 3, arbitrary: productRequest },
          { weight: 1, arbitrary: allProductsRequest },
        ),
        pause: fc.integer({ min: -3, max: 5 }),
      }),
      { maxLength: 25 },
    ),
  }),
);

const openBooks = (count: number): Books => {
  const books = createBooks();
  for (let place = 0; place < count; place += 1) {
    books.create(book(place), place === 0 ? undefined : book(place - 1), instant(0));
  }
  return books;
};

/** Each book's own time: never before its previous event. */
const timesOf = (steps: readonly Step[]): readonly string[] => {
  const clocks = new Map<number, number>();
  let clock = 10;
  return steps.map(({ book: place, pause }) => {
    clock += Math.max(0, pause);
    const time = Math.max(clocks.get(place) ?? 0, clock + Math.min(0, pause));
    clocks.set(place, time);
    return instant(time);
  });
};

const play = (books: Books, { steps }: History, oracle?: Oracle): void => {
  const times = timesOf(steps);
  steps.forEach(({ book: place, request }, index) => {
    const time = times[index] ?? '';
    books.request(book(place), request, time);
    oracle?.request(place, request, time);
  });
};

const answerOf = (
  books: Books,
  place: number,
  productName: string,
  code: string,
  given: PriceParameters,
): OracleAnswer => {
  const answer = books.price(book(place), product(productName), currency(code), given);
  if (E.isRight(answer)) {
    const { price, effectiveDate } = answer.right;
    return { price, effectiveDate };
  }
  const error = answer.left;
  return error._tag === 'NoListPrice' ? { problem: error._tag } : { problem: error._tag, name: error.name };
};

const forEachPrice = (
  bookCount: number,
  visit: (place: number, productName: string, code: string) => void,
): void => {
  for (let place = 0; place < bookCount; place += 1) {
    for (const productName of products) for (const code of currencies) visit(place, productName, code);
  }
};

const pricesOf = (
  books: Books,
  { bookCount }: History,
  given: PriceParameters,
): readonly (number | string)[] => {
  const prices: (number | string)[] = [];
  forEachPrice(bookCount, (place, productName, code) => {
    const answer = answerOf(books, place, productName, code, given);
    prices.push('price' in answer ? answer.price : answer.problem);
  });
  return prices;
};

const isForAll = ({ request }: Step): boolean => request.operation === 'set' && !Array.isArray(request.body);

describe('The price after any history of requests', function () {
  this.timeout(30_000);

  it('is what a plain telling of the rules says, in every book of the chain, with its effective date', () => {
    fc.assert(
      fc.property(history, fc.array(parameters, { minLength: 1, maxLength: 4 }), (past, givens) => {
        const books = openBooks(past.bookCount);
        const oracle = createOracle(past.bookCount);
        play(books, past, oracle);
        for (const given of givens) {
          forEachPrice(past.bookCount, (place, productName, code) => {
            expect(answerOf(books, place, productName, code, given)).to.deep.equal(
              oracle.price(place, productName, code, given),
            );
          });
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('is the same in whichever order all-products requests and product requests alternate', () => {
    const interleaved = history.chain((past) =>
      fc
        .array(fc.boolean(), { minLength: past.steps.length, maxLength: past.steps.length })
        .map((turns): readonly [History, History] => {
          const queues = {
            all: past.steps.filter(isForAll),
            product: past.steps.filter((s) => !isForAll(s)),
          };
          const steps = turns.flatMap((forAll) => {
            const [first, second] = forAll ? [queues.all, queues.product] : [queues.product, queues.all];
            return first.shift() ?? second.shift() ?? [];
          });
          return [past, { ...past, steps }];
        }),
    );
    fc.assert(
      fc.property(interleaved, parameters, ([past, other], given) => {
        const [one, two] = [openBooks(past.bookCount), openBooks(past.bookCount)];
        play(one, past);
        play(two, other);
        expect(pricesOf(two, past, given)).to.deep.equal(pricesOf(one, past, given));
      }),
      { numRuns: 400 },
    );
  });

  it('stays as it is when the last request to a book is made again', () => {
    fc.assert(
      fc.property(history, parameters, (past, given) => {
        const books = openBooks(past.bookCount);
        play(books, past);
        const before = pricesOf(books, past, given);
        const last = past.steps.at(-1);
        if (last !== undefined) books.request(book(last.book), last.request, instant(10_000));
        expect(pricesOf(books, past, given)).to.deep.equal(before);
      }),
      { numRuns: 300 },
    );
  });

  it('stays with its effective date when what was removed is removed once more', () => {
    const removeAll: readonly RequestJson[] = [
      { operation: 'delete', body: products },
      {
        operation: 'set',
        body: products.map((productId) => ({
          productId,
          adjustments: Object.fromEntries(currencies.map((key) => [key, { type: 'null', amount: null }])),
        })),
      },
      {
        operation: 'set',
        body: { productId: 'all', adjustments: Object.fromEntries(currencies.map((key) => [key, null])) },
      },
    ];
    fc.assert(
      fc.property(history, fc.nat(), parameters, (past, choice, given) => {
        const books = openBooks(past.bookCount);
        play(books, past);
        const emptied = book(choice % past.bookCount);
        for (const request of removeAll) books.request(emptied, request, instant(10_000));
        const answers = (): readonly OracleAnswer[] => {
          const list: OracleAnswer[] = [];
          forEachPrice(past.bookCount, (...key) => list.push(answerOf(books, ...key, given)));
          return list;
        };
        const before = answers();
        for (const request of removeAll) books.request(emptied, request, instant(20_000));
        expect(answers()).to.deep.equal(before);
      }),
      { numRuns: 200 },
    );
  });

  it('is the same in an empty book of the same base that is set by the price sheet of the book', () => {
    fc.assert(
      fc.property(
        history,
        fc.nat(),
        fc.array(parameters, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat()),
        (past, choice, givens, turns) => {
          const books = openBooks(past.bookCount);
          play(books, past);
          const place = choice % past.bookCount;
          const sheet = [...books.held(book(place))]
            .flatMap(([holder, prices]) => holderRows(holder, prices))
            .map((cells, index) => ({ cells, line: index + 2 }));
          const setIn = (copy: number, rows: readonly SheetRow[]): void => {
            books.create(book(copy), place === 0 ? undefined : book(place - 1), instant(10_000));
            const command = readSheet(rows);
            if (E.isLeft(command)) throw new Error(JSON.stringify(command.left));
            books.carryOut(book(copy), command.right, instant(20_000));
          };
          setIn(98, sheet);
          expect([...books.held(book(98))]).to.have.deep.members([...books.held(book(place))]);

          const turn = new Map(sheet.map(({ line }) => [line, turns.next().value]));
          setIn(
            99,
            [...sheet].sort((a, b) => (turn.get(a.line) ?? 0) - (turn.get(b.line) ?? 0)),
          );
          for (const given of givens) {
            for (const productName of products) {
              for (const code of currencies) {
                const [one, ...copies] = [place, 98, 99].map((id) => ({
                  ...answerOf(books, id, productName, code, given),
                  effectiveDate: '',
                }));
                expect(copies).to.deep.equal([one, one]);
              }
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is the same in a book that holds nothing as in its base', () => {
    fc.assert(
      fc.property(history, parameters, (past, given) => {
        const books = openBooks(past.bookCount);
        play(books, past);
        const empty = book(99);
        books.create(empty, book(Math.min(past.bookCount, 4) - 1), instant(10_000));
        for (const code of currencies) {
          const [inEmpty, inBase] = [empty, book(Math.min(past.bookCount, 4) - 1)].map((id) =>
            E.map(({ price, effectiveDate }: { price: number; effectiveDate: string }) => ({
              price,
              effectiveDate,
            }))(books.price(id, product('P'), currency(code), given)),
          );
          expect(inEmpty).to.deep.equal(inBase);
        }
      }),
      { numRuns: 200 },
    );
  });
});
