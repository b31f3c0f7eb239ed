import { expect } from 'chai';
import { agreeOnDatedPrices } from './testing/dated-agreement';
import { startTestService, type TestService } from './testing/test-service';

const ROUNDS = 5;
/** That of the run, which its end prints. */
const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 1);

describe('Prices with dates, over HTTP', () => {
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });

  after(async () => {
    await service.stop();
    service.remove();
  });

  for (let round = 0; round < ROUNDS; round += 1) {
    it(`are what the rule says: 400 random ones, round ${String(round + 1)}`, async () => {
      const seed = SEED + round;
      const faults = await agreeOnDatedPrices(service.request, { requests: 25, questions: 400, seed });
      expect(faults, `seed ${String(seed)}`).to.deep.equal([]);
    });
  }
});
