import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import fc from 'fast-check';
import { changeReasonHeader, changeReasonOf } from './change-reason';

const requestWith = (...values: readonly string[]) => ({
  headers: { 'change-reason': values.join(', ') },
  headersDistinct: { 'change-reason': [...values] },
});

describe('The header Change-Reason', () => {
  it('brings any reason over as it is', () => {
    const reason = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .map((text) => text.trim())
      .filter((text) => text !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(text));
    const special = fc.constantFrom('%', '%"', '%"a"', '"', '%25', '50% off', 'für', '\ufeffmark', '🎈');
    fc.assert(
      fc.property(fc.oneof(reason, special), (text) => {
        const value = changeReasonHeader(text)['change-reason'] ?? '';
        expect(value).to.match(/^[ -~]+$/);
        expect(changeReasonOf(requestWith(value))).to.deep.equal(E.right(text.trim()));
      }),
    );
  });

  it('is refused where it is sent twice', () => {
    const refused = changeReasonOf(requestWith('a', 'a'));
    expect(E.isLeft(refused) && refused.left).to.deep.include({ _tag: 'InvalidParameter' });
  });

  it('is not needed', () => {
    expect(changeReasonOf({ headers: {}, headersDistinct: {} })).to.deep.equal(E.right(undefined));
  });
});
