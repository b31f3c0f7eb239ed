import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import type { SetPriceSheet } from '../price-book/commands';
import { readSheetHead } from './head';
import { readSheet } from './read-sheet';
import { SHEET_COLUMNS, type SheetRow } from './sheet';

/** Rows as a file of these lines has them, the first of which names the columns. */
const rowsOf = (...lines: readonly string[]): readonly SheetRow[] => {
  const [names = '', ...others] = lines;
  const head = readSheetHead(names.split(','));
  if (E.isLeft(head)) throw new Error(head.left.join('\n'));
  return others.map((line, index) => {
    const cells = head.right(line.split(','));
    if (E.isLeft(cells)) throw new Error(cells.left);
    return { line: index + 2, cells: cells.right };
  });
};

/** Without the dates, which few rows have. */
const HEAD = SHEET_COLUMNS.slice(0, 9).join(',');
const DATED_HEAD = 'productId,currency,type,amount,property,value,unitPrice,validFrom,validUntil';

const readOf = (...lines: readonly string[]): SetPriceSheet => {
  const sheet = readSheet(rowsOf(...lines));
  if (E.isLeft(sheet)) throw new Error(JSON.stringify(sheet.left));
  return sheet.right;
};

const read = (...lines: readonly string[]): SetPriceSheet => readOf(HEAD, ...lines);

/** Such as `2 amount: must be …`. */
const faultsOf = (...lines: readonly string[]): readonly string[] => {
  const sheet = readSheet(rowsOf(...lines));
  return E.isRight(sheet)
    ? []
    : sheet.left.map(({ line, column, detail }) => `${String(line)} ${column ?? '-'}: ${detail}`);
};
const faultsIn = (...lines: readonly string[]): readonly string[] => faultsOf(HEAD, ...lines);

const override = (amount: number) => ({ type: 'override', amount });
const percent = (amount: number) => ({ type: 'percent', amount });
const nothing = { type: 'null', amount: null };

describe('A price sheet', () => {
  it('has the columns that the docs name, in this order', () => {
    expect(SHEET_COLUMNS).to.deep.equal([
      'productId',
      'currency',
      'type',
      'amount',
      'property',
      'value',
      'firstUnit',
      'lastUnit',
      'unitPrice',
      'validFrom',
      'validUntil',
      'roundTo',
      'ending',
    ]);
  });

  it('sets every kind of adjustment, its rows in any order', () => {
    expect(
      read(
        'P,USD,volume,,,,10,,15',
        'Q,usd,enum,,colour,red,,,1',
        'P,EUR,override,5,,,,,',
        'all,USD,percent,10,,,,,',
        'R,USD,range,,n,,0,10,1',
        'Q,USD,enum,,colour,dark blue,,,2',
        'P,USD,volume,,,,1,9,20',
        'S,USD,null,,,,,,',
        'ALL,EUR,null,,,,,,',
        'T,JPY,percent,-5.5,,,,,',
      ),
    ).to.deep.equal({
      _tag: 'SetPriceSheet',
      items: [
        {
          productId: 'P',
          adjustments: {
            USD: {
              type: 'volume',
              tiers: [
                { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
                { firstUnit: 10, lastUnit: null, unitPrice: 15 },
              ],
            },
            EUR: override(5),
          },
        },
        {
          productId: 'Q',
          adjustments: {
            USD: {
              type: 'enum',
              property: 'colour',
              values: [
                { value: 'red', unitPrice: 1 },
                { value: 'dark blue', unitPrice: 2 },
              ],
            },
          },
        },
        {
          productId: 'R',
          adjustments: {
            USD: { type: 'range', property: 'n', values: [{ firstUnit: 0, lastUnit: 10, unitPrice: 1 }] },
          },
        },
        { productId: 'S', adjustments: { USD: nothing } },
        { productId: 'T', adjustments: { JPY: percent(-5.5) } },
      ],
      allProducts: { USD: percent(10), EUR: nothing },
    });
  });

  it('sets a price before the percent that goes with it, wherever their rows are', () => {
    expect(read('P,USD,percent,5,,,,,', 'P,EUR,percent,6,,,,,', 'P,USD,override,1,,,,,')).to.deep.include({
      items: [{ productId: 'P', adjustments: { USD: [override(1), percent(5)], EUR: percent(6) } }],
    });
  });

  it('sets what is dated after what is undated, an adjustment for each pair of dates', () => {
    const from = '2026-11-27T00:00:00.000Z';
    const until = '2026-11-30T00:00:00.000Z';
    const table = (rows: readonly string[]) => ({
      type: 'enum',
      property: 'colour',
      values: rows.map((value) => ({ value, unitPrice: 1 })),
    });
    expect(
      readOf(
        DATED_HEAD,
        'P,USD,override,4,,,,2026-11-27T00:00:00Z,2026-11-30T00:00:00Z',
        'P,USD,enum,,colour,red,1,2026-11-27T00:00:00Z,',
        'P,USD,override,5,,,,,',
        'P,USD,enum,,colour,blue,1,2026-11-27T00:00:00Z,',
        'P,USD,null,,,,,,2026-11-30T00:00:00Z',
        'Q,USD,cancel,,,,,2026-11-27T00:00:00Z,',
        'all,USD,percent,-10,,,,2026-11-27T00:00:00Z,2026-11-30T00:00:00Z',
      ),
    ).to.deep.equal({
      _tag: 'SetPriceSheet',
      items: [
        {
          productId: 'P',
          adjustments: {
            USD: [
              override(5),
              { ...override(4), validFrom: from, validUntil: until },
              { ...table(['red', 'blue']), validFrom: from },
              { ...nothing, validUntil: until },
            ],
          },
        },
        { productId: 'Q', adjustments: { USD: { type: 'cancel', validFrom: from } } },
      ],
      allProducts: { USD: { ...percent(-10), validFrom: from, validUntil: until } },
    });
  });

  it('is refused with faulty dates', () => {
    expect(
      faultsOf(
        DATED_HEAD,
        'P,USD,override,4,,,,today,',
        'Q,USD,override,4,,,,2026-11-27T00:00:00Z,2026-11-27T00:00:00Z',
        'R,USD,override,4,,,,2026-11-27T00:00:00Z,',
        'R,USD,percent,4,,,,2026-11-27T00:00:00Z,',
        'S,USD,cancel,,,,,,',
        'T,USD,cancel,1,,,,2026-11-27T00:00:00Z,',
        'U,USD,enum,,colour,red,1,2026-11-27T00:00:00Z,',
        'U,USD,enum,,colour,blue,1,2026-11-27T01:00:00+01:00,',
      ),
    ).to.deep.equal([
      '2 validFrom: must be an ISO 8601 date-time with offset, such as 2026-01-31T12:00:00Z, not "today"',
      '3 validUntil: must be after validFrom, 2026-11-27T00:00:00.000Z',
      '5 type: is another one than override, which line 4 sets in USD already',
      '6 -: must have validFrom, validUntil or both',
      '7 amount: must be empty in a row of the type cancel',
      '9 validFrom: must be the same in all rows of the table, and line 8 has "2026-11-27T00:00:00Z"',
    ]);
  });

  it('takes product ids as they are, whatever a spreadsheet would make of them', () => {
    const ids = ['=1+1', '+P', '-P', '@P', ' P ', "'P", '007', '1e5', '__proto__'];
    expect(
      read(...ids.map((id) => `${id},USD,override,1,,,,,`)).items.map(({ productId }) => productId),
    ).to.deep.equal(ids);
  });

  it('reads numbers as JSON has them, and nothing else', () => {
    const amounts = ['0', '0.049999999999999996', '3.5e-7', '1E3', '-0'];
    expect(
      read(...amounts.map((amount, n) => `P${String(n)},USD,override,${amount},,,,,`)).items.map(
        ({ adjustments }) => Object.values(adjustments)[0],
      ),
    ).to.deep.equal([0, 0.049999999999999996, 3.5e-7, 1000, 0].map(override));
    for (const amount of ['1 000', '12 50', '+1', '.5', '5.', '0x10', ' 1', '1 ', 'Infinity', 'NaN', '007']) {
      expect(faultsIn(`P,USD,override,${amount},,,,,`), amount).to.deep.equal([
        `2 amount: must be a number from 0 to 1000000000000000, not ${JSON.stringify(amount)}; numbers are written such as 1234.5`,
      ]);
    }
  });

  it('is refused with every fault at once, each with its line and column', () => {
    expect(
      faultsIn(
        'P,USD,override,,,,,,',
        ',USD,override,1,,,,,',
        'Q,Euro,gift,1,,,,,',
        'all,USD,override,1,,,,,',
        'R,USD,percent,-101,,,,,',
        'S,USD,override,1,,,1,9,',
        'T,,override,1,,,,,',
        'U,USD,enum,,at,red,,,x',
        'U,USD,enum,,at,,,,1',
        'V,USD,null,0,,,,,',
      ),
    ).to.deep.equal([
      '2 amount: is empty; it must be a number from 0 to 1000000000000000',
      '3 productId: is empty',
      '4 currency: "Euro" is not an ISO 4217 code of a currency with a minor unit; did you mean "EUR"?',
      '4 type: must be one of: null, override, enum, range, volume, graduated, percent, fixedAmount, cancel; not "gift"',
      '5 type: must be one of: null, percent, fixedAmount, cancel; not "override", as the row is for all products',
      '6 amount: must be a number from -100 to 1000000, not -101',
      '7 firstUnit: must be empty in a row of the type override',
      '7 lastUnit: must be empty in a row of the type override',
      '8 currency: is empty',
      '9 property: must not be "at", which price requests use themselves',
      '9 unitPrice: must be a number from 0 to 1000000000000000, not "x"; numbers are written such as 1234.5',
      '10 value: is empty; it must be a text',
      '11 amount: must be empty in a row of the type null',
    ]);
  });

  it('names other rows of a table by their lines', () => {
    expect(
      faultsIn(
        'P,USD,volume,,,,1,10,20',
        'Q,USD,override,1,,,,,',
        'P,USD,volume,,,,5,20,15',
        'P,USD,volume,,,,1,,15',
        'R,USD,enum,,colour,red,,,1',
        'R,USD,enum,,colour,red,,,2',
        'R,USD,enum,,size,blue,,,2',
        'S,USD,range,,n,,5,1,2',
      ),
    ).to.deep.equal([
      '4 firstUnit: overlaps line 2, which ends at 10',
      '5 firstUnit: is the same as that of line 2',
      '5 lastUnit: may only be open in the row with the greatest firstUnit; line 4 begins later',
      '7 value: is the same as that of line 6',
      '8 property: must be the same in all rows of the table, and line 6 has "colour"',
      '9 lastUnit: is below firstUnit, 5',
    ]);
  });

  it('says each thing once', () => {
    expect(
      faultsIn(
        'P,USD,override,1,,,,,',
        'P,usd,override,1,,,,,',
        'P,USD,volume,,,,1,,2',
        'P,USD,percent,1,,,,,',
        'P,USD,percent,2,,,,,',
        'Q,USD,null,,,,,,',
        'Q,USD,percent,1,,,,,',
        'Q,USD,null,,,,,,',
        'all,USD,percent,1,,,,,',
        'All,USD,percent,2,,,,,',
      ),
    ).to.deep.equal([
      '3 -: sets again what line 2 sets',
      '4 type: is another one than override, which line 2 sets in USD already',
      '6 -: sets again what line 5 sets',
      '7 type: takes away what line 8 sets',
      '9 -: sets again what line 7 sets',
      '11 -: sets again what line 10 sets',
    ]);
  });

  it('has at most 10,000 products and 1,000 rows a table', () => {
    const products = (count: number) =>
      Array.from({ length: count }, (_, n) => `P${String(n)},USD,override,1,,,,,`);
    expect(faultsIn('all,USD,percent,1,,,,,', ...products(10_000))).to.deep.equal([]);
    expect(faultsIn('all,USD,percent,1,,,,,', ...products(10_002))).to.deep.equal([
      '10003 productId: is one product too many: the sheet has 10002, and a request takes at most 10000',
    ]);
    const rows = (count: number) =>
      Array.from({ length: count }, (_, n) => `P,USD,range,,n,,${String(n)},${String(n)},1`);
    expect(faultsIn(...rows(1_000))).to.deep.equal([]);
    expect(faultsIn(...rows(1_001))).to.deep.equal([
      '2 -: begins a table that has 1001 items; at most 1000 are allowed',
    ]);
  });
});

describe('The first row of a price sheet', () => {
  it('names the columns in any order, and leaves out those that no row needs', () => {
    const sheet = readSheet(rowsOf('amount,type,currency,productId', '5,override,USD,P'));
    expect(E.isRight(sheet) && sheet.right.items).to.deep.equal([
      { productId: 'P', adjustments: { USD: override(5) } },
    ]);
  });

  it('is refused with columns that there are not, that it names twice or that it leaves out', () => {
    const faults = (names: string) => {
      const head = readSheetHead(names.split(','));
      return E.isLeft(head) ? head.left : [];
    };
    expect(faults('productId,currency,type,price,Amount')).to.have.length(2);
    expect(faults('productId,currency,type,price')[0]).to.match(
      /^names "price", which is no column; known are: productId, .*; did you mean "unitPrice"[?]$/,
    );
    expect(faults('productId,Currency,type')[1]).to.match(
      /^names "Currency", .*; did you mean "currency"[?]$/,
    );
    const many = faults(`productId,currency,type,${'price,'.repeat(60)}amount`);
    expect(many).to.have.length(60);
    expect(many.filter((detail) => detail.includes('did you mean'))).to.have.length(50);
    expect(faults('productId,currency,type,amount,amount')).to.deep.equal(['names the column amount twice']);
    expect(faults('productId,amount')).to.deep.equal([
      'must name the column currency: the first row names the columns',
      'must name the column type: the first row names the columns',
    ]);
    expect(faults('ProductID,currency,type')).to.have.length(2);
    expect(faults('lamp,USD,override,49.99')).to.deep.equal([
      'names no column: the first row has to be such as productId,currency,type,amount,property,value,firstUnit,lastUnit,unitPrice,validFrom,validUntil,roundTo,ending',
    ]);
    expect(faults('productId;currency;type;amount')).to.deep.equal([
      'must have commas between the columns, not ";"',
    ]);
    for (const [names, more] of [
      ['sep=;', ', and put commas between the columns'],
      ['SEP=\t', ', and put commas between the columns'],
      ['sep=,', ''],
    ] as const) {
      expect(faults(names), names).to.deep.equal([
        `is a note for Excel, not the names of the columns: remove this line${more}`,
      ]);
    }
  });

  it('is refused for one thing, and soon, where it has far more cells than there are columns', () => {
    const names: readonly string[] = Array.from({ length: 500_000 }, (_, n) => (n < 200_000 ? '' : 'type'));
    expect(readSheetHead(names)).to.deep.equal(
      E.left([`has 500000 cells, which are no names of columns; known are: ${SHEET_COLUMNS.join(', ')}`]),
    );
  });

  it('says how many cells each row has', () => {
    const head = readSheetHead(['productId', 'currency', 'type']);
    const arrange = E.isRight(head) ? head.right : () => E.left('no head');
    expect(arrange(['P', 'USD', 'null', ''])).to.deep.equal(
      E.left('has 4 cells; the first row names 3 columns'),
    );
    expect(E.isLeft(arrange(['P', 'USD']))).to.equal(true);
  });
});
