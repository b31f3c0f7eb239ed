/** Looks at a whole file before anything of it is sent: what it would set, and everything that is wrong with it. */
import { MAX_FAULTS, passedRows, type SheetFault } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { createScattered, type Scattered } from './holders';
import { requestsOf } from './requests-of-file';
import type { SheetFile } from './sheet-file';

export interface FaultySheet {
  readonly _tag: 'FaultySheet';
  /** The first ones by line. */
  readonly faults: readonly SheetFault[];
  readonly faultCount: number;
  readonly rows: number;
}

/** So many requests, and the products in them. */
export interface Extent {
  readonly requests: number;
  readonly products: number;
}

export interface CheckedSheet {
  /** Tells the bytes of the file from others. */
  readonly hash: string;
  readonly scattered: Scattered;
  readonly rows: number;
  readonly whole: Extent;
}

interface Faults {
  readonly add: (faults: readonly SheetFault[]) => void;
  readonly count: () => number;
  readonly first: () => readonly SheetFault[];
}

/** Keeps the first faults by line, however many there are. */
const createFaults = (): Faults => {
  let kept: SheetFault[] = [];
  let count = 0;
  const cut = (): void => {
    kept = kept.sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
  };
  return {
    add: (faults) => {
      for (const fault of faults) {
        kept.push(fault);
        if (kept.length > 20 * MAX_FAULTS) cut();
      }
      count += faults.length;
    },
    count: () => count,
    first: () => {
      cut();
      return kept;
    },
  };
};

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** What ends until then is refused, as the service would: ISO 8601, UTC. */
  readonly now: string;
  /** Told how many rows have been seen, and how much of the work is done, 0 to 1. */
  readonly onChecked: (rows: number, share: number) => void;
}

/** @throws Error what reading the file throws. */
export const checkSheet = async (
  file: SheetFile,
  { signal, now, onChecked }: CheckOptions,
): Promise<E.Either<FaultySheet | { readonly _tag: 'Interrupted' }, CheckedSheet>> => {
  const interrupted = E.left({ _tag: 'Interrupted' as const });
  const half = (bytes: number): number => (file.size === 0 ? 0.5 : bytes / file.size / 2);
  const scattered = createScattered();
  const faults = createFaults();
  let rows = 0;
  for await (const piece of file.pieces()) {
    if (signal.aborted) return interrupted;
    piece.rows.forEach(scattered.add);
    faults.add(passedRows(piece.rows, now));
    rows += piece.rows.length;
    onChecked(rows, half(piece.bytes));
  }
  let requests = 0;
  let products = 0;
  for await (const piece of requestsOf(file, scattered.found())) {
    if (signal.aborted) return interrupted;
    faults.add(piece.faults);
    for (const request of piece.requests) {
      requests += 1;
      products += request.products;
    }
    onChecked(rows, 0.5 + half(piece.bytes));
  }
  if (faults.count() > 0) {
    return E.left({ _tag: 'FaultySheet', faults: faults.first(), faultCount: faults.count(), rows });
  }
  const hash = await file.hash();
  return E.right({ hash, scattered: scattered.found(), rows, whole: { requests, products } });
};
