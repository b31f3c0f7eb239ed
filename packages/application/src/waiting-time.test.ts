import { expect } from 'chai';
import { createWaitingTime } from './waiting-time';

const HOUR = 3_600;

describe('the time that an event has been waiting', () => {
  const start = (head = 9n) => {
    let ms = 0;
    const { look } = createWaitingTime(head, () => ms);
    /** Looks after some seconds; by the clock the event at a position has been waiting for so long. */
    return (after: number, head: bigint, position?: bigint, seconds = 0): number => {
      ms += after * 1_000;
      return look(head, position === undefined ? undefined : { position, seconds }).seconds;
    };
  };

  it('is what the clock says where nothing is known', () => {
    expect(start()(0, 9n, 4n, 96)).to.equal(96);
  });

  it('is nothing where none waits', () => {
    const look = start();
    look(1, 9n, 4n, 96);
    expect(look(1, 9n)).to.equal(0);
  });

  it('is not longer than since a look at which the event was not there, though the clock was set forward', () => {
    const look = start();
    look(0, 3n);
    expect(look(5, 9n, 4n, HOUR)).to.equal(5);
    // It waits on while others come.
    expect(look(5, 20n, 4n, HOUR)).to.equal(10);
    // Those that were there at the last look have been applied, and one that was not there waits.
    expect(look(2, 30n, 21n, HOUR)).to.equal(2);
    // That one was applied, and one waits that was there at the last look, but not at the one before.
    expect(look(2, 30n, 25n, HOUR)).to.equal(4);
  });

  it('is not longer than since the process started, where the event came after that', () => {
    expect(start(3n)(5, 9n, 4n, HOUR)).to.equal(5);
    expect(start(4n)(5, 9n, 4n, HOUR)).to.equal(HOUR);
  });

  it('is not shorter than since the event was first seen, though the clock was set back', () => {
    const look = start();
    look(0, 9n, 4n, 1);
    expect(look(5, 9n, 4n, -HOUR)).to.equal(5);
    expect(look(0, 9n, 5n, -HOUR)).to.equal(0);
  });

  it('says for how long nothing was applied, whatever the clock says', () => {
    let ms = 0;
    const { look } = createWaitingTime(9n, () => ms);
    const still = (after: number, position?: bigint): number => {
      ms += after * 1_000;
      return look(9n, position === undefined ? undefined : { position, seconds: HOUR }).still;
    };
    expect([
      still(0, 4n),
      still(5, 4n),
      still(5, 4n),
      still(5, 5n),
      still(5),
      still(5, 7n),
      still(5, 7n),
    ]).to.deep.equal([0, 5, 10, 0, 0, 0, 5]);
  });
});
