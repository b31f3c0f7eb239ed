/** What is kept, whole, with the golden files: those of price books are the domain's, those of keys stand here. */
import fs from 'node:fs';
import path from 'node:path';
import { priceBookEventVersions } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { decodeKeyEvent } from './api-keys/kept-events';
import { apiKeyEventVersions } from './api-keys/upcasters';
import { bookKeyVersions } from './book-keys/events';
import { decodeBookKeyEvent } from './book-keys/kept-events';
import { reservationVersions } from './idempotency/events';
import type { IdempotentRequest } from './idempotency/idempotent-request';
import { decodeReservation } from './idempotency/reservations';
import { createInMemoryEventStore } from './in-memory/event-store';
import { createPriceBookWriter } from './commands/price-book-writer';
import type { RecordedEvent } from './ports/event-store';
import { webhookEventVersions } from './webhooks/events';
import { decodeWebhookEvent } from './webhooks/kept-events';
import { decodeMetadata, decodeRecorded, newEvent, priceBookOf } from './recorded-event';
import { selectionRuleEventVersions } from './selection/events';
import { decodeSelectionRuleEvent } from './selection/kept-events';

interface Metadata {
  readonly schemaVersion: number;
  readonly occurredAt: string;
  readonly actor: string;
  readonly $correlationId: string;
  readonly $causationId: string;
  readonly commandId: string;
  readonly reason?: string;
  readonly idempotency?: IdempotentRequest;
  readonly previousHash?: string;
  readonly hash?: string;
}

interface Golden {
  readonly file: string;
  readonly kept: { readonly type: string; readonly data: unknown; readonly metadata: Metadata };
  readonly readsAs?: { readonly type: string; readonly data: unknown };
}

/** By type, the current one. */
const versions: Readonly<Record<string, number>> = {
  ...priceBookEventVersions,
  ...apiKeyEventVersions,
  ...reservationVersions,
  ...selectionRuleEventVersions,
  ...bookKeyVersions,
  ...webhookEventVersions,
};

const STREAM = 'priceBook-01890000-0000-7000-8000-000000000001';
const REVISION = 7;

/** All golden events in a folder of the sources, seen from where this is compiled to. */
const goldenIn = (folder: string): readonly Golden[] =>
  fs.readdirSync(path.resolve(__dirname, folder)).flatMap((file) => {
    const text = fs.readFileSync(path.resolve(__dirname, folder, file), 'utf8');
    return (JSON.parse(text) as readonly Omit<Golden, 'file'>[]).map((golden) => ({ ...golden, file }));
  });
const ofBooks = goldenIn('../../domain/src/price-book/golden');
const ofKeys = goldenIn('../src/api-keys/golden');
const ofBookKeys = goldenIn('../src/book-keys/golden');
const ofWebhooks = goldenIn('../src/webhooks/golden');
const ofReservations = goldenIn('../src/idempotency/golden');
const ofRules = goldenIn('../src/selection/golden');

const record = ({ type, data, metadata }: Golden['kept'], stream = STREAM): RecordedEvent => ({
  id: '6c1f0d0e-7d0c-5f6e-8f0a-000000000001',
  stream,
  revision: REVISION,
  position: 70n,
  type,
  data,
  metadata,
});

const contextOf = ({ commandId, actor, $correlationId, reason, idempotency }: Metadata) => ({
  commandId,
  actor,
  requestId: $correlationId,
  reason,
  idempotency,
});

describe('recorded events', () => {
  for (const { file, kept, readsAs } of ofBooks) {
    it(`of ${file} read as what happened, when, and who did it: ${JSON.stringify(kept.data).slice(0, 60)}`, () => {
      const { occurredAt, actor, $correlationId: requestId, reason, idempotency } = kept.metadata;
      expect(decodeRecorded(record(kept))).to.deep.equal(
        E.right({
          event: readsAs ?? { type: kept.type, data: kept.data },
          stamp: { revision: REVISION, occurredAt, actor, ...(reason !== undefined && { reason }) },
          requestId,
          ...(idempotency !== undefined && { idempotency }),
        }),
      );
      expect(decodeMetadata(record(kept))).to.deep.equal(E.right(kept.metadata));
    });
  }

  for (const { file, kept } of [
    ...ofBooks,
    ...ofKeys,
    ...ofReservations,
    ...ofBookKeys,
    ...ofRules,
    ...ofWebhooks,
  ]) {
    if (kept.metadata.schemaVersion !== versions[kept.type]) continue;
    it(`of ${file} are what is written: ${JSON.stringify(kept.data).slice(0, 60)}`, () => {
      const event = { type: kept.type, data: kept.data } as Parameters<typeof newEvent>[0];
      const { occurredAt, previousHash = 'of the event before' } = kept.metadata;
      const after = { revision: REVISION - 1, hash: previousHash };
      const place = { stream: STREAM, after, occurredAt, index: 0 };
      const { type, data, metadata } = newEvent(event, place, contextOf(kept.metadata));
      // Those of before there were hashes are written with hashes now.
      const expected = { previousHash, hash: metadata.hash, ...kept.metadata };
      expect({ type, data, metadata }).to.deep.equal({ ...kept, metadata: expected });
      expect(Object.keys(metadata)).to.deep.equal([
        ...Object.keys(kept.metadata).filter((name) => !name.toLowerCase().endsWith('hash')),
        'previousHash',
        'hash',
      ]);
    });
  }

  for (const [what, golden, current] of [
    ['keys', ofKeys, apiKeyEventVersions],
    ['reservations', ofReservations, reservationVersions],
    ['selection rules', ofRules, selectionRuleEventVersions],
    ['keys of books', ofBookKeys, bookKeyVersions],
    ['webhooks', ofWebhooks, webhookEventVersions],
  ] as const) {
    it(`of ${what} have a golden file for each type and each version of it, and no other`, () => {
      const files = Object.entries<number>(current).flatMap(([type, last]) =>
        Array.from({ length: last }, (_, n) => `${type}.v${String(n + 1)}.json`),
      );
      expect([...new Set(golden.map(({ file }) => file))]).to.deep.equal(files.sort());
    });
  }

  for (const { file, kept } of ofReservations) {
    it(`of ${file} read as the id that they reserve`, () => {
      const { priceBookId } = kept.data as { readonly priceBookId: string };
      expect(decodeReservation(record(kept, 'priceBookReservation-x'))).to.deep.equal(E.right(priceBookId));
    });
  }

  for (const { file, kept } of ofRules) {
    it(`of ${file} read as they say`, () => {
      const { occurredAt, actor, $correlationId: requestId } = kept.metadata;
      expect(decodeSelectionRuleEvent(record(kept, 'selectionRules'))).to.deep.equal(
        E.right({
          event: { type: kept.type, data: kept.data },
          revision: REVISION,
          occurredAt,
          actor,
          requestId,
        }),
      );
    });
  }

  for (const { file, kept } of ofBookKeys) {
    it(`of ${file} read as they say`, () => {
      expect(decodeBookKeyEvent(record(kept, 'priceBookKey-x'))).to.deep.equal(
        E.right({ event: { type: kept.type, data: kept.data }, metadata: kept.metadata }),
      );
    });
  }

  for (const { file, kept, readsAs } of ofKeys) {
    it(`of ${file} read as they say: ${JSON.stringify(kept.data).slice(0, 60)}`, () => {
      const { occurredAt } = kept.metadata;
      expect(decodeKeyEvent(record(kept, 'apiKeys'))).to.deep.equal(
        E.right({
          event: readsAs ?? { type: kept.type, data: kept.data },
          revision: REVISION,
          occurredAt,
        }),
      );
    });
  }

  for (const { file, kept } of ofWebhooks) {
    it(`of ${file} read as they say: ${JSON.stringify(kept.data).slice(0, 90)}`, () => {
      expect(decodeWebhookEvent(record(kept, 'webhooks'))).to.deep.equal(
        E.right({ event: { type: kept.type, data: kept.data }, occurredAt: kept.metadata.occurredAt }),
      );
    });
  }

  it('of an older version are all that a command needs of the past', async () => {
    const older = ofBooks.find(({ readsAs }) => readsAs !== undefined);
    if (older === undefined) throw new Error('there is no older version');
    const eventStore = createInMemoryEventStore();
    const priceBookId = priceBookOf(STREAM);
    if (priceBookId === undefined) throw new Error('it is the stream of a book');
    await eventStore.append(STREAM, 'noStream', [record(older.kept)])();
    const write = createPriceBookWriter(eventStore, { now: () => '2026-11-22T00:00:00.000Z' }, () =>
      Promise.resolve(() => undefined),
    );
    const renamed = await write(priceBookId, {
      command: { _tag: 'UpdatePriceBook', name: 'B' },
      context: contextOf(older.kept.metadata),
    })();
    expect(E.isRight(renamed) && renamed.right.revision).to.equal(1);
  });

  const [golden] = ofBooks;
  if (golden === undefined) throw new Error('there are golden files');
  const withVersion = (schemaVersion: unknown) => ({ ...golden.kept.metadata, schemaVersion });
  const unreadable: Readonly<Record<string, readonly [changed: object, reason: RegExp]>> = {
    'of version 0': [{ metadata: withVersion(0) }, /^schema version 0 is not known/],
    'of a version that is no whole number': [
      { metadata: withVersion(1.5) },
      /^schema version 1.5 is not known/,
    ],
    'of a later version': [{ metadata: withVersion(99) }, /^schema version 99 is not known/],
    'whose idempotency key is none': [
      { metadata: { ...golden.kept.metadata, idempotency: { key: 'k' } } },
      /^its metadata/,
    ],
    'whose reason is none': [{ metadata: { ...golden.kept.metadata, reason: 7 } }, /^its metadata/],
    'whose version is no number': [{ metadata: withVersion('1') }, /^its metadata/],
    'of an unknown type': [{ type: 'PriceBookPainted' }, /^its type is none of: PriceBookCreated, /],
    'of a type that only objects have': [{ type: 'constructor' }, /^its type is none of/],
    'of another type than their stream is for': [{ type: 'ApiKeyIssued' }, /^\/type must be one of/],
    'of an older version with data that it cannot have had': [
      { type: 'AllProductsAdjusted', metadata: withVersion(1), data: { adjustments: { USD: 7 } } },
      /^\/data\/adjustments\/USD must be an object, not 7$/,
    ],
  };
  for (const [what, [changed, reason]] of Object.entries(unreadable)) {
    it(`${what} are not read, and named`, () => {
      const decoded = decodeRecorded({ ...record(golden.kept), ...changed });
      if (E.isRight(decoded)) throw new Error('it was read');
      expect(decoded.left).to.include({ _tag: 'UndecodableEvent', stream: STREAM, revision: REVISION });
      expect(decoded.left.reason).to.match(reason);
    });
  }
});
