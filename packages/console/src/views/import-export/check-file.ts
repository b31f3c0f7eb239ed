/** Looks at a whole file before anything of it is sent: what it would set, and everything that is wrong with it. */
import { ALL, holderOf, passedRows, readHolder, type SheetFault, type SheetRow } from '@pricebook/domain';
import { createBreather } from './breather';
import { createPlanner, type PlannedRequest } from './plan-requests';
import { rowsOfFile } from './read-rows';

export interface FaultyFile {
  readonly isFaulty: true;
  /** By line. */
  readonly faults: readonly SheetFault[];
  readonly rows: number;
}

export interface CheckedFile {
  readonly isFaulty: false;
  readonly rows: number;
  readonly products: number;
  /** What holds for all products comes last. */
  readonly requests: readonly PlannedRequest[];
}

type HolderRows = [SheetRow, ...SheetRow[]];

/** What a book has for all products comes last, wherever it is in the file. */
const inOrder = (holders: ReadonlyMap<string, HolderRows>): readonly (readonly [string, HolderRows])[] => {
  const ofAll = holders.get(ALL);
  const products = [...holders].filter(([holder]) => holder !== ALL);
  return ofAll === undefined ? products : [...products, [ALL, ofAll]];
};

/**
 * @param onShare told how much of the work is done, 0 to 1.
 * @param now ISO 8601, UTC; undefined to leave to the service which times have passed.
 */
export const checkFile = async (
  bytes: Uint8Array,
  onShare: (share: number) => void,
  now: string | undefined,
): Promise<FaultyFile | CheckedFile> => {
  const breathe = createBreather();
  const faults: SheetFault[] = [];
  const rowsOf = new Map<string, HolderRows>();
  let rows = 0;
  for await (const piece of rowsOfFile(bytes)) {
    const passed = now === undefined ? [] : passedRows(piece.rows, now);
    for (const fault of [...piece.faults, ...passed]) faults.push(fault);
    for (const row of piece.rows) {
      const holder = holderOf(row);
      const others = rowsOf.get(holder);
      if (others === undefined) rowsOf.set(holder, [row]);
      else others.push(row);
    }
    rows += piece.rows.length;
    onShare(piece.share / 2);
  }
  const planner = createPlanner();
  let done = 0;
  for (const [holder, own] of inOrder(rowsOf)) {
    const read = readHolder(own);
    if (read._tag === 'Left') for (const fault of read.left) faults.push(fault);
    else {
      const detail = planner.add(holder, read.right);
      if (detail !== undefined) faults.push({ line: own[0].line, column: 'productId', detail });
    }
    done += 1;
    if (done % 50 === 0) {
      onShare(0.5 + done / rowsOf.size / 2);
      await breathe();
    }
  }
  if (faults.length === 0 && rows === 0)
    faults.push({ line: 1, detail: 'is the only line: the file sets no price' });
  return faults.length > 0
    ? { isFaulty: true, faults: faults.sort((a, b) => a.line - b.line), rows }
    : {
        isFaulty: false,
        rows,
        products: rowsOf.size - (rowsOf.has(ALL) ? 1 : 0),
        requests: planner.requests(),
      };
};
