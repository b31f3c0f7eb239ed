/** What clients have asked for and been told, held against the events that are there. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RecordedEvent } from '@pricebook/application';

/** A write as its client knows it. Sent again after an unclear end, it is the same one. */
export interface Ask {
  readonly requestId: string;
  readonly method: string;
  /** Under /v1/pricebooks. */
  readonly path: string;
  readonly json?: unknown;
  /** The event that it makes, whole. */
  readonly type: string;
  readonly data: unknown;
  /** The book; undefined where the request makes one. */
  readonly book: string | undefined;
  /** The write that the same client was told of before: it has to stand before this one. */
  readonly after: Ask | undefined;
}

interface Entry {
  readonly ask: Ask;
  sent: number;
  /** The revisions that the client was told; undefined where an answer told none. */
  readonly told: (number | undefined)[];
  readonly stored: { readonly revision: number; readonly position: bigint }[];
  /** As much of it as has been counted. */
  counted: { readonly sent: number; readonly told: number; readonly stored: number };
}

export interface LedgerCounts {
  acknowledged: number;
  /** That had no answer, and of these, those that are there all the same. */
  unclear: number;
  unclearStored: number;
  lost: number;
  invented: number;
  gaps: number;
  events: number;
}

export interface Ledger {
  readonly sending: (ask: Ask) => void;
  readonly told: (ask: Ask, revision: number | undefined) => void;
  /** The position of the last event that was looked at. */
  readonly last: () => bigint | undefined;
  /** Looks at events that have come since, while no service runs: what was told and is not there is lost. */
  readonly settle: (events: readonly RecordedEvent[]) => void;
  /** Looks whether all events are there, in the end, as they were when they were first looked at. */
  readonly recheck: (events: readonly RecordedEvent[]) => void;
}

export const newCounts = (): LedgerCounts => ({
  acknowledged: 0,
  unclear: 0,
  unclearStored: 0,
  lost: 0,
  invented: 0,
  gaps: 0,
  events: 0,
});

const correlationOf = ({ metadata }: RecordedEvent): string =>
  String((metadata as Readonly<Record<string, unknown>>)['$correlationId']);

const fingerprint = ({ id, stream, revision, type, data, metadata }: RecordedEvent): string =>
  createHash('sha1')
    .update(JSON.stringify([id, stream, revision, type, data, metadata]))
    .digest('base64');

/**
 * @param counts are added to.
 * @param tell told of each fault.
 */
export const createLedger = (counts: LedgerCounts, tell: (fault: string) => void): Ledger => {
  const entries = new Map<string, Entry>();
  /** Those that were sent since the last settlement. */
  let open = new Set<Entry>();
  const revisions = new Map<string, number>();
  const fingerprints: string[] = [];
  const ids = new Set<string>();
  let last: bigint | undefined;

  const lost = (fault: string): void => {
    counts.lost += 1;
    tell(`lost: ${fault}`);
  };
  const invented = (fault: string): void => {
    counts.invented += 1;
    tell(`invented: ${fault}`);
  };
  const gap = (fault: string): void => {
    counts.gaps += 1;
    tell(`gap: ${fault}`);
  };

  const entryOf = (ask: Ask): Entry => {
    const entry = entries.get(ask.requestId) ?? {
      ask,
      sent: 0,
      told: [],
      stored: [],
      counted: { sent: 0, told: 0, stored: 0 },
    };
    entries.set(ask.requestId, entry);
    return entry;
  };

  const take = (recorded: RecordedEvent): void => {
    const { position, stream, revision, id } = recorded;
    const where = `${stream} ${String(revision)} at ${String(position)}`;
    const before = revisions.get(stream) ?? -1;
    if (position !== (last ?? 0n) + 1n) gap(`${where} comes after position ${String(last)}`);
    if (revision !== before + 1) gap(`${where} comes after revision ${String(before)}`);
    last = position;
    revisions.set(stream, revision);
    fingerprints.push(fingerprint(recorded));
    counts.events += 1;
    if (ids.has(id)) invented(`${where} has the id of an event before it`);
    ids.add(id);

    const entry = entries.get(correlationOf(recorded));
    if (entry === undefined) {
      invented(`${where} is of a request that nobody sent`);
      return;
    }
    entry.stored.push({ revision, position });
    const { ask, sent, stored } = entry;
    if (stored.length > sent) invented(`${where}: sent ${String(sent)} times`);
    const isAsAsked =
      recorded.type === ask.type &&
      (ask.book === undefined || stream === `priceBook-${ask.book}`) &&
      isDeepStrictEqual(recorded.data, ask.data);
    if (isAsAsked) return;
    const found = JSON.stringify([recorded.type, recorded.data]).slice(0, 300);
    invented(`${where} is ${found}, not ${JSON.stringify([ask.type, ask.data]).slice(0, 300)}`);
  };

  const count = (entry: Entry): void => {
    const { sent, told, stored, counted } = entry;
    const unclear = sent - counted.sent - (told.length - counted.told);
    counts.acknowledged += told.length - counted.told;
    counts.unclear += unclear;
    counts.unclearStored += Math.max(0, stored.length - counted.stored - (told.length - counted.told));
    entry.counted = { sent, told: told.length, stored: stored.length };
  };

  const judge = (entry: Entry): void => {
    const { ask, told, stored } = entry;
    const what = `${ask.method} ${ask.path} (${ask.requestId})`;
    if (stored.length < told.length) lost(what);
    for (const revision of told) {
      if (revision !== undefined && !stored.some((one) => one.revision === revision)) {
        lost(`${what} was told revision ${String(revision)}, and stands elsewhere`);
      }
    }
    const previous = ask.after === undefined ? undefined : entries.get(ask.after.requestId)?.stored[0];
    const [first] = stored;
    if (previous !== undefined && first !== undefined && first.position < previous.position) {
      gap(`${what} stands before what its client was told of earlier`);
    }
    count(entry);
  };

  return {
    sending: (ask) => {
      const entry = entryOf(ask);
      entry.sent += 1;
      open.add(entry);
    },
    told: (ask, revision) => {
      entryOf(ask).told.push(revision);
    },
    last: () => last,
    settle: (events) => {
      events.forEach(take);
      const judged = open;
      open = new Set();
      judged.forEach(judge);
    },
    recheck: (events) => {
      if (events.length !== fingerprints.length) {
        lost(`${String(fingerprints.length)} events were there, and ${String(events.length)} are`);
      }
      events.forEach((recorded, index) => {
        const before = fingerprints[index];
        if (before !== undefined && before !== fingerprint(recorded)) {
          lost(`the event at ${String(recorded.position)} is not what it was`);
        }
      });
    },
  };
};
