import fs from 'node:fs';
import path from 'node:path';
import type { Campaign } from '../campaign';
import { figure } from '../figures';
import { createRandom } from '../random';
import { type LaneCounts, runLane } from './lane';
import { newCounts } from './ledger';

/** Kills that one folder sees, so that it does not grow all the while; and folders at once. */
const SIZES = {
  full: { kills: 1_000, killsOfFolder: 50, lanes: 3 },
  short: { kills: 10, killsOfFolder: 5, lanes: 2 },
};
const REPORT_EVERY = 50;

export const kills: Campaign = {
  name: 'kills',
  title: 'SIGKILL under load, acknowledged writes checked after',
  aim: '1,000 kills, 0 lost, 0 invented, 0 gaps',
  run: async ({ size, folder, seed, progress }) => {
    const { kills, killsOfFolder, lanes } = SIZES[size];
    const random = createRandom(seed);
    const faults: string[] = [];
    const counts: LaneCounts = {
      ...newCounts(),
      kills: 0,
      killedAtStart: 0,
      killedCatchingUp: 0,
      prices: 0,
      compared: 0,
    };
    let folders = 0;
    const onKill = (): void => {
      if (counts.kills % REPORT_EVERY !== 0) return;
      progress(
        `${figure(counts.kills)} kills, ${figure(counts.acknowledged)} writes, ${String(faults.length)} faults`,
      );
    };
    const runFolders = async (): Promise<void> => {
      while (folders * killsOfFolder < kills) {
        folders += 1;
        const name = `folder ${String(folders)}`;
        const own = path.join(folder, String(folders));
        fs.mkdirSync(own);
        const tell = (fault: string): void => {
          faults.push(`${name}: ${fault}`);
        };
        await runLane({
          folder: own,
          kills: killsOfFolder,
          random: random.fork(),
          counts,
          tell,
          onKill,
        }).catch((failure: unknown) => {
          tell(failure instanceof Error ? (failure.stack ?? failure.message) : String(failure));
        });
        fs.rmSync(own, { recursive: true, force: true });
      }
    };
    await Promise.all(Array.from({ length: lanes }, runFolders));
    const { killedAtStart, killedCatchingUp, acknowledged, unclear, unclearStored, lost, invented, gaps } =
      counts;
    return {
      figures:
        `${figure(counts.kills)} kills (${figure(killedAtStart)} at the start, ${figure(killedCatchingUp)} ` +
        `catching up), ${figure(acknowledged)} acknowledged writes, ${figure(lost)} lost, ${figure(invented)} ` +
        `invented, ${figure(gaps)} gaps; ${figure(unclear)} not acknowledged, ${figure(unclearStored)} of them ` +
        `kept; ${figure(counts.prices)} prices and ${figure(counts.compared)} whole read models compared`,
      faults,
    };
  },
};
