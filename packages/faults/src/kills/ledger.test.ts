/** A campaign that finds nothing must be one that could. */
import type { RecordedEvent } from '@pricebook/application';
import { expect } from 'chai';
import { type Ask, createLedger, newCounts } from './ledger';

const ask = (requestId: string, amount: number, after?: Ask): Ask => ({
  requestId,
  method: 'PUT',
  path: '/b/prices',
  type: 'ProductPricesSet',
  data: { items: [amount, amount] },
  book: 'b',
  after,
});

const event = (position: number, asked: Ask, changed: Partial<RecordedEvent> = {}): RecordedEvent => ({
  id: `id ${String(position)}`,
  stream: 'priceBook-b',
  revision: position - 1,
  position: BigInt(position),
  type: asked.type,
  data: asked.data,
  metadata: { $correlationId: asked.requestId },
  ...changed,
});

describe('the ledger of what clients asked for and were told', () => {
  const start = () => {
    const counts = newCounts();
    const faults: string[] = [];
    const ledger = createLedger(counts, (fault) => faults.push(fault));
    return { counts, faults, ...ledger };
  };

  const [one, two] = [ask('one', 1), ask('two', 2)];

  it('is content with what was told and is there, and with what was not told and is there or not', () => {
    const { sending, told, settle, faults, counts, recheck, last } = start();
    for (const asked of [one, two, ask('three', 3)]) sending(asked);
    told(one, 0);
    settle([event(1, one), event(2, two)]);
    recheck([event(1, one), event(2, two)]);
    expect(faults).to.deep.equal([]);
    expect(last()).to.equal(2n);
    expect(counts).to.include({ acknowledged: 1, unclear: 2, unclearStored: 1, events: 2 });
  });

  it('takes a request that was sent twice once or twice', () => {
    const { sending, told, settle, faults, counts } = start();
    sending(one);
    settle([event(1, one)]);
    sending(one);
    told(one, 1);
    settle([event(2, one)]);
    expect(faults).to.deep.equal([]);
    expect(counts).to.include({ acknowledged: 1, unclear: 1, unclearStored: 1 });
  });

  const finds = (title: string, word: string, happens: (ledger: ReturnType<typeof start>) => void): void => {
    it(`finds ${title}`, () => {
      const ledger = start();
      happens(ledger);
      expect(ledger.faults.join()).to.match(new RegExp(`^${word}`));
    });
  };

  finds('a write that was told and is not there', 'lost', ({ sending, told, settle }) => {
    sending(one);
    told(one, 0);
    settle([]);
  });
  finds('a write that was told another revision', 'lost', ({ sending, told, settle }) => {
    sending(one);
    told(one, 7);
    settle([event(1, one)]);
  });
  finds('a write that is there twice', 'invented', ({ sending, settle }) => {
    sending(one);
    settle([event(1, one), event(2, one)]);
  });
  finds('a write that nobody sent', 'invented', ({ settle }) => {
    settle([event(1, one)]);
  });
  finds('half a write', 'invented', ({ sending, settle }) => {
    sending(one);
    settle([event(1, one, { data: { items: [1] } })]);
  });
  finds('a write in another book', 'invented', ({ sending, settle }) => {
    sending(one);
    settle([event(1, one, { stream: 'priceBook-c' })]);
  });
  finds('an event that came with the id of another', 'invented', ({ sending, settle }) => {
    sending(one);
    sending(two);
    settle([event(1, one), event(2, two, { id: 'id 1' })]);
  });
  finds('a gap in the positions', 'gap', ({ sending, settle }) => {
    sending(one);
    settle([event(2, one, { revision: 0 })]);
  });
  finds('a gap in the revisions', 'gap', ({ sending, settle }) => {
    sending(one);
    settle([event(1, one, { revision: 1 })]);
  });
  finds('a write before one that its client was told of earlier', 'gap', ({ sending, told, settle }) => {
    const later = ask('later', 3, one);
    sending(one);
    told(one, 1);
    sending(later);
    told(later, 0);
    settle([event(1, later), event(2, one)]);
  });
  finds('an event that is gone in the end', 'lost', ({ sending, settle, recheck }) => {
    sending(one);
    settle([event(1, one)]);
    recheck([]);
  });
  finds('an event that is another in the end', 'lost', ({ sending, settle, recheck }) => {
    sending(one);
    settle([event(1, one)]);
    recheck([event(1, one, { data: { items: [2, 2] } })]);
  });
});
