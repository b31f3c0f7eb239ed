import { MAX_FAULTS } from '@pricebook/domain';
import type { BodyFault } from '../api-error';

/** At most 50: past that the last one counts the rest. */
export const atMostTold = (faults: readonly BodyFault[]): readonly BodyFault[] => {
  const told = faults.slice(0, faults.length > MAX_FAULTS ? MAX_FAULTS - 1 : MAX_FAULTS);
  const more = faults.length - told.length;
  return more > 0 ? [...told, { pointer: '', detail: `holds ${String(more)} more faults` }] : told;
};
