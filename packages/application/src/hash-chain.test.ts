import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import {
  type ChainedEvent,
  type ChainFault,
  createChainCheck,
  hashIn,
  withHash,
  withHashes,
} from './hash-chain';
import { createInMemoryEventStore } from './in-memory/event-store';

const STREAM = 'priceBook-01890000-0000-7000-8000-000000000001';

type Content = Pick<ChainedEvent, 'type' | 'data'>;

/** One stream of such events, the first of which were written before there were hashes. */
const chainOf = (contents: readonly Content[], stream = STREAM, unhashed = 0): readonly ChainedEvent[] => {
  let previous: string | undefined;
  return contents.map((content, revision) => {
    const id = `the id of event ${String(revision)}`;
    const event = { ...content, stream, revision, id, metadata: { actor: 'somebody', at: revision } };
    const metadata = withHashes(event, previous);
    previous = metadata.hash;
    return revision < unhashed ? event : { ...event, metadata };
  });
};

/** As a store gives it back. */
const kept = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;

const faultsIn = (events: readonly ChainedEvent[]): readonly ChainFault[] => {
  const chain = createChainCheck();
  return events.flatMap((event) => chain.add(event) ?? []);
};

const reasonsIn = (events: readonly ChainedEvent[]): readonly string[] =>
  faultsIn(events).map(({ revision, reason }) => `${String(revision)} ${reason}`);

const without = ({ metadata, ...event }: ChainedEvent, ...names: readonly string[]): ChainedEvent => ({
  ...event,
  metadata: Object.fromEntries(Object.entries(metadata as object).filter(([name]) => !names.includes(name))),
});

const content: fc.Arbitrary<Content> = fc.record({
  type: fc.string({ minLength: 1 }),
  data: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }), {
    noNullPrototype: true,
  }),
});
const contents = (minLength: number) => fc.array(content, { minLength, maxLength: 8 });

const priceSet = (amount: number): Content => ({ type: 'ProductPricesSet', data: { amount } });
const prices = [1, 2, 3, 4, 5].map(priceSet);

describe('the hash chain of a stream', () => {
  it('holds for whatever events hold, before and after they were kept as JSON', () => {
    fc.assert(
      fc.property(contents(0), fc.nat(8), (all, unhashed) => {
        const chain = chainOf(all, STREAM, unhashed);
        expect(faultsIn(chain)).to.deep.equal([]);
        expect(faultsIn(kept(chain))).to.deep.equal([]);
      }),
    );
  });

  it('is the same for numbers that JSON writes in its own way', () => {
    const data = { numbers: [-0, 1e21, 0.049999999999999996, 5e-324, 1e15], '2': 1, '10': 2, b: 3, a: 4 };
    const [event] = kept(chainOf([{ type: 'A', data }]));
    expect(event && reasonsIn([event])).to.deep.equal([]);
    expect(event?.metadata).to.have.property('hash').with.length(43);
  });

  it('goes on from events without hashes as from those with them', () => {
    const [hashed, mixed, none] = [0, 3, 5].map((unhashed) => {
      const check = createChainCheck();
      chainOf(prices, STREAM, unhashed).forEach(check.add);
      return check.heads.get(STREAM);
    });
    expect(hashed).to.include({ revision: 4, isHashed: true }).and.to.have.property('hash').with.length(43);
    expect(mixed).to.deep.equal(hashed);
    expect(none).to.deep.equal({ ...hashed, isHashed: false });
  });

  describe('shows, by the revision and what is wrong with it,', () => {
    const events = kept(chainOf(prices));

    const at = (index: number): ChainedEvent => {
      const event = events[index];
      if (event === undefined) throw new Error('there are five');
      return event;
    };
    const replace = (index: number, event: ChainedEvent) => events.with(index, event);
    it('an event that was changed', () => {
      expect(reasonsIn(replace(2, { ...at(2), data: { amount: 30 } }))).to.deep.equal([
        '2 does not match its hash: it was changed after it was written',
      ]);
    });

    it('an event that was changed and given a hash of its new content', () => {
      const changed = { ...at(2), data: { amount: 30 }, metadata: { ...(at(2).metadata as object) } };
      const forged = { ...changed, metadata: withHashes(changed, hashIn(at(1))) };
      expect(reasonsIn(replace(2, forged))).to.deep.equal([
        '3 does not follow the event before it: that one was changed or replaced later',
      ]);
    });

    it('an event without a hash after one that has one, and no other for that', () => {
      const expected = ['2 has no hash, although an event before it has one'];
      expect(reasonsIn(replace(2, without(at(2), 'hash')))).to.deep.equal(expected);
      expect(reasonsIn(replace(2, without(at(2), 'hash', 'previousHash')))).to.deep.equal(expected);
    });

    it('an event that was changed before the first that has a hash', () => {
      const old = kept(chainOf(prices, STREAM, 3));
      const [, second] = old;
      if (second === undefined) throw new Error('there are five');
      expect(reasonsIn(old.with(1, { ...second, data: {} }))).to.deep.equal([
        '3 does not follow the event before it: that one was changed or replaced later',
      ]);
    });

    it('a gap, and what comes twice', () => {
      expect(reasonsIn(events.toSpliced(2, 1))).to.deep.equal(['3 comes where revision 2 belongs']);
      expect(reasonsIn(events.toSpliced(2, 0, at(1)))).to.deep.equal(['1 comes where revision 2 belongs']);
      expect(reasonsIn(events.slice(1))).to.deep.equal(['1 comes where revision 0 belongs']);
    });

    it('nothing wrong with an event because of one before it that could not be read', () => {
      const check = createChainCheck();
      check.add(at(0));
      check.skip(at(1));
      expect([at(2), at(3)].map(check.add)).to.deep.equal([undefined, undefined]);
    });
  });

  describe('shows that there is a fault', () => {
    const chains = contents(2).map((all) => kept(chainOf(all)));
    const place = fc.nat();
    // Undefined removes what is there.
    const value = fc.oneof({ weight: 4, arbitrary: fc.jsonValue() }, fc.constant(undefined));

    /** Changes one value somewhere in an event, or takes it away, or adds one. */
    const tamperedWith = (event: ChainedEvent, target: number, value: unknown): ChainedEvent => {
      const changed: object = kept(event);
      const places: [object, string][] = [];
      const collect = (part: object): void => {
        for (const [name, inner] of Object.entries(part)) {
          places.push([part, name]);
          if (typeof inner !== 'object' || inner === null) continue;
          if (!Array.isArray(inner)) places.push([inner as object, 'added']);
          collect(inner as object);
        }
      };
      collect(changed);
      const [part, name] = places[target % places.length] ?? [changed, 'data'];
      Object.defineProperty(part, name, { value, enumerable: true, configurable: true, writable: true });
      return kept(changed as ChainedEvent);
    };

    it('wherever a value of an event is changed', () => {
      fc.assert(
        fc.property(chains, place, place, value, (events, which, target, changed) => {
          const index = which % events.length;
          const event = events[index];
          fc.pre(event !== undefined);
          const tampered = tamperedWith(event, target, changed);
          fc.pre(JSON.stringify(tampered) !== JSON.stringify(event));
          // A first event without its hash is one from before there were hashes: the next one has its hash as well.
          fc.pre(index > 0 || JSON.stringify(tampered) !== JSON.stringify(without(event, 'hash')));
          const [fault] = faultsIn(events.with(index, tampered));
          expect(fault, JSON.stringify(tampered)).not.to.equal(undefined);
          // Where the first event loses all its metadata, the next one shows it.
          if (tampered.revision === index && tampered.stream === STREAM) {
            expect(fault?.revision).to.be.oneOf(index === 0 ? [0, 1] : [index]);
          }
        }),
        { numRuns: 1_000 },
      );
    });

    it('wherever an event is removed that is not the last, also where the others are numbered again', () => {
      fc.assert(
        fc.property(chains, place, fc.boolean(), (events, which, isRenumbered) => {
          const left = events.toSpliced(which % (events.length - 1), 1);
          const numbered = isRenumbered ? left.map((event, revision) => ({ ...event, revision })) : left;
          expect(faultsIn(numbered)).not.to.deep.equal([]);
        }),
      );
    });

    it('wherever two events change places, also where they are numbered again', () => {
      fc.assert(
        fc.property(chains, place, place, fc.boolean(), (events, which, other, isRenumbered) => {
          const [a, b] = [which % events.length, other % events.length];
          const [one, two] = [events[a], events[b]];
          fc.pre(one !== undefined && two !== undefined && a !== b);
          const swapped = events.with(a, two).with(b, one);
          const numbered = isRenumbered
            ? swapped.map((event, revision) => ({ ...event, revision }))
            : swapped;
          expect(faultsIn(numbered)).not.to.deep.equal([]);
        }),
      );
    });

    it('wherever an event is inserted that is hashed as it should be there', () => {
      fc.assert(
        fc.property(chains, place, content, (events, which, inserted) => {
          const revision = which % events.length;
          const before = events[revision - 1];
          const event = { ...inserted, stream: STREAM, revision, id: 'inserted', metadata: {} };
          const metadata = withHashes(event, before && hashIn(before));
          const after = events.slice(revision).map((one) => ({ ...one, revision: one.revision + 1 }));
          expect(
            faultsIn([...events.slice(0, revision), { ...event, metadata }, ...after]),
          ).not.to.deep.equal([]);
        }),
      );
    });
  });

  it('is taken up where a store has events without hashes', async () => {
    const eventStore = createInMemoryEventStore();
    const many = Array.from({ length: 120 }, (_, n) => priceSet(n));
    const [first, ...rest] = chainOf(many, STREAM, 120);
    const hashed = chainOf(many).at(-1);
    if (first === undefined || hashed === undefined) throw new Error('there are 120');
    await eventStore.append(STREAM, 'noStream', [first, ...rest])();
    const last = { revision: 119, hash: undefined };
    const expected = { revision: 119, hash: hashIn(hashed) };
    expect(await withHash(eventStore)(STREAM, last)()).to.deep.equal(E.right(expected));
    expect(await withHash(eventStore)(STREAM, undefined)()).to.deep.equal(E.right(undefined));
  });
});
