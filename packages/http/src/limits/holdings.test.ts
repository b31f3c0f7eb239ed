import { expect } from 'chai';
import fc from 'fast-check';
import { createHoldings } from './holdings';

describe('holdings', () => {
  it('has those give up that have not grown for longest, and no more of them than needed', () => {
    const { hold } = createHoldings(100);
    const gaveUp: string[] = [];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => hold(() => gaveUp.push(name)));
    a?.grow(40);
    b?.grow(40);
    a?.grow(1);
    c?.grow(19);
    expect(gaveUp).to.deep.equal([]);
    c?.grow(1);
    expect(gaveUp).to.deep.equal(['b']);
    // What was given up counts no more, however often it is said.
    b?.grow(1_000);
    b?.release();
    c?.grow(39);
    expect(gaveUp).to.deep.equal(['b']);
    a?.release();
    c?.grow(40);
    expect(gaveUp).to.deep.equal(['b']);
    c?.grow(2);
    expect(gaveUp).to.deep.equal(['b', 'c']);
  });

  it('never holds more than it may, and frees all that is released', () => {
    const step = fc.record({ who: fc.nat(5), bytes: fc.nat(60), release: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { hold } = createHoldings(100);
        const held = new Map<number, number>();
        const gone = new Set<number>();
        const holders = Array.from({ length: 6 }, (_, who) =>
          hold(() => {
            held.delete(who);
            gone.add(who);
          }),
        );
        for (const { who, bytes, release } of steps) {
          if (release) {
            holders[who]?.release();
            held.delete(who);
            gone.add(who);
          } else {
            if (!gone.has(who)) held.set(who, (held.get(who) ?? 0) + bytes);
            holders[who]?.grow(bytes);
          }
          expect([...held.values()].reduce((sum, one) => sum + one, 0)).to.be.at.most(100);
        }
        const last = hold(() => expect.fail('there is room'));
        for (const holder of holders) holder.release();
        last.grow(100);
      }),
    );
  });
});
