import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createTogether } from './together';

describe('what comes in one turn of the event loop', () => {
  it('is handled together, in its order, at the end of the turn', async () => {
    const handled: number[] = [];
    const handle = createTogether<number>((item) => handled.push(item));
    for (const item of [1, 2, 3]) handle(item);
    await Promise.resolve();
    expect(handled).to.deep.equal([]);
    await nextTurn();
    expect(handled).to.deep.equal([1, 2, 3]);
    handle(4);
    await nextTurn();
    expect(handled).to.deep.equal([1, 2, 3, 4]);
  });

  it('goes through each stage together', async () => {
    const stages: string[] = [];
    const handle = createTogether<number>((item) => {
      stages.push(`${String(item)} begins`);
      void Promise.resolve().then(() => stages.push(`${String(item)} goes on`));
    });
    for (const item of [1, 2]) handle(item);
    await nextTurn();
    expect(stages).to.deep.equal(['1 begins', '2 begins', '1 goes on', '2 goes on']);
  });

  it('is handled before anything else is read, however much it is', async () => {
    const handled: number[] = [];
    const handle = createTogether<number>((item) => {
      handled.push(item);
      // What comes meanwhile is of the next turn.
      if (item === 0) handle(1_000);
    });
    const items = Array.from({ length: 1_000 }, (_, n) => n);
    for (const item of items) handle(item);
    await nextTurn();
    expect(handled).to.deep.equal(items);
    await nextTurn();
    expect(handled).to.deep.equal([...items, 1_000]);
  });
});
