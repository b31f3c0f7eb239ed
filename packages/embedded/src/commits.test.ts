import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoreReadsOnly } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { createCommits } from './commits';

describe('commits', () => {
  it('hold all that comes in one turn of the event loop, and what comes during one waits for the next', async () => {
    const batches: (readonly string[])[] = [];
    let end: () => void = () => undefined;
    const append = createCommits<string, string, never>(
      async (entries) => {
        batches.push(entries);
        await new Promise<void>((resolve) => (end = resolve));
        return entries.map((entry) => E.right(entry));
      },
      () => undefined,
    );
    const first = append('a');
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
    const second = append('b');
    await nextTurn();
    const third = append('c');
    await nextTurn();
    expect(batches).to.deep.equal([['a', 'b']]);
    end();
    expect(await Promise.all([first, second])).to.deep.equal([E.right('a'), E.right('b')]);
    await nextTurn();
    expect(batches).to.deep.equal([['a', 'b'], ['c']]);
    end();
    expect(await third).to.deep.equal(E.right('c'));
  });

  it('are not begun while something keeps from it, and the reason is told', async () => {
    const obstacle: StoreReadsOnly = { _tag: 'StoreReadsOnly', why: 'failing', reason: 'EIO' };
    const append = createCommits<string, string, never>(
      () => Promise.reject(new Error('begun')),
      () => obstacle,
    );
    expect(await append('a')).to.deep.equal(E.left(obstacle));
  });
});
