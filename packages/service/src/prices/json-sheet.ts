/** A price list as JSON, the body that Set Product Prices takes: read as the rows that a CSV file of it would have. */
import { isDeepStrictEqual } from 'node:util';
import {
  ALL,
  faultsOf,
  type HolderPrices,
  inWords,
  isDated,
  listed,
  type OneOrMore,
  readHolder,
  requestedRows,
  type RequestedAdjustment,
  sentenceOf,
  setProductPricesReader,
  type SheetRow,
} from '@pricebook/domain';
import { parseStrictJson } from '@pricebook/http';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import { linesForTerminal } from '../command-line/terminal';

/** Whether a file is JSON, by how it begins: no sheet begins so. */
export const beginsAsJson = (start: string): boolean => /^\s*[[{]/.test(start);

type Asked = Readonly<Partial<Record<string, OneOrMore<RequestedAdjustment>>>>;

/** What is dated may as well come last, as in a sheet, but for what null takes away. */
const datedLast = (asked: readonly RequestedAdjustment[]): readonly RequestedAdjustment[] => {
  const undated = asked.filter((adjustment) => !isDated(adjustment));
  return undated.some(({ type }) => type === 'null') ? asked : [...undated, ...asked.filter(isDated)];
};

/** What a holder is asked to be given, by currency. */
const pricesOf = (asked: Asked): HolderPrices =>
  Object.fromEntries(
    Object.entries(asked).flatMap(([currency, given]) =>
      given === undefined ? [] : [[currency, datedLast(listed(given))]],
    ),
  );

/**
 * Rows know no order but that of sheets.
 *
 * @throws Error where another order would give other prices.
 */
const checkOrder = (holder: string, prices: HolderPrices, rows: readonly SheetRow[]): void => {
  const [first, ...others] = rows;
  if (first === undefined || Object.values(prices).every((asked) => asked?.length === 1)) return;
  const read = readHolder([first, ...others]);
  if (E.isRight(read) && isDeepStrictEqual(read.right, prices)) return;
  throw new Error(
    linesForTerminal(
      `The adjustments of ${inWords(holder)} are not in the order of a sheet: first what sets the price, or null alone, ` +
        'then the percent, then what has dates.\nNothing was imported.',
    ),
  );
};

const rowsOf = (holder: string, asked: Asked, line: number): readonly SheetRow[] => {
  const prices = pricesOf(asked);
  const rows = requestedRows(holder, prices).map((cells) => ({ line, cells }));
  checkOrder(holder, prices, rows);
  return rows;
};

/**
 * The line of a row is the place of its product in the list, from 1.
 *
 * @throws Error with every fault of the body, for the person at the terminal.
 */
export const readJsonSheet = (bytes: Uint8Array): readonly SheetRow[] => {
  const read = pipe(
    parseStrictJson(bytes),
    E.chain((body) => pipe(setProductPricesReader.decode(body), E.mapLeft(faultsOf))),
  );
  if (E.isLeft(read)) {
    const faults = read.left.map(({ pointer, detail }) =>
      sentenceOf(pointer === '' ? 'The file' : pointer, detail),
    );
    throw new Error(linesForTerminal([...faults, 'Nothing was imported.'].join('\n')));
  }
  return read.right._tag === 'AdjustAllProducts'
    ? rowsOf(ALL, read.right.adjustments, 1)
    : read.right.items.flatMap(({ productId, adjustments }, place) =>
        rowsOf(productId, adjustments, place + 1),
      );
};
