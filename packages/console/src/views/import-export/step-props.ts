import type { ImportState } from './import-state';
import type { Import } from './use-import';

/** What the view of one step of an import is given. */
export interface StepProps<Name extends ImportState['step']> {
  readonly state: Extract<ImportState, { readonly step: Name }>;
  readonly actions: Import;
}
