import type { Difference, Holder } from '@pricebook/application';
import type { Currency, PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import { differenceSentence } from './difference-sentence';

const priceBookId = '01a1fced-c116-737b-90d3-d0ce7dc012dc' as PriceBookId;
const USD = 'USD' as Currency;
const [validFrom, validUntil] = ['2026-11-27T00:00:00.000Z', '2026-11-30T00:00:00.000Z'];
const book = `"Retail" (${priceBookId})`;

const boundary = (difference: Partial<Difference>, holder = 'lamp' as Holder) =>
  differenceSentence({
    kind: 'missing',
    entry: { _tag: 'Boundary', priceBookId, holder, currency: USD, at: validFrom },
    bookName: 'Retail',
    ...difference,
  });

describe('the sentence of a difference', () => {
  it('names the date that is missing, wrong or too much, and whose it is', () => {
    expect(boundary({ byEvents: { revision: 3 } })).to.equal(
      `missing: date ${validFrom} of "lamp" in USD of ${book}: events say revision 3`,
    );
    const [inReadModel, byEvents] = [{ revision: 2 }, { revision: 3 }];
    expect(boundary({ kind: 'stale', inReadModel, byEvents }, 'all')).to.equal(
      `stale: date ${validFrom} of the percent for all products in USD of ${book}: read model has revision 2, events say revision 3`,
    );
    expect(boundary({ kind: 'extra', inReadModel })).to.equal(
      `extra: date ${validFrom} of "lamp" in USD of ${book}: read model has revision 2, no event says so`,
    );
  });

  it('names the two books that share a key', () => {
    expect(
      differenceSentence({ kind: 'key shared', key: 'retail', priceBookIds: [priceBookId, priceBookId] }),
    ).to.equal(`key shared: price books ${priceBookId} and ${priceBookId} both have the key "retail"`);
  });

  it('says what is dated in a price and in its history', () => {
    const stamp = { revision: 2, occurredAt: '2026-11-01T00:00:00.000Z', actor: 'a' };
    const [standing, sale] = [
      { type: 'override', amount: 50 },
      { type: 'override', amount: 40, validFrom, validUntil },
    ];
    const cell = {
      absolute: { adjustment: standing, ...stamp, revision: 1 },
      dated: [{ adjustment: sale, ...stamp }],
    };
    const said = `override 50 (revision 1), override 40 from ${validFrom} until ${validUntil} (revision 2)`;
    const entry = { _tag: 'Cell', priceBookId, productId: 'lamp' as never, currency: USD } as const;
    expect(differenceSentence({ kind: 'missing', entry, bookName: undefined, byEvents: cell })).to.equal(
      `missing: price of "lamp" in USD of ${priceBookId}: events say ${said}`,
    );
    const cancelled = { type: 'cancel', validUntil };
    const row = {
      _tag: 'Row',
      priceBookId,
      holder: 'lamp' as Holder,
      currency: USD,
      revision: 2,
      occurredAt: stamp.occurredAt,
    } as const;
    const value = { adjustment: [sale, cancelled], cell: { removed: { ...stamp, validFrom } } };
    expect(
      differenceSentence({ kind: 'extra', entry: row, bookName: 'Retail', inReadModel: value }),
    ).to.equal(
      `extra: history row of "lamp" in USD, revision 2, of ${book}: read model has override 40 from ${validFrom} until ${validUntil}; a cancellation until ${validUntil}, and then nothing any more from ${validFrom} (revision 2), no event says so`,
    );
  });
});
