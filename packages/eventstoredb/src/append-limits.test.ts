import type { NewEvent } from '@pricebook/application';
import { failWith, succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { event, standInForEachTest } from './testing/under-faults';

const STREAM = 'priceBook-1';
const MIB = 1024 * 1024;

/** Types and data as the server counts them. */
const bytesOf = (sent: readonly NewEvent[]): number =>
  sent.reduce((sum, { type, data, metadata }) => {
    return sum + 2 * type.length + Buffer.byteLength(`${JSON.stringify(data)}${JSON.stringify(metadata)}`);
  }, 0);

const eventOf = (bytes: number): NewEvent => {
  const without = event('');
  return { ...without, data: 'x'.repeat(bytes - bytesOf([without])) };
};

describe('what EventStoreDB cannot store (needs the stand-in)', () => {
  describe('more than 1 MiB at once', () => {
    const its = standInForEachTest({ limitMs: 60_000 });

    const euros = event('€'.repeat(400_000));
    for (const [what, sent] of [
      ['one event', [eventOf(MIB + 1)]],
      ['three events', [eventOf(400_000), eventOf(400_000), eventOf(MIB + 1 - 800_000)]],
      ['few characters of many bytes', [euros]],
      ['types', [event(), ...Array.from({ length: 6 }, () => ({ ...event(), type: 'T'.repeat(90_000) }))]],
    ] as const) {
      it(`is refused with the number of bytes, and not sent: ${what}`, async () => {
        const [first, ...rest] = sent;
        expect(await failWith(its.eventStore.append(STREAM, 'noStream', [first, ...rest]))).to.deep.equal({
          _tag: 'AppendTooLarge',
          bytes: bytesOf(sent),
          maxBytes: MIB,
        });
        expect(its.standIn.requests('append')).to.equal(0);
      });
    }

    it('begins after the last byte', async () => {
      await succeed(its.eventStore.append(STREAM, 'noStream', [eventOf(MIB)]));
      await succeed(its.eventStore.append(STREAM, 0, [eventOf(400_000), eventOf(MIB - 400_000)]));
      expect(its.standIn.storedEvents(STREAM)).to.have.length(3);
    });
  });

  describe('more than a server was told to take', () => {
    const its = standInForEachTest({ maxAppendBytes: 1_000, limitMs: 60_000 });

    it('is refused with what it does take', async () => {
      expect(await failWith(its.eventStore.append(STREAM, 'noStream', [eventOf(1_001)]))).to.deep.equal({
        _tag: 'AppendTooLarge',
        bytes: 1_001,
        maxBytes: 1_000,
      });
      await succeed(its.eventStore.append(STREAM, 'noStream', [eventOf(1_000)]));
    });
  });
});
