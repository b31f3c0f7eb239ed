import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { codeIn, tableRows } from '@pricebook/acceptance';
import { campaigns } from './campaigns';
import { runCampaign } from './run-campaign';

const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 2 ** 31);

describe(`Campaigns of faults, in their short form (FAULTS_SEED=${String(seed)})`, () => {
  for (const campaign of campaigns) {
    it(`${campaign.title}: ${campaign.aim}`, async function () {
      this.timeout(400_000);
      const { faults, skipped, figures } = await runCampaign(campaign, 'short', seed);
      expect(faults, figures).to.deep.equal([]);
      if (skipped !== undefined) {
        process.stdout.write(`      skipped: ${skipped}\n`);
        this.skip();
      }
    });
  }

  it('each has its row in docs/faults.md', () => {
    const page = fs.readFileSync(path.resolve(__dirname, '../../../docs/faults.md'), 'utf8');
    const rows = tableRows(page, ['campaign', 'aim', 'found', 'seconds']);
    const found = rows.map(([campaign = '', aim]) => [codeIn(campaign), aim]);
    expect(found).to.deep.equal(campaigns.map(({ name, aim }) => [name, aim]));
  });
});
