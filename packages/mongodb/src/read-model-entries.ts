/** The read model entry by entry. What is in the database may be of any shape: others can write to it. */
import {
  byName,
  entryName,
  type EntriesByName,
  type EntryKey,
  EVERY_CURRENCY,
  type Holder,
  type KnownEntry,
  placeValueOf,
  type ReadModelEntry,
  type StoreError,
} from '@pricebook/application';
import {
  type Currency,
  currencyCodec,
  type PriceBookId,
  priceBookIdCodec,
  type ProductId,
  productIdCodec,
  readTime,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Collection } from 'mongodb';
import type { Collections } from './collections';
import { bookName, boundaryIn, boundaryName, cellName, rowName, toRow } from './documents';
import { findByNames, type Named, type Server, toStoreError } from './server';

/** Documents that come at once. */
const PAGE = 500;

const isPriceBookId = (text: string): text is PriceBookId => E.isRight(priceBookIdCodec.decode(text));
const isProductId = (text: string): text is ProductId => E.isRight(productIdCodec.decode(text));
const isHolder = (text: string): text is Holder => text === 'all' || isProductId(text);
const isCurrency = (text: string): text is Currency => E.isRight(currencyCodec.decode(text));

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null ? (value as Fields) : undefined;

const UNLISTED = { fault: 'is missing in the list by name, or stands elsewhere' };
const MISFIT = { fault: 'has fields that contradict its name' };

/** Where a book stands in the list by name, as far as it can be told. */
const placeOfName = (book: Fields): string | undefined => {
  try {
    return placeValueOf(book as never, 'name');
  } catch {
    return undefined;
  }
};

const boundaryEntries = (
  { priceBookId, at, holder, currency }: NonNullable<ReturnType<typeof boundaryIn>>,
  value: Fields,
): readonly KnownEntry[] | undefined =>
  isPriceBookId(priceBookId) && isHolder(holder) && isCurrency(currency) && readTime(at) === at
    ? [{ _tag: 'Boundary', priceBookId, holder, currency, at, value: value as never }]
    : undefined;

/** What a document of `current` is; undefined where this version does not know it. */
const currentEntries = (name: string, { state, ...fields }: Fields): readonly KnownEntry[] | undefined => {
  const stored = fieldsOf(state);
  const boundary = boundaryIn(name);
  if (boundary !== undefined) return stored && boundaryEntries(boundary, stored);
  const [, kind, id = '', currency = '', product = ''] =
    /^(book|held)\/([^/]*)(?:\/([^/]*)\/(.*))?$/s.exec(name) ?? [];
  if (stored === undefined || !isPriceBookId(id)) return undefined;
  if (kind === 'book' && name === bookName(id)) {
    const { basePriceBookId: base, namePlace, hasDated: _hasDated, ...value } = stored;
    const isListed = namePlace === placeOfName(value);
    const derived =
      typeof base === 'string' && isPriceBookId(base)
        ? [{ _tag: 'Derived', priceBookId: id, basePriceBookId: base, value: true } as const]
        : [];
    return [
      { _tag: 'PriceBook', priceBookId: id, value: value as never, ...(!isListed && UNLISTED) },
      ...derived,
    ];
  }
  if (kind !== 'held' || !isProductId(product)) return undefined;
  // It tells projectors how far a product has come, and says nothing of prices.
  if (currency === EVERY_CURRENCY) return [];
  if (!isCurrency(currency)) return undefined;
  const { cell, revision } = stored;
  if (cell === undefined) return [];
  const fits = fields['book'] === id && fields['holder'] === product && fields['currency'] === currency;
  return [
    {
      _tag: 'Cell',
      priceBookId: id,
      productId: product,
      currency,
      value: cell as never,
      revision: typeof revision === 'number' ? revision : -1,
      ...(!fits && MISFIT),
    },
  ];
};

/** What a document of `history` is; undefined where this version does not know it. */
const historyEntries = (name: string, fields: Fields): readonly KnownEntry[] | undefined => {
  const [, id = '', currency = '', revisionText = '', holder = ''] =
    /^([^/]*)\/([^/]*)\/(\d+)\/(.*)$/s.exec(name) ?? [];
  const isOne = isCurrency(currency) || currency === EVERY_CURRENCY;
  if (!isPriceBookId(id) || !isHolder(holder) || !isOne) return undefined;
  const revision = Number(revisionText);
  const value = toRow(fields as never);
  const fits =
    fields['book'] === id &&
    fields['holder'] === holder &&
    fields['currency'] === currency &&
    fields['revision'] === revision;
  const { occurredAt } = value.stamp;
  return [
    { _tag: 'Row', priceBookId: id, holder, currency, revision, occurredAt, value, ...(!fits && MISFIT) },
  ];
};

type ToEntries = (name: string, fields: Fields) => readonly KnownEntry[] | undefined;

const entriesOf = (document: Fields, toEntries: ToEntries): readonly ReadModelEntry[] => {
  const { _id, ...fields } = document;
  const entries = typeof _id === 'string' ? toEntries(_id, fields) : undefined;
  return entries ?? [{ _tag: 'Unknown', name: String(_id) }];
};

const isKnown = (entry: ReadModelEntry): entry is KnownEntry => entry._tag !== 'Unknown';

/** The collection that an entry is in, and the name of its document. */
const placeOf = (key: EntryKey): readonly ['current' | 'history', string] => {
  switch (key._tag) {
    case 'PriceBook':
    case 'Derived':
      return ['current', bookName(key.priceBookId)];
    case 'Boundary':
      return ['current', boundaryName(key.priceBookId, key)];
    case 'Cell':
      return ['current', cellName(key.priceBookId, key.productId, key.currency)];
    case 'Row': {
      const { currency, revision, occurredAt } = key;
      const stamp = { revision, occurredAt, actor: '' };
      return ['history', rowName(key.priceBookId, key.holder, { currency, stamp })];
    }
  }
};

/**
 * The walk has one cursor a collection.
 */
export const walkEntries = async function* (
  { read }: Server,
  { current, history }: Collections,
): AsyncGenerator<readonly ReadModelEntry[]> {
  const walks = [
    [current, currentEntries],
    [history, historyEntries],
  ] as const;
  for (const [collection, toEntries] of walks) {
    const cursor = (collection as unknown as Collection<Named>).find({}, { batchSize: PAGE });
    try {
      while (await read(() => cursor.hasNext())) {
        yield cursor.readBufferedDocuments().flatMap((document) => entriesOf(document, toEntries));
      }
    } catch (failure) {
      // A walk has no other way to say why it ends.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw toStoreError(failure);
    } finally {
      cursor.close().catch(() => undefined);
    }
  }
};

export const findEntries =
  (
    server: Server,
    collections: Collections,
    keys: readonly EntryKey[],
  ): TaskEither<StoreError, EntriesByName> =>
  async () => {
    const places = keys.map(placeOf);
    const find = async (
      where: 'current' | 'history',
      toEntries: ToEntries,
    ): Promise<readonly KnownEntry[]> => {
      const names = new Set(places.filter(([place]) => place === where).map(([, name]) => name));
      const collection = collections[where] as unknown as Collection<Named>;
      const found = await findByNames(collection, [...names], server.read);
      return [...found.values()].flatMap((document) => entriesOf(document, toEntries)).filter(isKnown);
    };
    try {
      const found = byName([
        ...(await find('current', currentEntries)),
        ...(await find('history', historyEntries)),
      ]);
      const asked = new Set(keys.map(entryName));
      return E.right(new Map([...found].filter(([name]) => asked.has(name))));
    } catch (failure) {
      return E.left(toStoreError(failure));
    }
  };
