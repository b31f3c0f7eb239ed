/**
 * Tables over a number, which range tables and volume tiers share. Bounds are inclusive. The row for a value is
 * the one with the greatest `firstUnit` not above it; it holds up to its `lastUnit`, and on to the next row where
 * that begins at most 1 above, so that 1-10, 11-20 has a price for 10.5. Rows may touch: the later one has the
 * shared bound (design section 1, "Choosing a row").
 */
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import { amountCodec, isWithinOne, unitCodec } from '../amounts';
import { type JsonCodec, refine } from '../codecs/codecs';
import { type Finding, type ListRule } from '../codecs/lists';
import type { Column } from './columns';
import type { ListPrice, RowChoice } from './kind';
import { LISTED_ROWS, type PriceParameters, QUANTITY, readNumber, type RowError } from './parameters';
import { rowsOf } from './table';

export interface UnitRow {
  readonly firstUnit: number;
  /** Null where the row has no end. */
  readonly lastUnit: number | null;
  readonly unitPrice: number;
}

/** The fields of a row but for `lastUnit`, which only some kinds may leave open. */
export const unitRowFields = { firstUnit: unitCodec, unitPrice: amountCodec };

export const unitRowColumns: readonly Column[] = ['firstUnit', 'lastUnit', 'unitPrice'];

const isBackwards = ({ firstUnit, lastUnit }: UnitRow): boolean => lastUnit !== null && lastUnit < firstUnit;

const findFaults: ListRule<UnitRow>['find'] = (_raw, rows) => {
  const readable = rows.flatMap((row, index) => (row === undefined ? [] : [{ ...row, index }]));
  const faults: Finding[] = readable.filter(isBackwards).map(({ index, firstUnit }) => ({
    path: [String(index), 'lastUnit'],
    detail: `is below firstUnit, ${String(firstUnit)}`,
  }));
  const ascending = readable.sort((a, b) => a.firstUnit - b.firstUnit);
  const last = ascending.at(-1);
  /** Of the rows before, the one that reaches farthest. */
  let farthest: { readonly index: number; readonly lastUnit: number } | undefined;
  for (const [place, { index, firstUnit, lastUnit }] of ascending.entries()) {
    const previous = ascending[place - 1];
    const path = [String(index), 'firstUnit'];
    if (previous?.firstUnit === firstUnit) {
      faults.push({ path, detail: `is the same as that of row ${String(previous.index)}` });
    } else if (farthest !== undefined && farthest.lastUnit > firstUnit) {
      const end = String(farthest.lastUnit);
      faults.push({ path, detail: `overlaps row ${String(farthest.index)}, which ends at ${end}` });
    }
    if (lastUnit === null) {
      if (last === undefined || last.firstUnit === firstUnit) continue;
      const detail = `may only be open in the row with the greatest firstUnit; row ${String(last.index)} begins later`;
      faults.push({ path: [String(index), 'lastUnit'], detail });
    } else if (farthest === undefined || lastUnit > farthest.lastUnit) farthest = { index, lastUnit };
  }
  return faults;
};

const disjoint: ListRule<UnitRow> = {
  find: findFaults,
  said: {
    description:
      'Rows in any order. Bounds are inclusive. Rows may touch, the later one has the shared bound; they must not ' +
      'overlap or begin at the same unit, and none ends before it begins.',
  },
};

declare const checked: unique symbol;

/** Rows that `unitRowsCodec` has read: by ascending `firstUnit`, without overlaps. No other code makes them. */
export type UnitRows<Row extends UnitRow = UnitRow> = readonly Row[] & { readonly [checked]: true };

/** Reads rows in any order. */
export const unitRowsCodec = <Row extends UnitRow>(row: JsonCodec<Row>): JsonCodec<UnitRows<Row>> =>
  refine('rows', rowsOf(row, disjoint), (rows): E.Either<string, UnitRows<Row>> =>
    E.right([...rows].sort((a, b) => a.firstUnit - b.firstUnit) as readonly Row[] as UnitRows<Row>),
  );

/** Rows with other prices, in the same order and with the same bounds. */
export const withUnitPrices = <Row extends UnitRow>(
  rows: UnitRows<Row>,
  of: (unitPrice: number) => number,
): UnitRows<Row> =>
  rows.map((row) => ({ ...row, unitPrice: of(row.unitPrice) })) as readonly Row[] as UnitRows<Row>;

const placeOf = (rows: UnitRows, value: number): number => {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && row.firstUnit <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

const rowFor = (rows: UnitRows, value: number): UnitRow | undefined => {
  const place = placeOf(rows, value);
  const row = rows[place];
  if (row === undefined || row.lastUnit === null || value <= row.lastUnit) return row;
  const next = rows[place + 1];
  return next !== undefined && isWithinOne(row.lastUnit, next.firstUnit) ? row : undefined;
};

const describe = ({ firstUnit, lastUnit }: UnitRow): string =>
  lastUnit === null ? `${String(firstUnit)} and more` : `${String(firstUnit)} to ${String(lastUnit)}`;

/** The unit price of the row that the numeric parameter `property` chooses. */
export const unitRowPrice = (
  rows: UnitRows,
  property: string,
  parameters: PriceParameters,
): E.Either<RowError, ListPrice> =>
  pipe(
    readNumber(parameters, property),
    E.chain((value): E.Either<RowError, ListPrice> => {
      const row = rowFor(rows, value);
      return row === undefined
        ? E.left({
            _tag: 'NoMatchingRow',
            name: property,
            value: String(value),
            rows: rows.slice(0, LISTED_ROWS).map(describe),
          })
        : E.right({ amount: row.unitPrice, chosen: { property, value, row } });
    }),
  );

/** The first unit of each row; of a quantity, which is above 0, one that the row has. */
export const unitRowChoices = (rows: UnitRows, property: string): readonly RowChoice[] =>
  rows.flatMap(({ firstUnit, lastUnit }) => {
    const value = property === QUANTITY && firstUnit === 0 ? Math.min(1, lastUnit ?? 1) : firstUnit;
    return property === QUANTITY && value === 0 ? [] : [{ property, value: String(value) }];
  });

/** Such as `1-9: 20, 10-: 15`. */
export const unitRowsInWords = (rows: readonly UnitRow[]): string =>
  rows
    .map(
      ({ firstUnit, lastUnit, unitPrice }) =>
        `${String(firstUnit)}-${lastUnit === null ? '' : String(lastUnit)}: ${String(unitPrice)}`,
    )
    .join(', ');
