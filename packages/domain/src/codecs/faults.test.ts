import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { refine, text } from './codecs';
import { faultsOf, MAX_FAULTS, pointerOf } from './faults';
import { listOf } from './lists';

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

describe('The words of faults', () => {
  it('are made for those that are told, when they are told', () => {
    let made = 0;
    const never = refine('Never', text('Text', { min: 0, max: 9 }), () =>
      E.left(() => {
        made += 1;
        return 'is wrong';
      }),
    );
    const read = listOf(never).decode(Array.from({ length: 10_000 }, () => 'x'));
    if (E.isRight(read)) throw new Error('it was read');
    expect(read.left).to.have.length(10_000);
    expect(made).to.equal(0);
    expect(faultsOf(read.left)[0]?.detail).to.equal('is wrong');
    expect(made).to.be.within(1, MAX_FAULTS);
  });
});
