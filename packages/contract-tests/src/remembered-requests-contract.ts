/** What every read model has to do with requests that have an idempotency key: a part of `describeReadModel`. */
import {
  changesOf,
  type DoneRequest,
  laterRequest,
  type ReadModel,
  type ReadModelChange,
  rememberedName,
} from '@pricebook/application';
import type { PriceBookEvent, PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { succeed } from './either';

interface Tested {
  readonly readModel: () => ReadModel;
  readonly apply: (changes: readonly ReadModelChange[]) => Promise<void>;
  /** Closes it and opens what it kept; the same one where nothing outlives the process. */
  readonly restart: () => Promise<ReadModel>;
  readonly runs: number;
}

const HOUR_MS = 3_600_000;

/** Of today, since what is older is not kept. */
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

const newId = (): PriceBookId => v7() as PriceBookId;
const created: PriceBookEvent = {
  type: 'PriceBookCreated',
  data: { name: 'A', description: '', basePriceBookIds: [] },
};
const renamed: PriceBookEvent = { type: 'PriceBookUpdated', data: { name: 'B' } };

/** Something that was done to a book under a key. */
interface Deed extends DoneRequest {
  readonly actor: string;
  readonly key: string;
}

const changesBy = ({ actor, key, request, priceBookId, revision, occurredAt }: Deed) =>
  changesOf(
    priceBookId,
    revision === 0 ? created : renamed,
    { revision, occurredAt, actor },
    { key, request },
  );

const doneBy = ({ request, priceBookId, revision, occurredAt }: Deed): DoneRequest => ({
  request,
  priceBookId,
  revision,
  occurredAt,
});

const nameOf = (actor: string, key: string): string => rememberedName(actor, { key, request: '' });

export const describeRememberedRequests = ({ readModel, apply, restart, runs }: Tested): void => {
  const find = (actor: string, key: string, from = readModel()) =>
    succeed(from.findRemembered(nameOf(actor, key)));

  /** Those of a test are its own: the read model may have others. */
  const newDeed = (given: Partial<Deed> = {}): Deed => ({
    actor: newId(),
    key: 'order 17',
    request: 'a request',
    priceBookId: newId(),
    revision: 0,
    occurredAt: hoursAgo(1),
    ...given,
  });

  describe('remembered requests', () => {
    it('are found by who sent them and their key, with what they did', async () => {
      const deed = newDeed();
      await apply(changesBy(deed));
      expect(await find(deed.actor, deed.key)).to.deep.equal(doneBy(deed));
      expect(await find(newId(), deed.key)).to.equal(undefined);
      expect(await find(deed.actor, 'order 1')).to.equal(undefined);
    });

    it('are those with a key only', async () => {
      const deed = newDeed();
      const { priceBookId, occurredAt, actor } = deed;
      await apply(changesBy(deed));
      await apply(changesOf(priceBookId, renamed, { revision: 1, occurredAt, actor }));
      expect(await find(deed.actor, deed.key)).to.deep.equal(doneBy(deed));
    });

    it('are kept when their book is deleted', async () => {
      const deed = newDeed();
      const { priceBookId, actor } = deed;
      await apply(changesBy(deed));
      const deletion = newDeed({ actor, priceBookId, revision: 1, key: 'the end' });
      const { occurredAt, key, request } = deletion;
      const event = { type: 'PriceBookDeleted', data: {} } as const;
      await apply(changesOf(priceBookId, event, { revision: 1, occurredAt, actor }, { key, request }));
      expect(await find(actor, deed.key)).to.deep.equal(doneBy(deed));
      expect(await find(actor, 'the end')).to.deep.equal(doneBy(deletion));
    });

    it('are kept apart by keys of any characters', async () => {
      const actor = newId();
      const keys = [
        'a',
        'A',
        ' a',
        'a ',
        '"a"',
        '$where',
        'a.b',
        '__proto__',
        'constructor',
        'x'.repeat(255),
      ];
      const deeds = keys.map((key, n) => newDeed({ actor, key, request: String(n) }));
      await apply(deeds.flatMap(changesBy));
      for (const deed of deeds) expect(await find(actor, deed.key), deed.key).to.deep.equal(doneBy(deed));
    });

    it('outlive a restart', async () => {
      const deed = newDeed();
      await apply(changesBy(deed));
      expect(await find(deed.actor, deed.key, await restart())).to.deep.equal(doneBy(deed));
    });

    it('are found by the hundreds, applied at once', async () => {
      const actor = newId();
      const deeds = Array.from({ length: 300 }, (_, n) => newDeed({ actor, key: String(n) }));
      await apply(deeds.flatMap(changesBy));
      for (const n of [0, 150, 299]) {
        expect(await find(actor, String(n))).to.deep.equal(doneBy(deeds[n] ?? newDeed()));
      }
    });

    it('are the latest of a key, in whatever order and however often they come, in batches of any size', async () => {
      // A book has its times in the order of its revisions; the times of different books go anyhow.
      const deeds = fc
        .array(fc.record({ book: fc.nat(2), key: fc.constantFrom('k', 'l'), minutes: fc.nat(4) }), {
          minLength: 1,
          maxLength: 8,
        })
        .map((steps) => {
          const [actor, books, start] = [newId(), [newId(), newId(), newId()], Date.parse(hoursAgo(2))];
          const lasts = books.map(() => ({ revision: -1, at: start }));
          return steps.map(({ book, key, minutes }, n): Deed => {
            const last = lasts[book] ?? { revision: -1, at: start };
            const { revision, at } = (lasts[book] = {
              revision: last.revision + 1,
              at: last.at + minutes * 60_000,
            });
            const occurredAt = new Date(at).toISOString();
            return {
              actor,
              key,
              request: String(n),
              priceBookId: books[book] ?? newId(),
              revision,
              occurredAt,
            };
          });
        });
      const deliveries = deeds.chain((all) =>
        fc.record({
          all: fc.constant(all),
          // Each once, and some again, in any order.
          order: fc
            .array(fc.nat(all.length - 1), { maxLength: 4 })
            .chain((again) =>
              fc.shuffledSubarray([...all.keys(), ...again], { minLength: all.length + again.length }),
            ),
          together: fc.integer({ min: 1, max: 12 }),
        }),
      );
      await fc.assert(
        fc.asyncProperty(deliveries, async ({ all, order, together }) => {
          for (let at = 0; at < order.length; at += together) {
            const batch = order.slice(at, at + together).flatMap((index) => all[index] ?? []);
            await apply(batch.flatMap(changesBy));
          }
          for (const key of ['k', 'l']) {
            const ofKey = all.filter((deed) => deed.key === key).map(doneBy);
            const [first, ...others] = ofKey;
            const latest = first && others.reduce(laterRequest, first);
            expect(await find(all[0]?.actor ?? '', key)).to.deep.equal(latest);
          }
        }),
        { numRuns: runs },
      );
    }).timeout(120_000);
  });
};
