import type { Campaign } from './campaign';
import { damagedFile } from './disk/damaged-file';

/** All campaigns, in the order in which they run. */
export const campaigns: readonly Campaign[] = [damagedFile];
