import {
  boundedFaults,
  createSheetRows,
  otherFormatOf,
  readRecords,
  readSheet,
  type SetPriceSheet,
  type SheetFault,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { BodyFault, RequestError } from '../api-error';
import type { BodyFormat } from '../body/read-body';
import { decodeLines } from './decode';

/** Where and what, such as `line 7, column amount: is empty`. */
export const faultSentence = ({ line, column, detail }: SheetFault): string =>
  `line ${String(line)}${column === undefined ? '' : `, column ${column}`}: ${detail}`;

/** By line; at most 50: past that the last one counts the rest. */
export const bodyFaults = (faults: readonly SheetFault[]): readonly BodyFault[] =>
  boundedFaults(
    [...faults].sort((a, b) => a.line - b.line),
    (fault): BodyFault => ({
      // No JSON Pointer leads into CSV: it is the one of the whole body, and the place is told beside it.
      pointer: '',
      detail: faultSentence(fault),
      line: fault.line,
      ...(fault.column !== undefined && { column: fault.column }),
    }),
  );

/** What is no CSV is told of that alone: it would be told of a fault in each of its lines. */
const otherBody = (detail: string): E.Left<RequestError> => ({
  _tag: 'Left',
  left: { _tag: 'InvalidBody', faults: [{ pointer: '', detail }] },
});

const readCsv = (bytes: Buffer): E.Either<RequestError, SetPriceSheet> => {
  const otherFormat = otherFormatOf(bytes);
  if (otherFormat !== undefined) return otherBody(otherFormat);
  const { text, faults: faultsOfBytes } = decodeLines(bytes, 1);
  if (/^\s*[[{]/.test(text)) return otherBody('looks like JSON: send it as Content-Type: application/json');
  const sheet = createSheetRows();
  const { rows, faults } = sheet.take(readRecords(text, 1, true));
  const read = readSheet(rows);
  const all = [...faultsOfBytes, ...faults, ...sheet.end(), ...(E.isLeft(read) ? read.left : [])];
  return all.length === 0 && E.isRight(read)
    ? read
    : E.left({ _tag: 'InvalidBody', faults: bodyFaults(all) });
};

/** A price sheet as CSV; every fault at once. */
export const csvFormat: BodyFormat<SetPriceSheet> = {
  mediaType: 'text/csv',
  schema: {
    title: 'PriceSheet',
    type: 'string',
    description:
      'CSV by RFC 4180. The first row names the columns; a row for each product, currency and row of a table, and `all` in the place of a product for all of them.',
    examples: ['productId,currency,type,amount\r\nlamp,USD,override,49.99\r\nlamp,USD,percent,-20\r\n'],
  },
  read: readCsv,
};
