import { CSV_HEAD, SHEET_COLUMNS } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { csvFormat } from './read-csv';

/** Without the dates, which few rows have. */
const HEAD = SHEET_COLUMNS.slice(0, 9).join(',');

const faultsOf = (text: string | Buffer) => {
  const read = csvFormat.read(Buffer.from(text));
  if (E.isRight(read)) return [];
  return read.left._tag === 'InvalidBody' ? read.left.faults : [{ pointer: '?', detail: read.left._tag }];
};

describe('A body of CSV', () => {
  it('is a price sheet: blank rows are passed over, and columns that no row needs may be left out', () => {
    const read = csvFormat.read(
      Buffer.from('\ufeffproductId,currency,type,amount\r\n\r\nlamp,usd,override,49.99\r\n,,,\r\n\r\n'),
    );
    expect(E.isRight(read) && read.right).to.deep.equal({
      _tag: 'SetPriceSheet',
      items: [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount: 49.99 } } }],
      allProducts: {},
    });
  });

  it('is told of every fault by line and column, of the text, its rows and what they mean', () => {
    const faults = faultsOf(
      [
        HEAD,
        '"a\r\nb",USD,override,1,,,,,',
        'lamp,USD,enum,,"x\r\ny\r\nz",red,,,1',
        'lamp,USD,enum,,"x\r\ny\r\nz",blue,,,-1',
        'seat,USD,override,1',
        'seat,usd,override,x,,,,,',
        '"never closed,USD,override,1,,,,,',
        'seat,USD,gift,1,,,,,',
      ].join('\r\n'),
    );
    expect(faults).to.deep.equal([
      {
        pointer: '',
        line: 2,
        column: 'productId',
        detail: 'line 2, column productId: must not hold control characters',
      },
      {
        pointer: '',
        line: 7,
        column: 'unitPrice',
        detail: 'line 7, column unitPrice: must be a number from 0 to 1000000000000000, not -1',
      },
      { pointer: '', line: 10, detail: 'line 10: has 4 cells; the first row names 9 columns' },
      {
        pointer: '',
        line: 11,
        column: 'amount',
        detail:
          'line 11, column amount: must be a number from 0 to 1000000000000000, not "x"; numbers are written such as 1234.5',
      },
      { pointer: '', line: 12, detail: 'line 12: opens a quote that is never closed' },
      {
        pointer: '',
        line: 13,
        column: 'type',
        detail:
          'line 13, column type: must be one of: null, override, enum, range, volume, graduated, percent, fixedAmount, cancel; not "gift"',
      },
    ]);
  });

  it('is told of one fault where it is JSON', () => {
    for (const body of ['[{"productId":"lamp",\n"adjustments":{}}]', ' \n{"productId":"all"}']) {
      expect(faultsOf(body)).to.deep.equal([
        { pointer: '', detail: 'looks like JSON: send it as Content-Type: application/json' },
      ]);
    }
  });

  it('is told what it is where a spreadsheet has saved it in another format', () => {
    const littleEndian = Buffer.from(`${HEAD}\r\nlamp,EUR,override,1,,,,,\r\n`, 'utf16le');
    const bigEndian = Buffer.from(littleEndian).swap16();
    const utf16 = 'is UTF-16; save it as UTF-8, which spreadsheets call "CSV UTF-8"';
    const workbook = 'is a ZIP file, such as an Excel workbook (.xlsx); save the sheet as "CSV UTF-8"';
    for (const [body, detail] of [
      [Buffer.concat([Buffer.from([0xff, 0xfe]), littleEndian]), utf16],
      [Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian]), utf16],
      [littleEndian, utf16],
      [bigEndian, utf16],
      [Buffer.from('PK\x03\x04\x14\0\x06\0[Content_Types].xml', 'latin1'), workbook],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'is an Excel workbook (.xls); save the sheet as "CSV UTF-8"'],
    ] as const) {
      expect(faultsOf(body)).to.deep.equal([{ pointer: '', detail }]);
    }
    expect(faultsOf(`sep=;\r\n${HEAD.replaceAll(',', ';')}\r\n`)).to.deep.equal([
      {
        pointer: '',
        line: 1,
        detail:
          'line 1: is a note for Excel, not the names of the columns: remove this line, and put commas between the columns',
      },
    ]);
  });

  it('is told of 50 faults at most, the last of which counts the rest', () => {
    const rows = (count: number) => `${HEAD}\r\n` + 'P,USD,override,x,,,,,\r\n'.repeat(count);
    // Each row but the first also sets again what that one sets.
    expect(faultsOf(rows(25)).length).to.equal(25);
    const faults = faultsOf(
      `${HEAD}\r\n` + Array.from({ length: 60 }, (_, n) => `P${String(n)},USD,gift,,,,,,\r\n`).join(''),
    );
    expect(faults).to.have.length(50);
    expect(faults.at(-1)).to.deep.equal({ pointer: '', detail: 'holds 11 more faults' });
  });

  it('needs the row that names the columns, and reads nothing without it', () => {
    for (const text of ['', '\r\n\n', ',,\n']) {
      expect(faultsOf(text)).to.deep.equal([
        { pointer: '', line: 1, detail: 'line 1: is missing: the first row names the columns' },
      ]);
    }
    expect(faultsOf('"productId,currency\n1,2\n')).to.deep.equal([
      { pointer: '', line: 1, detail: 'line 1: opens a quote that is never closed' },
    ]);
    expect(faultsOf('lamp,USD,override,1\r\nseat,USD,override,1\r\n')).to.deep.equal([
      {
        pointer: '',
        line: 1,
        detail: `line 1: names no column: the first row has to be such as ${CSV_HEAD.trim()}`,
      },
    ]);
  });
});
