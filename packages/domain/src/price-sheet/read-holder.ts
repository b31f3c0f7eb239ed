/** What a product, or all products, are given by their rows. */
import * as E from 'fp-ts/Either';
import {
  type RequestedAdjustment,
  type SheetKind,
  sheetKindOf,
  sheetTypes,
  sheetTypesForAll,
} from '../adjustments/adjustment';
import { noneOf } from '../codecs/codecs';
import { readTime } from '../codecs/date-time';
import { faultsOf } from '../codecs/faults';
import { type Currency, currencyCodec } from '../currency';
import { productIdCodec } from '../identifiers';
import { readAdjustment } from './read-adjustment';
import { ALL, faultInColumn, holderOf, type SheetFault, type SheetRow } from './sheet';

/** By currency: what is undated, of which a product has a removal at most or one of each of the other two, and the rest. */
interface Place {
  readonly removal: Part[];
  readonly absolute: Part[];
  readonly relative: Part[];
  /** By its bounds. */
  readonly dated: Map<string, Part[]>;
}

/** Rows of one type. */
interface Part {
  readonly kind: SheetKind;
  readonly rows: [SheetRow, ...SheetRow[]];
}

/** What rows of one holder say, by currency, in the order in which it is carried out. */
export type HolderPrices = Readonly<Partial<Record<Currency, readonly RequestedAdjustment[]>>>;

type Report = (fault: SheetFault) => void;

/** What a row is of, and its currency; undefined where that cannot be told. */
const readRow = (
  { line, cells }: SheetRow,
  types: readonly string[],
  report: Report,
): { readonly currency: Currency; readonly kind: SheetKind } | undefined => {
  const currency = currencyCodec.decode(cells.currency);
  if (E.isLeft(currency)) {
    const { left } = currency;
    report(
      faultInColumn(line, 'currency', () =>
        cells.currency === '' ? 'is empty' : (faultsOf(left)[0]?.detail ?? 'is not valid'),
      ),
    );
  }
  const kind = types.includes(cells.type) ? sheetKindOf(cells.type) : undefined;
  if (kind === undefined) {
    report(
      faultInColumn(line, 'type', () =>
        cells.type === ''
          ? `is empty; it must be one of: ${types.join(', ')}`
          : // It is for products, then.
            `${noneOf(types, cells.type)}${sheetTypes.includes(cells.type) ? ', as the row is for all products' : ''}`,
      ),
    );
  }
  return E.isLeft(currency) || kind === undefined ? undefined : { currency: currency.right, kind };
};

/** Where the part of a row belongs: rows of one table may write the same time in different ways. */
const partsFor = (place: Place, { role }: SheetKind, { cells }: SheetRow): Part[] => {
  const { validFrom, validUntil } = cells;
  if (validFrom === '' && validUntil === '' && role !== 'cancel') return place[role];
  const bounds = JSON.stringify([validFrom, validUntil].map((time) => readTime(time) ?? time));
  const parts = place.dated.get(bounds) ?? [];
  place.dated.set(bounds, parts);
  return parts;
};

const placesOf = (
  rows: readonly SheetRow[],
  types: readonly string[],
  report: Report,
): ReadonlyMap<Currency, Place> => {
  const places = new Map<Currency, Place>();
  for (const row of rows) {
    const read = readRow(row, types, report);
    if (read === undefined) continue;
    const { currency, kind } = read;
    const place = places.get(currency) ?? { removal: [], absolute: [], relative: [], dated: new Map() };
    places.set(currency, place);
    const parts = partsFor(place, kind, row);
    const part = parts.find((other) => other.kind === kind);
    if (part === undefined) parts.push({ kind, rows: [row] });
    else part.rows.push(row);
  }
  return places;
};

/** The one part that says what holds; the others contradict it. */
const readPart = (
  [part, ...others]: readonly Part[],
  currency: Currency,
  report: Report,
): RequestedAdjustment | undefined => {
  if (part === undefined) return undefined;
  const [{ line: first }] = part.rows;
  for (const { rows } of others) {
    for (const { line } of rows) {
      const detail = `is another one than ${part.kind.type}, which line ${String(first)} sets in ${currency} already`;
      report({ line, column: 'type', detail });
    }
  }
  const read = readAdjustment(part.kind, part.rows);
  if (E.isRight(read)) return read.right;
  read.left.forEach(report);
  return undefined;
};

/** Nothing can be both taken away and set. */
const checkRemoval = ({ removal, absolute, relative }: Place, report: Report): void => {
  const [other] = [...absolute, ...relative];
  if (other === undefined) return;
  for (const { rows } of removal) {
    const [{ line }] = rows;
    const detail = `takes away what line ${String(other.rows[0].line)} sets`;
    report({ line, column: 'type', detail });
  }
};

const checkProductId = (holder: string, rows: readonly SheetRow[], report: Report): void => {
  if (holder === ALL) return;
  const read = productIdCodec.decode(holder);
  if (E.isRight(read)) return;
  const detail = holder === '' ? 'is empty' : (faultsOf(read.left)[0]?.detail ?? 'is not valid');
  for (const { line } of rows) report({ line, column: 'productId', detail });
};

/** All rows of one holder, in any order; or everything that is wrong with them. */
export const readHolder = (
  rows: readonly [SheetRow, ...SheetRow[]],
): E.Either<readonly SheetFault[], HolderPrices> => {
  const faults: SheetFault[] = [];
  const report: Report = (fault) => {
    faults.push(fault);
  };
  const holder = holderOf(rows[0]);
  checkProductId(holder, rows, report);
  const prices: Partial<Record<Currency, readonly RequestedAdjustment[]>> = {};
  for (const [currency, place] of placesOf(rows, holder === ALL ? sheetTypesForAll : sheetTypes, report)) {
    checkRemoval(place, report);
    const { removal, absolute, relative, dated } = place;
    const read = [removal, absolute, relative, ...dated.values()].map((parts) =>
      readPart(parts, currency, report),
    );
    prices[currency] = read.filter((adjustment) => adjustment !== undefined);
  }
  return faults.length === 0 ? E.right(prices) : E.left(faults);
};
