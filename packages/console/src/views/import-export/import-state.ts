/** What an import shows at each moment. */
import type { SheetFault } from '@pricebook/domain';
import type { Problem } from '../../api/client';
import type { CheckedFile } from './check-file';
import type { Comparison } from './compare';
import type { FileFault } from './faults-in-file';
import type { StoredImport } from './stored-import';

/**
 * Why an import that has begun is compared once more before it goes on: this page plans other requests than before, or
 * the service would not recognize the request whose answer is missing.
 */
export type Again = 'plan' | 'key' | 'age';

export interface Chosen {
  readonly fileName: string;
  readonly file: Blob;
  readonly checked: CheckedFile;
  /** The requests that are done already. */
  readonly from: number;
  /** Undefined for what has not begun yet. */
  readonly again: Again | undefined;
  /** Why, where it was begun before. */
  readonly reason: string;
}

export interface Sending {
  readonly stored: StoredImport;
  readonly checked: CheckedFile;
  /** Whether it goes on after a reload. */
  readonly isKept: boolean;
}

export interface Refused {
  readonly problem: Problem;
  /** Those that are about lines of the file. */
  readonly faults: readonly FileFault[];
}

export type ImportState =
  | { readonly step: 'loading' }
  | { readonly step: 'idle' }
  /** An import that was begun before, and can go on. */
  | { readonly step: 'interrupted'; readonly stored: StoredImport }
  | { readonly step: 'checking'; readonly fileName: string; readonly share: number }
  | { readonly step: 'unreadable'; readonly fileName: string }
  /** A part of the page could not be loaded, as after an update of the service. */
  | { readonly step: 'outdated' }
  | {
      readonly step: 'faulty';
      readonly fileName: string;
      readonly faults: readonly SheetFault[];
      readonly rows: number;
    }
  | ({
      readonly step: 'ready';
      /** Undefined while the book is read. */
      readonly comparison: Comparison | undefined;
      readonly problem: Problem | undefined;
    } & Chosen)
  | ({ readonly step: 'sending'; readonly waitsFor: Problem | undefined } & Sending)
  | ({ readonly step: 'paused'; readonly refused: Refused | undefined } & Sending)
  | { readonly step: 'done'; readonly fileName: string; readonly checked: CheckedFile };
