import { setTimeout as sleep } from 'node:timers/promises';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { endOf, event, everyCall, standInForEachTest, unavailable } from './testing/under-faults';

const HOUR = 3_600_000;

describe('time limits around EventStoreDB while the clock is set (needs the stand-in)', () => {
  const its = standInForEachTest();
  const { now } = Date;
  const setClock = (by: number): void => {
    Date.now = () => now() + by;
  };
  afterEach(() => {
    Date.now = now;
  });

  it('end calls in time where it is set back an hour', async () => {
    its.standIn.faults.hang('append', 'read', 'features');
    const refused = unavailable(everyCall(its.eventStore, 'priceBook-1'));
    await sleep(100);
    setClock(-HOUR);
    await refused;
  });

  it('leave a call its time where it is set forward an hour', async () => {
    const accept = its.standIn.faults.refuseAs('UNAVAILABLE', 'append');
    const append = succeed(its.eventStore.append('priceBook-1', 'noStream', [event()]));
    await sleep(20);
    setClock(HOUR);
    await sleep(130);
    accept();
    expect(await append).to.deep.equal(endOf(its.standIn, 'priceBook-1'));
  });
});
