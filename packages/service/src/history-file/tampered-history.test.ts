/** Histories that commands have made, and that were tampered with after they were exported. */
import { type Caller, createChainCheck, createPriceBooks, issueFirstKey } from '@pricebook/application';
import { createInMemoryEventStore, createInMemoryReadModel } from '@pricebook/application/in-memory';
import type { ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { decodeDigest, digestOf, encodeDigest, missingFrom } from '../audit/digest';
import { systemClock, systemIds } from '../system';
import { checkHistory } from './check-history';
import type { HistoryEvent } from './history-line';
import { checkedSentence, importedSentence } from './sentences';
import { exportText, importText, sourceOf, textOf } from './testing/histories';

const caller: Caller = { actor: 'key-1', requestId: 'request-1' };

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

/** A key, two books with some prices, and a book that was created with an idempotency key. */
const makeHistory = async (): Promise<readonly HistoryEvent[]> => {
  const eventStore = createInMemoryEventStore();
  right(await issueFirstKey(eventStore, systemClock, systemIds)());
  const readSide = { waitFor: () => Promise.resolve(true) };
  const parts = {
    eventStore,
    readModel: createInMemoryReadModel(),
    readSide,
    clock: systemClock,
    ids: systemIds,
  };
  const books = createPriceBooks(parts);
  const ids = [];
  for (const name of ['List', 'Retail']) {
    ids.push(right(await books.create({ name }, caller)()).priceBook.priceBookId);
  }
  const once = books.once(caller, { key: 'k', request: 'r' }, (by) => books.create({ name: 'Once' }, by));
  right(await once());
  for (let amount = 1; amount <= 4; amount += 1) {
    for (const id of ids) {
      const adjustments = {
        USD: { type: 'override', amount: amount / 10 },
        EUR: { type: 'percent', amount },
      } as const;
      const items = [{ productId: 'Grüße 🎈' as ProductId, adjustments }];
      right(await books.setPrices(id, { _tag: 'SetProductPrices', items }, caller)());
    }
  }
  return (await exportText(eventStore))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as HistoryEvent);
};

const check = (text: string) => checkHistory(sourceOf(text), () => undefined);

const headsOf = (events: readonly HistoryEvent[]) => {
  const chain = createChainCheck();
  for (const event of events) chain.add(event);
  return chain.heads;
};

describe('a history that was tampered with', () => {
  let history: readonly HistoryEvent[];
  before(async () => {
    history = await makeHistory();
  });

  const place = fc.nat();
  const at = (index: number): HistoryEvent => {
    const event = history[index % history.length];
    if (event === undefined) throw new Error('it is not empty');
    return event;
  };
  /** Whether another event of its stream comes after it. */
  const isFollowed = ({ stream, revision }: HistoryEvent): boolean =>
    history.some((other) => other.stream === stream && other.revision > revision);

  it('has no faults as it was exported, and those streams are hashed', async () => {
    expect(await check(textOf(history))).to.deep.equal({
      events: 13,
      streams: 5,
      unhashed: 0,
      faults: [],
      faultCount: 0,
    });
    const eventStore = createInMemoryEventStore();
    expect(await importText(eventStore, textOf(history))).to.include({ appended: 13 });
    expect(await exportText(eventStore)).to.equal(textOf(history));
  });

  it('is refused, with line, stream, revision and what to do', async () => {
    const index = history.findIndex(({ revision }) => revision === 3);
    const { stream } = at(index);
    const text = textOf(
      history.with(index, { ...at(index), metadata: { ...(at(index).metadata as object), actor: 'x' } }),
    );
    const fault = `Line ${String(index + 1)}: revision 3 of ${stream} does not match its hash: it was changed after it was written.`;
    const remedy =
      'The file is not as it was exported: events in it were changed, added or removed. Export the history again.';
    expect(checkedSentence(await check(text)).split('\n')).to.deep.equal([
      fault,
      '1 fault, and 12 sound events of 5 streams. Nothing was appended.',
      remedy,
    ]);
    const eventStore = createInMemoryEventStore();
    expect(importedSentence(await importText(eventStore, text)).split('\n')[0]).to.equal(
      `${fault} ${remedy}`,
    );
    expect(await exportText(eventStore)).to.equal(textOf(history.slice(0, index)));
  });

  it('is found out by any value that was changed, removed or added', () =>
    fc.assert(
      fc.asyncProperty(
        place,
        place,
        fc.option(fc.jsonValue(), { nil: undefined }),
        async (which, target, value) => {
          const event = at(which);
          const places: [object, string][] = [];
          const collect = (part: object): void => {
            for (const [name, inner] of Object.entries(part)) {
              places.push([part, name]);
              if (typeof inner === 'object' && inner !== null) collect(inner as object);
            }
            if (!Array.isArray(part)) places.push([part, 'added']);
          };
          const tampered = structuredClone(event);
          collect(tampered);
          const [part, name] = places[target % places.length] ?? [tampered, 'added'];
          // Without its hash the first event of a stream is one from before there were hashes.
          fc.pre(
            !(name === 'hash' && part === tampered.metadata && value === undefined && event.revision === 0),
          );
          Object.assign(part, { [name]: value });
          const line = `${JSON.stringify(tampered)}\n`;
          fc.pre(line !== textOf([event]));
          const lines = history.map((one) => (one === event ? line : textOf([one])));
          expect((await check(lines.join(''))).faultCount, line).to.be.above(0);
        },
      ),
      { numRuns: 500 },
    ));

  it('is found out by any event that was removed, moved or added inside a stream', () =>
    fc.assert(
      fc.asyncProperty(place, place, fc.constantFrom('remove', 'swap', 'copy'), async (which, other, how) => {
        const [event, second] = [at(which), at(other)];
        const [index, otherIndex] = [history.indexOf(event), history.indexOf(second)];
        fc.pre(how === 'remove' ? isFollowed(event) : how === 'copy' || event.stream === second.stream);
        fc.pre(how !== 'swap' || event !== second);
        const changed = {
          remove: () => history.toSpliced(index, 1),
          swap: () => history.with(index, second).with(otherIndex, event),
          copy: () => history.toSpliced(otherIndex, 0, event),
        }[how]();
        const next = new Map<string, number>();
        const renumbered = changed.map((one) => {
          const revision = next.get(one.stream) ?? 0;
          next.set(one.stream, revision + 1);
          return { ...one, revision };
        });
        for (const events of [changed, renumbered]) {
          // A copy of the last event at the end of its stream is told by its revision, or by its hash.
          expect((await check(textOf(events))).faultCount, how).to.be.above(0);
        }
      }),
    ));

  it('is found out by a digest where the end of any stream is gone, and where streams were written again', () => {
    fc.assert(
      fc.property(place, (which) => {
        const { stream, revision } = at(which);
        const kept = decodeDigest(encodeDigest(digestOf(headsOf(history))));
        if (kept === undefined) throw new Error('it was just printed');
        const cut = history.filter((one) => one.stream !== stream || one.revision < revision);
        expect(missingFrom(kept, headsOf(cut))).to.have.length(1);
        expect(missingFrom(kept, headsOf(cut))[0])
          .to.match(revision === 0 ? /^gone: / : /^cut off: /)
          .and.to.include(stream);
        // What has grown since is no difference.
        const before = digestOf(headsOf(cut));
        expect(missingFrom(before, headsOf(history))).to.deep.equal([]);
      }),
    );
  });
});

describe('a digest', () => {
  it('is read as it was printed, also with other line ends, and not where anything in it was changed', async () => {
    const text = encodeDigest(digestOf(headsOf(await makeHistory())));
    expect(text.trimEnd().split('\n')).to.have.length(6);
    expect(decodeDigest(text)?.events).to.equal(13);
    expect(decodeDigest(text.replaceAll('\n', '\r\n'))?.heads.size).to.equal(5);
    expect(decodeDigest(encodeDigest(digestOf(new Map())))?.events).to.equal(0);
    for (const other of [
      '',
      'x',
      '{}\n',
      text.slice(0, -2),
      text.split('\n').slice(1).join('\n'),
      text.replace('"revision":4', '"revision":3'),
      text.replace(/"hash":"./, '"hash":"_'),
    ]) {
      expect(decodeDigest(other), other).to.equal(undefined);
    }
  });
});
