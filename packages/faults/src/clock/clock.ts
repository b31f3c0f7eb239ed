import type { Campaign } from '../campaign';
import { createClient } from '../client';
import { figure } from '../figures';
import { createRandom } from '../random';
import { type Instances, SET_EVERY_MS, startEmbedded, startTwoOnServers } from './instances';
import { judge } from './judge';
import { checkKeys } from './keys';
import { makeBooks, runLoad } from './load';
import { checkOutage } from './outage';

/** For how long, on a folder and on servers. */
const SIZES = {
  full: { onFolder: 60_000, onServers: 20_000, questions: 60 },
  short: { onFolder: 4_000, onServers: 4_000, questions: 15 },
};

export const clock: Campaign = {
  name: 'clock',
  title: 'clock set back and forward an hour during writes',
  aim: 'order and effectiveDate stay monotonic per book',
  run: async ({ size, folder, seed, progress }) => {
    const { onFolder, onServers, questions } = SIZES[size];
    const random = createRandom(seed);
    const faults: string[] = [];
    const done: string[] = [];

    const runOn = async ({ name, urls, outages, stop }: Instances, milliseconds: number): Promise<void> => {
      const tell = (fault: string): void => {
        faults.push(`${name}: ${fault}`);
      };
      const [first, ...others] = urls;
      const client = createClient(first);
      const clients = [client, ...others.map(createClient)];
      try {
        const books = await makeBooks(client);
        const { acknowledged, looks } = await runLoad(clients, books, milliseconds, random, tell);
        await checkKeys(clients, tell);
        let refused = 0;
        for (const outage of outages) refused += await checkOutage(clients, books, outage, tell);
        await judge(client, books, acknowledged, questions, random, tell);
        const times = figure(Math.floor((milliseconds / SET_EVERY_MS) * urls.length));
        done.push(
          `${name}: set ${times} times, ${figure(acknowledged.length)} writes, ${figure(looks)} looks, ` +
            `${figure(questions)} prices at times` +
            (outages.length === 0
              ? ''
              : `, ${figure(refused)} writes answered in time while the event store was away`),
        );
        progress(done.at(-1) ?? '');
      } catch (failure) {
        tell(failure instanceof Error ? (failure.stack ?? failure.message) : String(failure));
      } finally {
        for (const one of clients) one.close();
        faults.push(...(await stop()));
      }
    };

    await runOn(await startEmbedded(folder, random), onFolder);
    const two = await startTwoOnServers(folder, random);
    if (two !== undefined) await runOn(two, onServers);
    return {
      figures: `${done.join('; ')}; ${figure(faults.length)} out of order, late or refused`,
      faults,
      ...(two === undefined && { skipped: 'no MongoDB: one instance' }),
    };
  },
};
