import type { Campaign } from './campaign';
import { damagedFile } from './disk/damaged-file';
import { disk } from './disk/disk';

/** All campaigns, in the order in which they run. */
export const campaigns: readonly Campaign[] = [damagedFile, disk];
