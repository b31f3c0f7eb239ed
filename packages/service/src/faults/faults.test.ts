import { expect } from 'chai';
import { campaigns } from './campaigns';
import { runCampaign } from './run-campaign';

const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 2 ** 31);

describe(`Campaigns of faults, in their short form (FAULTS_SEED=${String(seed)})`, () => {
  for (const campaign of campaigns) {
    it(`${campaign.title}: ${campaign.aim}`, async function () {
      this.timeout(120_000);
      const { faults, skipped, figures } = await runCampaign(campaign, 'short', seed);
      expect(faults, figures).to.deep.equal([]);
      if (skipped !== undefined) {
        process.stdout.write(`      skipped: ${skipped}\n`);
        this.skip();
      }
    });
  }
});
