import { expect } from 'chai';
import * as fc from 'fast-check';
import { pointerOf } from './faults';

/** RFC 6901, section 4: how a reader follows a pointer. */
const tokensOf = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

describe('A JSON Pointer', () => {
  it('is empty for the whole', () => {
    expect(pointerOf([])).to.equal('');
  });

  it('escapes as RFC 6901 has it', () => {
    expect(pointerOf(['a/b', 'm~n', '', 0, '~1'])).to.equal('/a~1b/m~0n//0/~01');
  });

  it('leads back to the path that it was made of', () => {
    const path = fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', '😀') }));
    fc.assert(
      fc.property(path, (tokens) => {
        expect(tokensOf(pointerOf(tokens))).to.deep.equal(tokens);
      }),
    );
  });
});
