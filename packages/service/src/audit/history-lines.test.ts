import type { HistoryEntry } from '@pricebook/application';
import {
  faultsOf,
  type PriceBookEvent,
  priceBookEventVersions,
  type ProductId,
  readKeptEvent,
} from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { jsonLine, TABLE_HEAD, tableLine } from './history-lines';

const entry = (event: PriceBookEvent, actor = 'Ab3dEf9h'): E.Either<never, HistoryEntry> =>
  E.right({
    revision: 3,
    occurredAt: '2026-11-21T07:20:01.486Z',
    actor,
    requestId: 'request-1',
    event,
  });
const lamp = 'lamp' as ProductId;
const BASE = '01890000-0000-7000-8000-000000000002';
/** An event as it comes from the store. */
const event = (type: PriceBookEvent['type'], data: unknown): PriceBookEvent => {
  const read = readKeptEvent({ type, schemaVersion: priceBookEventVersions[type], data });
  if (E.isLeft(read)) throw new Error(JSON.stringify(faultsOf(read.left)));
  return read.right;
};
const set = (adjustments: unknown, productId = 'lamp'): PriceBookEvent =>
  event('ProductPricesSet', { items: [{ productId, adjustments }] });

/** What stands in the last column. */
const inWords = (happened: PriceBookEvent, productId?: ProductId): string =>
  tableLine(entry(happened), { productId }).slice(TABLE_HEAD.indexOf('what'));

describe('a line of the history', () => {
  it('says when, at which revision, who and what, in columns', () => {
    expect(
      `${TABLE_HEAD}\n${tableLine(entry(set({ USD: { type: 'override', amount: 49.99 } })), {})}`,
    ).to.equal(
      [
        'time                      revision  who        what',
        '2026-11-21T07:20:01.486Z         3  Ab3dEf9h   prices set: lamp USD override 49.99',
      ].join('\n'),
    );
  });

  const words: readonly (readonly [PriceBookEvent, string])[] = [
    [
      event('PriceBookCreated', { name: 'Retail', description: '', basePriceBookIds: [] }),
      'created: name "Retail", description ""',
    ],
    [
      event('PriceBookCreated', { name: 'EU', description: 'x', basePriceBookIds: [BASE] }),
      'created: name "EU", description "x", base 01890000-0000-7000-8000-000000000002',
    ],
    [event('PriceBookUpdated', { name: 'EU "new"' }), 'details changed: name "EU \\"new\\""'],
    [event('PriceBookUpdated', { description: '' }), 'details changed: description ""'],
    [
      event('PriceBookUpdated', { key: 'retail-eu', metadata: { owner: 'ü' } }),
      'details changed: key retail-eu, metadata {"owner":"ü"}',
    ],
    [event('PriceBookUpdated', { key: null }), 'details changed: key taken away'],
    [
      set({ USD: { type: 'percent', amount: 10 }, EUR: { type: 'percent', amount: -7.5 } }),
      'prices set: lamp USD percent +10, EUR percent -7.5',
    ],
    [
      set({ USD: { type: 'percent', amount: 0 }, EUR: { type: 'null', amount: null } }),
      'prices set: lamp USD percent 0, EUR removed',
    ],
    [
      set({
        USD: {
          type: 'volume',
          tiers: [
            { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
            { firstUnit: 10, lastUnit: null, unitPrice: 15 },
          ],
        },
      }),
      'prices set: lamp USD volume (1-9: 20, 10-: 15)',
    ],
    [
      set({
        BHD: { type: 'range', property: 'seats', values: [{ firstUnit: 0, lastUnit: 10, unitPrice: 1.005 }] },
      }),
      'prices set: lamp BHD range of seats (0-10: 1.005)',
    ],
    [
      set({ CHF: { type: 'enum', property: 'sales region', values: [{ value: 'EU', unitPrice: 1 }] } }),
      'prices set: lamp CHF enum of "sales region" (EU: 1)',
    ],
    [set({ USD: { type: 'override', amount: 1 } }, 'a, b; c'), 'prices set: "a, b; c" USD override 1'],
    [
      event('AllProductsAdjusted', { adjustments: { JPY: { type: 'null', amount: null } } }),
      'all products: JPY removed',
    ],
    [
      event('PriceBookEntriesDeleted', { productIds: [lamp, 'a/b', 'ü 1'] }),
      'entries deleted (3 products): lamp, a/b, "ü 1"',
    ],
    [event('PriceBookDeleted', {}), 'deleted'],
    [event('PriceBookRestored', {}), 'restored'],
    [event('PriceBookRestored', { key: 'retail' }), 'restored: key retail'],
    [event('PriceBookRestored', { key: null }), 'restored: key taken away'],
  ];
  for (const [happened, expected] of words) {
    it(`says ${expected}`, () => {
      expect(inWords(happened)).to.equal(expected);
    });
  }

  it('ends with the reason of the change, if it has one', () => {
    const item = entry(event('PriceBookDeleted', {}));
    const reasoned = E.isRight(item) ? E.right({ ...item.right, reason: 'für "Q4"' }) : item;
    expect(tableLine(reasoned, {})).to.match(/ deleted; reason: "für \\"Q4\\""$/);
    expect(JSON.parse(jsonLine(reasoned))).to.include({ reason: 'für "Q4"' });
    expect(jsonLine(item)).not.to.include('reason');
  });

  it('says of many products only what is about the one that is asked for, and how many there were', () => {
    const item = (productId: string) => ({
      productId,
      adjustments: { USD: { type: 'override', amount: 1 } },
    });
    const priced = event('ProductPricesSet', { items: ['desk', 'lamp'].map(item) });
    expect(inWords(priced)).to.equal('prices set (2 products): desk USD override 1; lamp USD override 1');
    expect(inWords(priced, lamp)).to.equal('prices set (1 of 2 products): lamp USD override 1');
    const deleted = event('PriceBookEntriesDeleted', { productIds: ['desk', 'lamp'] });
    expect(inWords(deleted, lamp)).to.equal('entries deleted (1 of 2 products): lamp');
  });

  it('is as wide as the terminal at most', () => {
    const line = tableLine(entry(set({ USD: { type: 'override', amount: 49.99 } })), { width: 64 });
    expect(line).to.equal('2026-11-21T07:20:01.486Z         3  Ab3dEf9h   prices set: lamp…');
  });

  it('lets nothing through that a terminal would obey, as a row and as JSON', () => {
    const evil = '\u001b]0;owned\u0007\u009b2J\u202e\n';
    const item = entry(set({ USD: { type: 'override', amount: 1 } }, 'pmal\u202e'), evil);
    const renamed = event('PriceBookUpdated', { name: evil });
    for (const line of [
      tableLine(item, {}),
      jsonLine(item),
      tableLine(entry(renamed), {}),
      jsonLine(entry(renamed)),
    ]) {
      expect(line).not.to.match(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      expect(line).to.include('\\u009b2J');
    }
    expect(JSON.parse(jsonLine(entry(renamed)))).to.have.nested.property('data.name', evil);
  });

  it('shows what it cannot read as it is kept, whatever is missing', () => {
    const recorded = {
      id: 'x',
      stream: 'priceBook-x',
      revision: 5,
      position: 9n,
      type: 'PriceBookPainted\u001b',
      data: { colour: 'red' },
      metadata: { occurredAt: '2026-11-21T07:20:01.486Z', actor: 7 },
    };
    const error = { _tag: 'UndecodableEvent', stream: 'priceBook-x', revision: 5, reason: 'new' } as const;
    const item = E.left({ recorded, error });
    expect(tableLine(item, {})).to.equal(
      '2026-11-21T07:20:01.486Z         5  ?          CANNOT BE READ (new): PriceBookPainted\\u001b {"colour":"red"}',
    );
    expect(JSON.parse(jsonLine(item))).to.deep.equal({
      revision: 5,
      type: 'PriceBookPainted\u001b',
      occurredAt: '2026-11-21T07:20:01.486Z',
      actor: null,
      requestId: null,
      data: { colour: 'red' },
      unreadable: 'new',
    });
    expect(tableLine(E.left({ recorded: { ...recorded, metadata: null }, error }), {})).to.match(/^\? /);
  });
});
