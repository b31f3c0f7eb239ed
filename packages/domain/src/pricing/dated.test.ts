import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { noParameters } from '../adjustments/parameters';
import { createBooks, type PriceRequest } from '../testing/books';
import { book, currency, instant, product } from '../testing/reading';
import type { Cell } from './cell';
import { cellAfter, heldAt, plannedAt } from './dated';

const R = book(1);
const D = book(2);
/** T0 to T5, ten milliseconds apart. */
const T = (number: number): string => instant(100 + 10 * number);

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
const from = (validFrom: string, validUntil?: string) => ({ validFrom, ...(validUntil && { validUntil }) });

interface Example {
  readonly title: string;
  readonly in: typeof R;
  readonly requests: readonly PriceRequest[];
  /** When it is asked: before T0 where it is absent. */
  readonly when?: string;
  /** The prices of P at T0 to T5, in the book. */
  readonly prices: readonly number[];
}

/** The table of the design: the rows build on each other. */
const examples: readonly Example[] = [
  {
    title: 'R: P override 100; all percent 10',
    in: R,
    requests: [p(override(100)), all(percent(10))],
    prices: [110, 110, 110, 110, 110, 110],
  },
  {
    title: 'R: P override 60, T1 until T3',
    in: R,
    requests: [p({ ...override(60), ...from(T(1), T(3)) })],
    prices: [110, 66, 66, 110, 110, 110],
  },
  {
    title: 'R: P override 120, from T2',
    in: R,
    requests: [p({ ...override(120), ...from(T(2)) })],
    prices: [110, 66, 66, 132, 132, 132],
  },
  {
    title: 'R: all percent -50, T4 until T5',
    in: R,
    requests: [all({ ...percent(-50), ...from(T(4), T(5)) })],
    prices: [110, 66, 66, 132, 60, 132],
  },
  {
    title: 'R: P percent -20, T2 until T4',
    in: R,
    requests: [p({ ...percent(-20), ...from(T(2), T(4)) })],
    prices: [110, 66, 48, 96, 60, 132],
  },
  {
    title: 'R: P cancel, T1 until T3',
    in: R,
    requests: [p({ type: 'cancel', ...from(T(1), T(3)) })],
    prices: [110, 110, 96, 96, 60, 132],
  },
  {
    title: 'D, which has nothing of its own',
    in: D,
    requests: [],
    prices: [110, 110, 96, 96, 60, 132],
  },
  {
    title: 'at T4, R: P override 90',
    in: R,
    requests: [p(override(90))],
    when: T(4),
    prices: [110, 110, 96, 96, 45, 99],
  },
];

describe('The worked examples of dated prices', () => {
  const books = createBooks();
  books.create(R, undefined, instant(0));
  books.create(D, R, instant(1));

  const pricesIn = (id: typeof R): readonly (number | undefined)[] =>
    [0, 1, 2, 3, 4, 5].map((number) => {
      const answer = books.price(id, product('P'), currency('USD'), noParameters, T(number));
      return E.isRight(answer) ? answer.right.price : undefined;
    });

  examples.forEach(({ title, in: id, requests, when, prices }, row) => {
    it(`${title}: ${prices.join(', ')}`, () => {
      for (const request of requests) books.request(id, request, when ?? instant(2 + row));
      expect(pricesIn(id)).to.deep.equal(prices);
    });
  });

  it('D: P override 5, T3 until T4: 5 at T3, else as in R', () => {
    const other = createBooks();
    other.create(R, undefined, instant(0));
    other.create(D, R, instant(1));
    examples.slice(0, 6).forEach(({ in: id, requests }, row) => {
      for (const request of requests) other.request(id, request, instant(2 + row));
    });
    other.request(D, p({ ...override(5), ...from(T(3), T(4)) }), instant(20));
    const prices = [0, 1, 2, 3, 4, 5].map((number) => {
      const answer = other.price(D, product('P'), currency('USD'), noParameters, T(number));
      return E.isRight(answer) ? answer.right.price : undefined;
    });
    expect(prices).to.deep.equal([110, 110, 96, 5, 60, 132]);
  });
});

const stamp = (revision: number, at = revision) => ({ revision, occurredAt: instant(at), actor: 'tester' });
const cellOf = (
  ...steps: readonly (readonly [Parameters<typeof cellAfter>[1], number])[]
): Cell | undefined =>
  steps.reduce<Cell | undefined>(
    (cell, [adjustment, at], revision) => cellAfter(cell, adjustment, stamp(revision, at)),
    undefined,
  );
const sale = { type: 'override', amount: 60, validFrom: T(1), validUntil: T(3) } as const;
const planned = { type: 'override', amount: 120, validFrom: T(2) } as const;
const undated = { type: 'override', amount: 100 } as const;
const removal = { type: 'null', amount: null } as const;

describe('A cell with something dated', () => {
  it('holds it beside what stands, and says what holds at an instant', () => {
    const cell = cellOf([undated, 0], [sale, 1], [planned, 2]);
    expect(cell?.absolute?.adjustment).to.deep.equal(undated);
    expect(cell?.dated?.map(({ adjustment }) => adjustment)).to.deep.equal([planned, sale]);
    const amountAt = (number: number) => heldAt(cell, T(number))?.absolute?.adjustment;
    expect([0, 1, 2, 3].map(amountAt)).to.deep.equal([undated, sale, sale, planned]);
    expect(heldAt(cell, T(2))?.over?.absolute?.adjustment).to.deep.equal(planned);
  });

  it('drops what has ended once it is written again, and keeps when it ended', () => {
    const cell = cellOf([undated, 0], [sale, 1], [{ ...planned, validFrom: T(9) }, 141]);
    expect(cell?.dated?.map(({ adjustment }) => adjustment.validFrom)).to.deep.equal([T(9)]);
    expect(cell?.ended?.own).to.equal(T(3));
  });

  it('drops planned ones that a later undated one has replaced', () => {
    const cell = cellOf([planned, 0], [undated, 150]);
    expect(cell?.absolute).to.deep.equal({ adjustment: undated, ...stamp(1, 150) });
    expect(cell?.dated).to.equal(undefined);
  });

  it('stays as it is where what has ended is cancelled', () => {
    const cell = cellOf([undated, 0], [sale, 1]);
    const { validFrom, validUntil } = sale;
    expect(cellAfter(cell, { type: 'cancel', validFrom, validUntil }, stamp(2, 150))).to.equal(cell);
  });

  it('has nothing left after an undated removal', () => {
    expect(cellOf([undated, 0], [sale, 1], [planned, 2], [removal, 3])).to.deep.equal({ removed: stamp(3) });
    expect(cellOf([sale, 0], [removal, 1])).to.deep.equal({ changedAt: instant(1) });
  });

  it('stays as it is where nothing with the bounds is cancelled', () => {
    const cell = cellOf([undated, 0], [sale, 1]);
    expect(cellAfter(cell, { type: 'cancel', validFrom: T(1) }, stamp(2))).to.equal(cell);
    expect(cellAfter(undefined, { type: 'cancel', validFrom: T(1) }, stamp(2))).to.equal(undefined);
  });

  it('shows a planned one again when a later one is cancelled after it has begun', () => {
    const later = { type: 'override', amount: 130, validFrom: T(4) } as const;
    const cell = cellOf([undated, 0], [planned, 1], [later, 2], [{ type: 'cancel', validFrom: T(4) }, 145]);
    expect(heldAt(cell, T(5))?.absolute?.adjustment).to.deep.equal(planned);
    expect(heldAt(cell, T(5))?.ended?.own).to.equal(instant(145));
  });

  it('keeps 1,000 planned ones that have begun: those before can no longer be cancelled', () => {
    const cell = Array.from({ length: 1_010 }, (_, n) => n).reduce<Cell | undefined>(
      (before, n) =>
        cellAfter(before, { type: 'override', amount: n, validFrom: instant(n) }, stamp(n, 2_000)),
      undefined,
    );
    expect(cell?.dated).to.have.length(1_000);
    expect(cell?.absolute?.adjustment).to.deep.include({ amount: 9 });
    expect(heldAt(cell, T(9))?.absolute?.adjustment).to.deep.include({ amount: 190 });
  });

  it('says what is going to begin or end', () => {
    const cell = cellOf([undated, 0], [sale, 1], [planned, 2]);
    const left = (number: number) => plannedAt(cell ?? {}, T(number)).map(({ adjustment }) => adjustment);
    expect(left(0)).to.deep.equal([planned, sale]);
    expect(left(2)).to.deep.equal([sale]);
    expect(left(3)).to.deep.equal([]);
  });
});
