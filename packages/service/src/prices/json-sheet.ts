/** A price list as JSON, the body that Set Product Prices takes: read as the rows that a CSV file of it would have. */
import {
  ALL,
  faultsOf,
  holderRows,
  type HolderPrices,
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

const rowsOf = (
  holder: string,
  adjustments: HolderPrices['adjustments'],
  line: number,
): readonly SheetRow[] => holderRows(holder, { adjustments, percents: {} }).map((cells) => ({ line, cells }));

/**
 * The line of a row is the place of its product in the list, from 1.
 *
 * @throws Error with every fault, for the person at the terminal.
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
