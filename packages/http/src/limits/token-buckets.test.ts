import { expect } from 'chai';
import fc from 'fast-check';
import { createTokenBuckets } from './token-buckets';

describe('token buckets', () => {
  const given = (capacity: number, perSecond: number, maxBuckets = 10) => {
    let time = 0;
    const buckets = createTokenBuckets({ capacity, perSecond, maxBuckets, now: () => time });
    const takes = (name: string, times: number): number =>
      Array.from({ length: times }, () => buckets.take(name)).filter(({ isTaken }) => isTaken).length;
    return { ...buckets, takes, wait: (ms: number) => (time += ms) };
  };

  it('let each have so many at once, and then as many as time brings', () => {
    const { takes, wait } = given(5, 2);
    expect([takes('a', 9), takes('b', 3)]).to.deep.equal([5, 3]);
    wait(1_000);
    expect(takes('a', 9)).to.equal(2);
    wait(60_000);
    expect(takes('a', 9)).to.equal(5);
  });

  it('tell what is left and how long to wait', () => {
    const { take, wait } = given(2, 0.25);
    expect(take('a')).to.deep.equal({ isTaken: true, remaining: 1, secondsToNext: 0 });
    expect(take('a')).to.deep.equal({ isTaken: true, remaining: 0, secondsToNext: 4 });
    wait(1_500);
    expect(take('a')).to.deep.equal({ isTaken: false, remaining: 0, secondsToNext: 3 });
  });

  it('forget who has a full bucket again, and never know more than they may', () => {
    const { take, size, wait } = given(5, 5, 100);
    for (let n = 0; n < 1_000; n += 1) take(`name ${String(n)}`);
    expect(size()).to.equal(100);
    wait(1_001);
    for (let n = 0; n < 100; n += 1) take('the only one');
    expect(size()).to.equal(1);
  });

  it('never let anyone have more than its rate allows, whenever it asks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.tuple(fc.nat(400), fc.constantFrom('a', 'b', 'c')), { maxLength: 200 }),
        (capacity, perSecond, steps) => {
          const { takes, wait } = given(capacity, perSecond, 3);
          const taken: Record<string, number> = {};
          let elapsed = 0;
          for (const [ms, name] of steps) {
            wait(ms);
            elapsed += ms;
            taken[name] = (taken[name] ?? 0) + takes(name, 1);
            const most = capacity + (elapsed / 1_000) * perSecond + 1e-6;
            expect(taken[name]).to.be.at.most(most);
          }
        },
      ),
    );
  });
});
