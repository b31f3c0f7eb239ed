/**
 * Tables over a number, which range tables and volume tiers share. Bounds are inclusive. The row for a value is
 * the one with the greatest `firstUnit` not above it; it holds up to its `lastUnit`, and on to the next row where
 * that begins at most 1 above, so that 1-10, 11-20 has a price for 10.5. Rows may touch: the later one has the
 * shared bound (design section 1, "Choosing a row").
 */
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import { amountCodec, isWithinOne, unitCodec } from '../amounts';
import { type Finding, type JsonCodec, refine, withRules } from '../codecs/codecs';
import type { ListPrice } from './kind';
import { LISTED_ROWS, type PriceParameters, readNumber, type RowError } from './parameters';
import { rowsOf } from './table';

export interface UnitRow {
  readonly firstUnit: number;
  /** Null where the row has no end. */
  readonly lastUnit: number | null;
  readonly unitPrice: number;
}

/** The fields of a row but for `lastUnit`, which only some kinds may leave open. */
export const unitRowFields = { firstUnit: unitCodec, unitPrice: amountCodec };

const findFaults = (rows: readonly UnitRow[]): readonly Finding[] => {
  const faults: Finding[] = rows.flatMap(({ firstUnit, lastUnit }, index) =>
    lastUnit !== null && lastUnit < firstUnit
      ? [{ path: [String(index), 'lastUnit'], detail: `is below firstUnit, ${String(firstUnit)}` }]
      : [],
  );
  const ascending = rows.map((row, index) => ({ ...row, index }));
  ascending.sort((a, b) => a.firstUnit - b.firstUnit);
  ascending.forEach((row, place) => {
    const next = ascending[place + 1];
    if (next === undefined) return;
    const at = [String(next.index), 'firstUnit'];
    if (next.firstUnit === row.firstUnit) {
      faults.push({ path: at, detail: `is the same as that of row ${String(row.index)}` });
    } else if (row.lastUnit === null) {
      faults.push({
        path: [String(row.index), 'lastUnit'],
        detail: `may only be open in the row with the greatest firstUnit; row ${String(next.index)} begins later`,
      });
    } else if (row.lastUnit > next.firstUnit) {
      faults.push({
        path: at,
        detail: `overlaps row ${String(row.index)}, which ends at ${String(row.lastUnit)}`,
      });
    }
  });
  return faults;
};

/** Rows in any order in; rows by ascending `firstUnit` without overlaps out. */
export const unitRowsCodec = <Row extends UnitRow>(row: JsonCodec<Row>): JsonCodec<readonly Row[]> =>
  refine('rows', withRules(rowsOf(row), findFaults), (rows): E.Either<string, readonly Row[]> =>
    E.right([...rows].sort((a, b) => a.firstUnit - b.firstUnit)),
  );

const placeOf = (rows: readonly UnitRow[], value: number): number => {
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

const rowFor = (rows: readonly UnitRow[], value: number): UnitRow | undefined => {
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
  rows: readonly UnitRow[],
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
