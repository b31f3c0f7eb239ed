/** Faults that the service finds in a request of an import, as faults of the file that the request was cut from. */
import { currencyCodec, holderOf, readTime, type SheetFault, type SheetRow } from '@pricebook/domain';
import type { Fault } from '../../api/client';
import type { PlannedRequest } from './plan-requests';
import { createRowReader, rowsOfFile } from './read-rows';

export interface FileFault extends SheetFault {
  /** Whose row it is: a product's, or that of all products. */
  readonly holder: string;
}

/** What rows of one adjustment have in common, however a file writes it: requests keep their order among themselves. */
const placeOf = (row: SheetRow): string => {
  const { currency, type, validFrom, validUntil } = row.cells;
  const read = currencyCodec.decode(currency);
  return JSON.stringify([
    holderOf(row),
    read._tag === 'Right' ? read.right : currency,
    type,
    readTime(validFrom),
    readTime(validUntil),
  ]);
};

const byPlace = (rows: Iterable<SheetRow>, places: Map<string, SheetRow[]>): void => {
  for (const row of rows) {
    const place = placeOf(row);
    const others = places.get(place);
    if (others === undefined) places.set(place, [row]);
    else others.push(row);
  }
};

const isColumn = (row: SheetRow, column: string | undefined): column is keyof SheetRow['cells'] =>
  column !== undefined && column in row.cells;

/** @returns those that name a line of the request; the others say nothing about the file. */
export const faultsInFile = async (
  file: Blob,
  request: PlannedRequest,
  errors: readonly Fault[],
): Promise<readonly FileFault[]> => {
  if (errors.every(({ line }) => line === undefined)) return [];
  const requested = new Map<string, SheetRow[]>();
  const { rows } = createRowReader()(request.csv, true);
  byPlace(rows, requested);
  const given = new Map<string, SheetRow[]>();
  for await (const some of rowsOfFile(new Uint8Array(await file.arrayBuffer()))) {
    byPlace(
      some.rows.filter((row) => requested.has(placeOf(row))),
      given,
    );
  }
  return errors.flatMap(({ line, column, detail }) => {
    const row = rows.find((one) => one.line === line);
    if (row === undefined) return [];
    const place = placeOf(row);
    const from = given.get(place)?.[requested.get(place)?.indexOf(row) ?? -1];
    return from === undefined
      ? []
      : [
          {
            line: from.line,
            ...(isColumn(row, column) && { column }),
            // It says where in the request before it says what.
            detail: detail.replace(/^line \d+(, column \w+)?: /, ''),
            holder: holderOf(row),
          },
        ];
  });
};
