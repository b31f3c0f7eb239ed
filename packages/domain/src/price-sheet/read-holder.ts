/** What a product, or all products, are given by their rows. */
import * as E from 'fp-ts/Either';
import {
  type Adjustment,
  type SheetKind,
  sheetKindOf,
  sheetTypes,
  sheetTypesForAll,
} from '../adjustments/adjustment';
import { noneOf } from '../codecs/codecs';
import { faultsOf } from '../codecs/faults';
import { type Currency, currencyCodec } from '../currency';
import { productIdCodec } from '../identifiers';
import { readAdjustment } from './read-adjustment';
import { ALL, faultInColumn, holderOf, type SheetFault, type SheetRow } from './sheet';

/** By currency, what a product has in one currency at most: a removal, or one of each of the other two. */
interface Place {
  removal: Part[];
  absolute: Part[];
  relative: Part[];
}

/** Rows of one type. */
interface Part {
  readonly kind: SheetKind;
  readonly rows: [SheetRow, ...SheetRow[]];
}

type ByCurrency = Readonly<Partial<Record<Currency, Adjustment>>>;

/** What rows of one holder say. */
export interface HolderPrices {
  /** One for each currency; where there is a price and a percent, the price. */
  readonly adjustments: ByCurrency;
  /** Percents beside a price. */
  readonly percents: ByCurrency;
}

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
    const place = places.get(currency) ?? { removal: [], absolute: [], relative: [] };
    places.set(currency, place);
    const part = place[kind.role].find((other) => other.kind === kind);
    if (part === undefined) place[kind.role].push({ kind, rows: [row] });
    else part.rows.push(row);
  }
  return places;
};

/** The one part that says what holds; the others contradict it. */
const readPart = (
  [part, ...others]: readonly Part[],
  currency: Currency,
  report: Report,
): Adjustment | undefined => {
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
  const adjustments: Partial<Record<Currency, Adjustment>> = {};
  const percents: Partial<Record<Currency, Adjustment>> = {};
  for (const [currency, place] of placesOf(rows, holder === ALL ? sheetTypesForAll : sheetTypes, report)) {
    checkRemoval(place, report);
    const removal = readPart(place.removal, currency, report);
    const absolute = readPart(place.absolute, currency, report);
    const relative = readPart(place.relative, currency, report);
    const first = absolute ?? relative ?? removal;
    if (first !== undefined) adjustments[currency] = first;
    if (absolute !== undefined && relative !== undefined) percents[currency] = relative;
  }
  return faults.length === 0 ? E.right({ adjustments, percents }) : E.left(faults);
};
