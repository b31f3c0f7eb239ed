import type { HoldingsDocument } from '@pricebook/application';
import type { Currency } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { holdingsEncoder } from './packed-holdings';

const { encode, decode } = holdingsEncoder;

/** Any JSON, and often fields that holdings have, in their order and in another. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 5 }),
  object: fc
    .uniqueArray(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(
            'revision',
            'cells',
            'absolute',
            'relative',
            'adjustment',
            'type',
            'amount',
            'actor',
          ),
          fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__'),
        ),
        tie('value'),
      ),
      { maxLength: 5, selector: ([name]) => name },
    )
    .map((fields) => Object.fromEntries(fields)),
}));

describe('holdings as they are kept', () => {
  const stamp = { revision: 7, occurredAt: '2026-11-21T07:20:01.471Z', actor: '4qFy2KdM' };
  const absolute = { adjustment: { type: 'override', amount: 49.99 }, ...stamp } as const;

  it('are read back as they were, whatever they hold', () => {
    fc.assert(
      fc.property(json.object, (document) => {
        const kept = encode(document as unknown as HoldingsDocument);
        // Out of a buffer that others were in before.
        const bytes = Buffer.concat([kept, Buffer.from('what was there before')]);
        expect(decode(bytes, kept.length)).to.deep.equal(document);
      }),
      { numRuns: 2_000 },
    );
  });

  const documentOf = (...currencies: readonly string[]): HoldingsDocument => ({
    revision: 7,
    cells: Object.fromEntries(currencies.map((currency) => [currency as Currency, { absolute }])),
  });

  it('take less than half of their JSON where they are short', () => {
    const document = documentOf('USD');
    const kept = encode(document);
    expect(decode(kept)).to.deep.equal(document);
    expect(kept.length).to.be.below(JSON.stringify(document).length / 2);
  });

  it('are JSON where they are long', () => {
    const document = documentOf('USD', 'EUR', 'CHF', 'GBP');
    expect(JSON.parse(encode(document).toString('utf8'))).to.deep.equal(document);
    expect(decode(encode(document))).to.deep.equal(document);
  });
});
