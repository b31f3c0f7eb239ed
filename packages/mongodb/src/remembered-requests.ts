/** The requests that are remembered by an idempotency key: a document each, which holds the latest one of its name. */
import { type DoneRequest, type ReadModelChange, rememberedIn } from '@pricebook/application';
import type { Collections } from './collections';
import { createLookUp } from './look-up';
import { chunksOf, isDuplicate, type Named, type Server, TOGETHER } from './server';

/**
 * Twice as long as they count, by the clock of this process: one that is off by hours does not drop what still counts.
 */
const KEPT_MS = 48 * 3_600_000;
/** How often it is looked for what is too old, and how much of it goes at once. */
const DROP_EVERY_MS = 600_000;
const DROPPED_TOGETHER = 1_000;

export interface RememberedRequests {
  readonly find: (name: string) => Promise<DoneRequest | undefined>;
  /** Keeps the later ones, and drops some that are too old. */
  readonly keep: (changes: readonly ReadModelChange[]) => Promise<void>;
}

export const createRememberedRequests = (
  server: Server,
  { requests }: Pick<Collections, 'requests'>,
): RememberedRequests => {
  const { command, read } = server;
  const lookUp = createLookUp(requests);
  let dropAt = -Infinity;

  const write = async (chunk: readonly (readonly [string, DoneRequest])[]): Promise<void> => {
    const operations = chunk.map(([_id, { occurredAt, priceBookId, revision, request }]) => ({
      updateOne: {
        filter: { _id },
        update: { $max: { state: { occurredAt, priceBookId, revision, request } } },
        upsert: true,
      },
    }));
    const send = () => command(() => requests.bulkWrite(operations, { ordered: false }));
    await send().catch((failure: unknown) => {
      // Another projector has made the document of a name in the same instant.
      if (isDuplicate(failure)) return send();
      throw failure;
    });
  };

  const dropOld = async (oldest: string): Promise<void> => {
    if (performance.now() < dropAt) return;
    const isOld = { 'state.occurredAt': { $lt: oldest } };
    // The same batch may have used some of them again: what only the primary has is seen, too.
    const found = await read(() =>
      requests
        .find(isOld, { readConcern: 'local' })
        .project<Named>({ _id: 1 })
        .limit(DROPPED_TOGETHER)
        .toArray(),
    );
    const names = found.map(({ _id }) => _id);
    // One that has been used anew meanwhile stays.
    if (names.length > 0) await command(() => requests.deleteMany({ _id: { $in: names }, ...isOld }));
    if (names.length < DROPPED_TOGETHER) dropAt = performance.now() + DROP_EVERY_MS;
  };

  return {
    find: async (name) => (await lookUp([name])).get(name)?.state,
    keep: async (changes) => {
      const all = rememberedIn(changes);
      if (all.size === 0) return;
      const oldest = new Date(Date.now() - KEPT_MS).toISOString();
      const kept = [...all].filter(([, { occurredAt }]) => occurredAt >= oldest);
      for (const chunk of chunksOf(kept, TOGETHER)) await write(chunk);
      await dropOld(oldest);
    },
  };
};
