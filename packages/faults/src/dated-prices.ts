/** Random prices with dates over HTTP, beside an oracle that follows the wording of the rule. */
import { agreeOnDatedPrices, startTestService } from '@pricebook/acceptance';
import type { Campaign } from './campaign';
import { figure } from './figures';

const REQUESTS = 25;
const QUESTIONS = 500;

export const datedPrices: Campaign = {
  name: 'dated-prices',
  title: 'random dated adjustments, prices of the past, now and the future, as known at random times',
  aim: '100,000 prices, the oracle and the service agree on each, effective date and end included',
  run: async ({ size, seed, progress }) => {
    const rounds = size === 'full' ? 200 : 4;
    const service = await startTestService();
    const faults: string[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        const found = await agreeOnDatedPrices(service.request, {
          requests: REQUESTS,
          questions: QUESTIONS,
          seed: seed + round,
        });
        faults.push(...found.map((fault) => `round of the seed ${String(seed + round)}: ${fault}`));
        if ((round + 1) % 20 === 0) progress(`${figure((round + 1) * QUESTIONS)} prices`);
      }
    } finally {
      await service.stop();
      service.remove();
    }
    return {
      figures: `${figure(rounds * QUESTIONS)} prices, ${figure(faults.length)} not agreed on`,
      faults,
    };
  },
};
