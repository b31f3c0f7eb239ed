import { expect } from 'chai';
import * as fc from 'fast-check';
import { byCodePoints } from './code-points';

describe('Texts by code points', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
  });

  it('are in the order of their bytes in UTF-8', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(Math.sign(byCodePoints(a, b))).to.equal(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});
