import { holderOf, readHolder, type SheetFault } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { holdersOf, type Scattered } from './holders';
import { createPacker, type ImportRequest } from './requests';
import type { SheetFile } from './sheet-file';

interface SomeRequests {
  readonly requests: readonly ImportRequest[];
  /** What is wrong with the part of the file that they are of; the requests leave that out. */
  readonly faults: readonly SheetFault[];
  /** How far the file has been read. */
  readonly bytes: number;
}

/** The requests of a file in their order, some at a time, alike each time. */
export const requestsOf = async function* (
  file: Pick<SheetFile, 'pieces'>,
  scattered: Scattered,
): AsyncGenerator<SomeRequests> {
  const packer = createPacker();
  let bytes = 0;
  for await (const { holders, piece } of holdersOf(file.pieces(), scattered)) {
    const requests: ImportRequest[] = [];
    const faults: SheetFault[] = [...piece.faults];
    for (const rows of holders) {
      const [first] = rows;
      const read = readHolder(rows);
      if (E.isLeft(read)) {
        for (const fault of read.left) faults.push(fault);
        continue;
      }
      const { full, tooLarge } = packer.add(holderOf(first), read.right);
      requests.push(...full);
      for (const detail of tooLarge) faults.push({ line: first.line, column: 'productId', detail });
    }
    ({ bytes } = piece);
    yield { requests, faults, bytes };
  }
  yield { requests: packer.end(), faults: [], bytes };
};
