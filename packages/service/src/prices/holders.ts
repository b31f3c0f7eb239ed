/**
 * The rows of a sheet by product. Where those of a product stand together, as in what is exported, they are taken as they
 * come; only those of products that stand here and there are kept until the end of the file.
 */
import { ALL, holderOf, type SheetRow } from '@pricebook/domain';
import type { SheetPiece } from './sheet-file';

export type HolderRows = [SheetRow, ...SheetRow[]];

/** The holders whose rows are to be kept. */
export type Scattered = ReadonlySet<string>;

/** A part of a text keeps all of the text in memory, and that would be the whole file. */
const ownCopy = (text: string): string => Buffer.from(text).toString();

/** Looks through a whole file, a row after the other. What a book has for all products comes last, wherever it stands. */
export const createScattered = (): {
  readonly add: (row: SheetRow) => void;
  readonly found: () => Scattered;
} => {
  const scattered = new Set<string>();
  const seen = new Set<string>();
  let current: string | undefined;
  return {
    add: (row) => {
      const holder = holderOf(row);
      if (holder === current) return;
      current = ownCopy(holder);
      if (seen.has(current)) scattered.add(current);
      seen.add(current);
    },
    found: () => {
      scattered.delete(ALL);
      // The last in the order of the set.
      return scattered.add(ALL);
    },
  };
};

/** All rows of each holder, some holders at a time, always in the same order. */
export const holdersOf = async function* (
  pieces: AsyncIterable<SheetPiece>,
  scattered: Scattered,
): AsyncGenerator<{ readonly holders: readonly HolderRows[]; readonly piece: SheetPiece }> {
  const kept = new Map<string, SheetRow[]>([...scattered].map((holder) => [holder, []]));
  let current: SheetRow[] = [];
  let last: SheetPiece | undefined;
  const hasRows = (rows: SheetRow[]): rows is HolderRows => rows.length > 0;
  for await (const piece of pieces) {
    const holders: SheetRow[][] = [];
    for (const row of piece.rows) {
      const holder = holderOf(row);
      const others = kept.get(holder);
      const [first] = current;
      if (others !== undefined) others.push(row);
      else if (first !== undefined && holderOf(first) === holder) current.push(row);
      else {
        holders.push(current);
        current = [row];
      }
    }
    yield { holders: holders.filter(hasRows), piece };
    last = piece;
  }
  if (last === undefined) return;
  yield { holders: [current, ...kept.values()].filter(hasRows), piece: { ...last, rows: [], faults: [] } };
};
