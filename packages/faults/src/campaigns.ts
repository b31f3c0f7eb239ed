import { badKeysCampaign } from './bad-keys';
import type { Campaign } from './campaign';
import { clock } from './clock/clock';
import { datedPrices } from './dated-prices';
import { deliveries } from './deliveries/deliveries';
import { damagedFile } from './disk/damaged-file';
import { disk } from './disk/disk';
import { failovers } from './failovers/failovers';
import { kills } from './kills/kills';
import { malformed } from './malformed/malformed';
import { otherProcesses } from './other-processes/other-processes';
import { slowClients } from './slow-clients/slow-clients';

/** All campaigns, in the order in which they run. */
export const campaigns: readonly Campaign[] = [
  badKeysCampaign,
  kills,
  deliveries,
  datedPrices,
  clock,
  failovers,
  malformed,
  slowClients,
  damagedFile,
  disk,
  otherProcesses,
];
