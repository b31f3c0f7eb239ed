import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Campaign, CampaignResult, Size } from './campaign';

export interface CampaignRun extends CampaignResult {
  readonly seconds: number;
}

/** Runs a campaign in a folder of its own; a campaign that throws has failed. */
export const runCampaign = async (
  campaign: Campaign,
  size: Size,
  seed: number,
  progress: (sentence: string) => void = () => undefined,
): Promise<CampaignRun> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `pricebook-faults-${campaign.name}-`));
  const started = performance.now();
  const result = await campaign
    .run({ size, folder, seed, progress })
    .catch((failure: unknown): CampaignResult => ({
      figures: 'broken off',
      faults: [failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)],
    }));
  fs.rmSync(folder, { recursive: true, force: true });
  return { ...result, seconds: (performance.now() - started) / 1_000 };
};
