import { ALL_PRODUCTS, EVERY_CURRENCY, type HistoryRow, placeChange } from '@pricebook/application';
import type { Adjustments, Currency } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { fromKeptRow, type KeptRow, toKeptRow } from './kept-row';
import { isOfSameSeries, latestRowKeys, priceBookKey, rowCurrencyOf, rowIdOf, rowKey } from './keys';

const stored = (row: HistoryRow): KeptRow => JSON.parse(JSON.stringify(toKeptRow(row))) as KeptRow;

const adjustment = fc.constantFrom(
  { type: 'override', amount: 5 },
  { type: 'percent', amount: 10 },
  { type: 'null', amount: null },
  { type: 'override', amount: 6, validFrom: '2027-01-01T00:00:00.000Z' },
  { type: 'percent', amount: 11, validFrom: '2025-01-01T00:00:00.000Z' },
  { type: 'override', amount: 7, validUntil: '2027-02-01T00:00:00.000Z' },
  { type: 'cancel', validUntil: '2027-02-01T00:00:00.000Z' },
);
const asked = fc.oneof(adjustment, fc.uniqueArray(adjustment, { minLength: 2, maxLength: 3 }));
const adjustments = fc.oneof(
  fc.constant('removeAll' as const),
  fc.dictionary(fc.constantFrom('USD', 'EUR'), asked, { minKeys: 1 }) as fc.Arbitrary<Adjustments>,
);

describe('What is kept of a history row', () => {
  it('says all that the row says, whatever the changes that led to it', () => {
    fc.assert(
      fc.property(fc.array(adjustments, { minLength: 1, maxLength: 8 }), (changes) => {
        let document = undefined;
        for (const [revision, change] of changes.entries()) {
          const stamp = {
            revision,
            occurredAt: '2026-01-01T00:00:00.000Z',
            actor: `key-${String(revision % 2)}`,
            ...(revision % 3 === 1 && { reason: `reason ${String(revision)}` }),
          };
          const kept = { has: () => false, all: () => [] };
          const placed = placeChange(document, kept, { stamp, adjustments: change });
          document = placed?.document;
          for (const row of placed?.rows ?? []) {
            expect(fromKeptRow(row.currency, stored(row))).to.deep.equal(row);
          }
        }
      }),
    );
  });

  it('is the cell alone for a price that was set', () => {
    const change = {
      stamp: { revision: 3, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'key' },
      adjustments: { USD: { type: 'override', amount: 5 } } as Adjustments,
    };
    const row = placeChange(undefined, { has: () => false, all: () => [] }, change)?.rows[0];
    if (row === undefined) throw new Error('There is a row.');
    expect(toKeptRow(row)).to.have.all.keys('cell');
  });

  it('is refused where it says neither when it was nor who asked', () => {
    expect(() => fromKeptRow('USD' as Currency, {})).to.throw('neither when it was');
  });
});

describe('The keys of history rows', () => {
  const book = priceBookKey('018f0000-0000-7000-8000-000000000001');
  const other = priceBookKey('018f0000-0000-7000-8000-000000000002');
  const at = '2026-01-01T00:00:00.000Z';
  const holder = fc.oneof(
    fc.constant(ALL_PRODUCTS),
    fc.string({ minLength: 4, maxLength: 20 }),
  ) as fc.Arbitrary<HistoryRow['currency'] & typeof ALL_PRODUCTS>;
  const currency = fc.constantFrom<HistoryRow['currency'][]>('USD' as Currency, EVERY_CURRENCY);

  it('say whose row it is, in which currency, when and which', () => {
    fc.assert(
      fc.property(holder, currency, fc.nat(), (whose, code, revision) => {
        const key = rowKey(book, whose, code, { occurredAt: at, revision });
        expect(rowCurrencyOf(key)).to.equal(code);
        expect(rowIdOf(key)).to.deep.equal({
          priceBookId: '018f0000-0000-7000-8000-000000000001',
          holder: whose,
          currency: code,
          occurredAt: at,
          revision,
        });
      }),
    );
  });

  it('stand before the place where the latest are looked for, and are told from those of others', () => {
    fc.assert(
      fc.property(holder, holder, fc.nat(), (whose, others, revision) => {
        const from = latestRowKeys(whose, 'USD', at)(book);
        const own = rowKey(book, whose, 'USD', { occurredAt: at, revision });
        const later = rowKey(book, whose, 'USD', { occurredAt: '2026-01-01T00:00:00.001Z', revision: 0 });
        expect([own.compare(from), later.compare(from)]).to.deep.equal([-1, 1]);
        expect(isOfSameSeries(own, from)).to.equal(true);
        const strange = [
          rowKey(other, whose, 'USD', { occurredAt: at, revision }),
          rowKey(book, whose, 'EUR', { occurredAt: at, revision }),
          ...(others === whose ? [] : [rowKey(book, others, 'USD', { occurredAt: at, revision })]),
        ];
        for (const key of strange) expect(isOfSameSeries(key, from)).to.equal(false);
      }),
    );
  });
});
