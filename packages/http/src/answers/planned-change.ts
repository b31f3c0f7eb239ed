import { oneOf } from '@pricebook/domain';

/** What a dated adjustment does at one of its bounds. */
export const plannedChangeCodec = oneOf('PlannedChange', ['begins', 'ends']);
