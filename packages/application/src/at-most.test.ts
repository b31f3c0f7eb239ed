import { expect } from 'chai';
import { createAtMost } from './at-most';

describe('work of which only so much is done at once', () => {
  it('waits for its turn, in order, also after work that failed', async () => {
    const atMost = createAtMost(2);
    const begun: number[] = [];
    const finish: (() => void)[] = [];
    const work = (n: number): Promise<number> =>
      atMost(async () => {
        begun.push(n);
        await new Promise<void>((resolve) => finish.push(resolve));
        if (n === 0) throw new Error('it failed');
        return n;
      });
    const all = [0, 1, 2, 3, 4].map(work);
    const settled = Promise.allSettled(all);
    for (let n = 0; n < 5; n += 1) {
      await new Promise(setImmediate);
      expect(begun).to.deep.equal([0, 1, 2, 3, 4].slice(0, n + 2));
      finish[n]?.();
    }
    expect((await settled).map(({ status }) => status)).to.deep.equal([
      'rejected',
      ...Array.from({ length: 4 }, () => 'fulfilled'),
    ]);
    const again = work(5);
    await new Promise(setImmediate);
    expect(begun.at(-1)).to.equal(5);
    finish[5]?.();
    expect(await again).to.equal(5);
  });
});
