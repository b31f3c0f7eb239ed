import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createInTurn } from './one-at-a-time';

const PATIENCE_MS = 5_000;

describe('work in turns', () => {
  it('of one name is done one after the other, in the order in which it came', async () => {
    const inTurn = createInTurn();
    const told: string[] = [];
    const work = (name: string, ms: number) =>
      inTurn('a', PATIENCE_MS, async () => {
        told.push(`${name} begins`);
        await delay(ms);
        told.push(`${name} ends`);
        return name;
      });
    expect(await Promise.all([work('1', 20), work('2', 1), work('3', 0)])).to.deep.equal(['1', '2', '3']);
    expect(told).to.deep.equal(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
  });

  it('of another name does not wait', async () => {
    const inTurn = createInTurn();
    void inTurn('a', PATIENCE_MS, () => new Promise(() => undefined));
    expect(await inTurn('b', PATIENCE_MS, () => Promise.resolve('done'))).to.equal('done');
  });

  it('goes on after work that has failed, and fails for who brought that alone', async () => {
    const inTurn = createInTurn();
    const failing = [
      () => Promise.reject(new Error('rejected')),
      () => {
        throw new Error('thrown');
      },
    ].map((work) => inTurn('a', PATIENCE_MS, work).catch((failure: unknown) => String(failure)));
    expect(await inTurn('a', PATIENCE_MS, () => Promise.resolve('done'))).to.equal('done');
    expect(await Promise.all(failing)).to.deep.equal(['Error: rejected', 'Error: thrown']);
  });

  it('is not done where its turn does not come in time, nor afterwards', async () => {
    const inTurn = createInTurn();
    let end: () => void = () => undefined;
    const first = inTurn('a', 1, () => new Promise<void>((resolve) => (end = resolve)));
    let isDone = false;
    const second = inTurn('a', 10, () => {
      isDone = true;
      return Promise.resolve('done');
    });
    expect(await second).to.equal(undefined);
    end();
    await first;
    expect(await inTurn('a', PATIENCE_MS, () => Promise.resolve('third'))).to.equal('third');
    expect(isDone).to.equal(false);
  });
});
