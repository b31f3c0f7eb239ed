import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ProductPriceBody } from './answers/product-price';
import { cacheControlOf, priceTagOf } from './price-cache';

const NOW = '2026-11-22T12:00:00.000Z';
const now = (): string => NOW;

describe('the tag of a price', () => {
  const instant = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const answer = fc.record(
    {
      price: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: 0, max: 1e15, noNaN: true })),
      effectiveDate: fc.oneof(fc.constant(NOW), instant),
      validUntil: fc.oneof(fc.constant(null), fc.constant(NOW), instant),
      explanation: fc.constant({ steps: [] }),
    },
    { requiredKeys: ['price', 'effectiveDate'] },
  );
  const bodyOf = (fields: object): ProductPriceBody =>
    ({ productId: 'P', currency: 'USD', ...fields }) as ProductPriceBody;

  it('is the same exactly where the answer is, and one that a header can hold', () => {
    fc.assert(
      fc.property(answer, answer, (one, other) => {
        const [a, b] = [bodyOf(one), bodyOf(other)];
        expect(priceTagOf(a) === priceTagOf(b)).to.equal(JSON.stringify(a) === JSON.stringify(b));
        // Without commas, which part the tags of If-None-Match.
        expect(priceTagOf(a)).to.match(/^"[!#-+\--~]+"$/);
      }),
    );
  });
});

describe('what caches may do with a price', () => {
  const minute = { share: 'private', maxAge: 60 } as const;
  const inSeconds = (seconds: number): string => new Date(Date.parse(NOW) + seconds * 1_000).toISOString();

  it('is what the operator says', () => {
    for (const caching of ['no-store', 'no-cache'] as const) {
      expect(cacheControlOf(caching, inSeconds(5), now)).to.equal(caching);
    }
    expect(cacheControlOf(minute, undefined, now)).to.equal('private, max-age=60');
    expect(cacheControlOf({ share: 'public', maxAge: 5 }, null, now)).to.equal('public, max-age=5');
  });

  it('ends when the price is planned to change', () => {
    expect(cacheControlOf(minute, inSeconds(61), now)).to.equal('private, max-age=60');
    expect(cacheControlOf(minute, inSeconds(59.9), now)).to.equal('private, max-age=59');
    expect(cacheControlOf(minute, inSeconds(0.9), now)).to.equal('no-cache');
    expect(cacheControlOf(minute, inSeconds(-1), now)).to.equal('no-cache');
  });
});
