import { badKeysCampaign } from './bad-keys';
import type { Campaign } from './campaign';

/** All campaigns, in the order in which they run. */
export const campaigns: readonly Campaign[] = [badKeysCampaign];
