import type { StoreUnavailable } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { patiently } from './patience';

const HOUR = 3_600_000;

describe('patience with a store that does not answer', () => {
  const { signal } = new AbortController();
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  /** Does not answer so many times; the clock is set during the first. */
  const failing = (times: number, clockBy: number) => {
    let attempts = 0;
    return {
      attempts: () => attempts,
      attempt: (): Promise<E.Either<StoreUnavailable, 'done'>> => {
        attempts += 1;
        if (attempts === 1) Date.now = () => now() + clockBy;
        return Promise.resolve(
          attempts > times ? E.right('done') : E.left({ _tag: 'StoreUnavailable', reason: 'away' }),
        );
      },
    };
  };

  it('lasts as long as it was asked for where the clock is set forward', async () => {
    const { attempt } = failing(2, HOUR);
    expect(await patiently(attempt, { ms: 5_000, signal })).to.deep.equal(E.right('done'));
  });

  it('ends where the clock is set back', async () => {
    const { attempt, attempts } = failing(Infinity, -HOUR);
    expect(E.isLeft(await patiently(attempt, { ms: 250, signal }))).to.equal(true);
    expect(attempts()).to.equal(2);
  }).timeout(5_000);
});
