/** Histories for tests, and ways to have them in and out of a store. */
import { STREAM_PREFIXES, type EventStore } from '@pricebook/application';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { v4, v5 } from 'uuid';
import { exportHistory } from '../export-history';
import { encodeLine, type HistoryEvent } from '../history-line';
import { type Imported, importHistory, type ImportOptions } from '../import-history';
import type { Patience } from '../../command-line/patience';

const NAMESPACE = v4();

const bookStream = (n: number): string => `priceBook-01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;

const metadata = (n: number) => {
  const commandId = v5(String(n), NAMESPACE);
  return {
    schemaVersion: 1,
    occurredAt: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
    actor: 'tester',
    $correlationId: 'request',
    $causationId: commandId,
    commandId,
  };
};

/** What happens in one stream, without its place. */
interface Happening {
  readonly stream: string;
  readonly type: string;
  readonly data: unknown;
}

export const created = (book: number): Happening => ({
  stream: bookStream(book),
  type: 'PriceBookCreated',
  data: { name: `Book ${String(book)}`, description: 'Grüße 🎈 "\\\u2028', basePriceBookIds: [] },
});

export const priceSet = (book: number, amount: number): Happening => ({
  stream: bookStream(book),
  type: 'ProductPricesSet',
  data: { items: [{ productId: 'P', adjustments: { USD: { type: 'override', amount } } }] },
});

const keyIssued = (id: string): Happening => ({
  stream: 'apiKeys',
  type: 'ApiKeyIssued',
  data: { id, name: 'a key', scopes: ['admin'], hash: '0'.repeat(64) },
});

/** One after the other, each with the next revision of its stream. */
export const historyOf = (happenings: readonly Happening[]): readonly HistoryEvent[] => {
  const next = new Map<string, number>();
  return happenings.map(({ stream, type, data }, n) => {
    const revision = next.get(stream) ?? 0;
    next.set(stream, revision + 1);
    return { stream, revision, id: v5(`event ${String(n)}`, NAMESPACE), type, data, metadata: metadata(n) };
  });
};

/** A history in which the events of so many books alternate. */
export const alternating = (events: number, books: number): readonly HistoryEvent[] =>
  historyOf(
    Array.from({ length: events }, (_, n) => (n < books ? created(n) : priceSet((n * n) % books, n / 100))),
  );

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.nat(3).map(created) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(3), fc.double({ min: 0, max: 1e15, noNaN: true }))
      .map(([book, amount]) => priceSet(book, amount)),
  },
  { weight: 1, arbitrary: fc.string().map(keyIssued) },
  // A stream that nobody reads may hold anything.
  {
    weight: 2,
    arbitrary: fc.record({
      stream: fc.constant(`${STREAM_PREFIXES[0] ?? ''}of-others`),
      type: fc.constantFrom('A', 'Ü 🎈'),
      data: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }), {
        noNullPrototype: true,
      }),
    }),
  },
);

export const histories = (maxLength: number): fc.Arbitrary<readonly HistoryEvent[]> =>
  fc.array(happening, { maxLength }).map(historyOf);

export const textOf = (events: readonly HistoryEvent[]): string => events.map(encodeLine).join('');

/** A text as it comes from a file, in pieces of so many bytes. */
export const sourceOf = async function* (text: string, pieceBytes = 1_000): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
    await Promise.resolve();
  }
};

export const untroubled: Patience = { ms: 0, signal: new AbortController().signal };

export const importText = (
  eventStore: EventStore,
  text: string,
  { pieceBytes, ...options }: Partial<ImportOptions> & { readonly pieceBytes?: number } = {},
): Promise<Imported> =>
  importHistory(eventStore, sourceOf(text, pieceBytes), {
    inFlight: 1,
    patience: untroubled,
    onProgress: () => undefined,
    ...options,
  });

/** A store as a history file. */
export const exportText = async (eventStore: EventStore): Promise<string> => {
  let text = '';
  const exported = await exportHistory(eventStore, {
    patience: untroubled,
    write: async (lines) => {
      await Promise.resolve();
      text += lines;
    },
    onProgress: () => undefined,
  });
  expect(exported, text).to.satisfy(E.isRight);
  return text;
};
