/**
 * `npm run faults`: runs the campaigns in full, or in short, and prints a table of what they found; `--json` also
 * writes it to a file.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import type { Campaign } from './campaign';
import { campaigns } from './campaigns';
import { type CampaignRun, runCampaign } from './run-campaign';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, seed: { type: 'string' }, json: { type: 'string' } },
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const outcomeOf = ({ faults, skipped }: CampaignRun): string => {
  if (faults.length > 0) return `FAILED: ${String(faults.length)}`;
  return skipped === undefined ? 'reached' : `in part: ${skipped}`;
};

const main = async (): Promise<void> => {
  const unknown = positionals.filter((name) => !campaigns.some((campaign) => campaign.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `no campaign is called ${unknown.join(', ')}; there are ${campaigns.map(({ name }) => name).join(', ')}`,
    );
  }
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const size = values.short ? 'short' : 'full';
  const began = new Date().toISOString();
  print(`Campaigns in ${size} form, --seed ${String(seed)}, ${began}`);
  const rows: string[] = ['| campaign | aim | found | outcome | s |', '|---|---|---|---|---|'];
  const runs: (CampaignRun & Pick<Campaign, 'name' | 'title' | 'aim'>)[] = [];
  for (const campaign of campaigns) {
    if (positionals.length > 0 && !positionals.includes(campaign.name)) continue;
    print(`\n${campaign.title} (${campaign.name}) ...`);
    const run = await runCampaign(campaign, size, seed, (sentence) => {
      print(`  ${sentence}`);
    });
    for (const fault of run.faults.slice(0, 20)) print(`  FAULT: ${fault}`);
    const { name, title, aim } = campaign;
    runs.push({ name, title, aim, ...run });
    rows.push(
      `| ${campaign.title} | ${campaign.aim} | ${run.figures} | ${outcomeOf(run)} | ${run.seconds.toFixed(0)} |`,
    );
  }
  print(`\n${rows.join('\n')}`);
  if (values.json !== undefined) {
    fs.writeFileSync(values.json, `${JSON.stringify({ began, size, seed, runs }, undefined, 2)}\n`);
  }
  process.exit(runs.some(({ faults }) => faults.length > 0) ? 1 : 0);
};

void main().catch((failure: unknown) => {
  print(failure instanceof Error ? failure.message : String(failure));
  process.exit(1);
});
