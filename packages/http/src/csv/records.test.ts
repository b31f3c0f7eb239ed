import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  CSV_HEAD,
  csvLine,
  type CsvRecords,
  readRecords,
  SHEET_COLUMNS,
  type SheetCells,
} from '@pricebook/domain';
import { parse } from 'csv-parse/sync';
import { decodeLines } from './decode';

const recordsOf = (text: string): CsvRecords => readRecords(decodeLines(Buffer.from(text), 1).text, 1, true);

/** Lines and cells. */
const shape = (text: string): readonly unknown[] =>
  recordsOf(text).records.map(({ line, cells }) => [line, ...cells]);

const faultsIn = (text: string): readonly string[] =>
  recordsOf(text).faults.map(({ line, detail }) => `${String(line)}: ${detail}`);

/** Few characters, so that they meet. */
const tricky = fc.string({
  unit: fc.constantFrom('"', '"', ',', '\n', '\n', '\r\n', '\r', 'a', ' '),
  maxLength: 30,
});

describe('CSV', () => {
  it('has cells between commas and records between line ends of either kind, the last of which may be left out', () => {
    const expected = [
      [1, 'a', 'b'],
      [2, '1', ''],
      [3, '', '2'],
    ];
    for (const text of ['a,b\r\n1,\r\n,2\r\n', 'a,b\n1,\n,2', 'a,b\r\n1,\n,2\r\n', '\ufeffa,b\r\n1,\r\n,2']) {
      expect(shape(text), JSON.stringify(text)).to.deep.equal(expected);
    }
  });

  it('has anything between quotes, in which a quote is written twice', () => {
    expect(shape('"a","b,""c"""\r\n" x ",""\r\n')).to.deep.equal([
      [1, 'a', 'b,"c"'],
      [2, ' x ', ''],
    ]);
  });

  it('tells the line with which a record begins, whatever line breaks its cells hold', () => {
    expect(shape('"a\r\nb\n\nc",d\r\ne,"f\n"\n\ng,h')).to.deep.equal([
      [1, 'a\r\nb\n\nc', 'd'],
      [5, 'e', 'f\n'],
      [7, ''],
      [8, 'g', 'h'],
    ]);
  });

  it('is told every record whose quotes go wrong, and the others are read', () => {
    const faulty = [
      ['"c"d,e', 'has something between a closing quote and the next comma'],
      ['c"d,e', 'has a quote in a cell that does not begin with one'],
      ['c,d\re', 'has a carriage return in a cell without quotes'],
    ] as const;
    for (const [text, detail] of faulty) {
      const file = `a,b\r\n"x\ny",2\r\n${text}\nf,g\n${text}`;
      expect(shape(file), text).to.deep.equal([
        [1, 'a', 'b'],
        [2, 'x\ny', '2'],
        [5, 'f', 'g'],
      ]);
      const faults = faultsIn(file);
      expect(faults).to.have.length(2);
      for (const [index, line] of [4, 6].entries()) {
        expect(faults[index]?.startsWith(`${String(line)}: ${detail}`), faults[index]).to.equal(true);
      }
    }
  });

  it('is read on below a quote that is never closed, or closed where another one was meant to open', () => {
    expect(shape('a,b\n"c,d\ne,f\n')).to.deep.equal([
      [1, 'a', 'b'],
      [3, 'e', 'f'],
    ]);
    expect(faultsIn('a,b\n"c,d\ne,f\n')).to.deep.equal(['2: opens a quote that is never closed']);
    expect(shape('a,b\n"c,d\ne,f\n"g",h\n')).to.deep.equal([
      [1, 'a', 'b'],
      [3, 'e', 'f'],
      [4, 'g', 'h'],
    ]);
  });

  it('is UTF-8, or told the lines where it is not', () => {
    const latin1 = Buffer.from('a,b\n"Gr\n\u00fc\u00dfe",1\nc,d\n\u00e9,\u00e9', 'latin1');
    expect(decodeLines(latin1, 7).faults.map(({ line }) => line)).to.deep.equal([9, 11]);
    expect(
      decodeLines(Buffer.from([0xff, 0xfe, 0x61, 0x00]), 1).faults.map(({ line }) => line),
    ).to.deep.equal([1]);
  });

  it('is read as csv-parse reads it, wherever that finds it well', () => {
    fc.assert(
      fc.property(tricky, (text) => {
        let expected: readonly (readonly string[])[] | undefined;
        try {
          expected = parse(text, { record_delimiter: ['\r\n', '\n'], relax_column_count: true });
        } catch {
          expected = undefined;
        }
        const { records, faults } = recordsOf(text);
        // A carriage return alone, it takes as it is.
        if (/\r(?!\n)/.test(text) && faults.length > 0) return;
        expect(faults.length === 0).to.equal(expected !== undefined);
        if (expected !== undefined) expect(records.map(({ cells }) => cells)).to.deep.equal(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is the same in pieces as in one', () => {
    fc.assert(
      fc.property(tricky, (text) => {
        const records: unknown[] = [];
        const faults: unknown[] = [];
        let rest = '';
        let line = 1;
        const take = (piece: string, isLast: boolean): void => {
          const read = readRecords(rest + piece, line, isLast);
          records.push(...read.records);
          faults.push(...read.faults);
          rest = (rest + piece).slice(read.end);
          ({ line } = read);
        };
        const pieces = text.split(/(?<=\n)/);
        for (const piece of pieces.slice(0, -1)) take(piece, false);
        take(pieces.at(-1) ?? '', true);
        const whole = readRecords(text, 1, true);
        expect([records, faults]).to.deep.equal([whole.records, whole.faults]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not keep more than a record can have of a file whose quote is never closed', () => {
    const text = `"${'x\n'.repeat(600_000)}`;
    const { records, faults, end } = readRecords(text, 1, false);
    expect([records.length, faults.length, end]).to.deep.equal([599_999, 1, text.length]);
  });

  it('reads back as what was written, with the lines at which it stands', () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ' ', 'a', "'", ';', '=', '\ufeff', '😀') }),
      fc.string({ unit: 'binary' }),
    );
    const cells = fc.record(
      Object.fromEntries(SHEET_COLUMNS.map((column) => [column, cell])),
    ) as unknown as fc.Arbitrary<SheetCells>;
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 8 }), (rows) => {
        const text = CSV_HEAD + rows.map(csvLine).join('');
        const { records, faults, line: nextLine } = recordsOf(text);
        expect(faults).to.deep.equal([]);
        expect(records.map((record) => record.cells)).to.deep.equal([
          SHEET_COLUMNS,
          ...rows.map((row) => SHEET_COLUMNS.map((column) => row[column])),
        ]);
        const lines = text.split('\n');
        expect(nextLine).to.equal(lines.length);
        for (const { line, cells: read } of records.slice(1)) {
          // Nothing that stands before it can hold the beginning of this record.
          const first = csvLine(
            Object.fromEntries(SHEET_COLUMNS.map((c, i) => [c, read[i] ?? ''])) as SheetCells,
          );
          expect(
            lines
              .slice(line - 1)
              .join('\n')
              .startsWith(first),
          ).to.equal(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
