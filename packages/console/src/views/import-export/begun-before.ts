/** Whether an import that was begun before can just go on: what has been sent must not be sent as something new. */
import type { CheckedFile } from './check-file';
import type { Again } from './import-state';
import type { StoredImport } from './stored-import';

/** The service remembers for 24 hours what it has done for a key (docs/api.md); clocks differ. */
const REMEMBERED_MS = 23 * 3_600_000;

export const planOf = ({ requests }: CheckedFile): readonly string[] => requests.map(({ mark }) => mark);

/** @returns undefined where it can go on as it is. */
export const whyAgain = (
  { plan, keyId: before, at }: StoredImport,
  checked: CheckedFile,
  keyId: string,
): Again | undefined => {
  if (planOf(checked).join() !== plan.join()) return 'plan';
  if (keyId !== before) return 'key';
  const age = Date.now() - at;
  return age >= 0 && age < REMEMBERED_MS ? undefined : 'age';
};
