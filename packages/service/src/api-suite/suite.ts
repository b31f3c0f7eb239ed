/** The whole HTTP API, for every set of stores alike. */
import type { TestService } from '../testing/test-service';
import { describeApiKeys } from './api-keys';
import { describeConcurrency } from './concurrency';
import { describeHistory } from './history';
import { describeLargeRequests } from './large';
import { describePriceBooks } from './price-books';
import { describePrices } from './prices';
import { describeQuotes } from './quotes';
import { describeRealList } from './real-list';
import { describeRequests } from './requests';
import { describeTimeline } from './timeline';

export const describeApi = (name: string, start: () => Promise<TestService>): void => {
  describe(`HTTP API: ${name}`, () => {
    let service: TestService | undefined;
    before(async () => {
      service = await start();
    });
    after(async () => {
      await service?.stop();
      service?.remove();
    });
    const api = (): TestService => {
      if (service === undefined) throw new Error('the service has not started');
      return service;
    };

    describeRequests(api);
    describeApiKeys(api);
    describePriceBooks(api);
    describePrices(api);
    describeHistory(api);
    describeTimeline(api);
    describeQuotes(api);
    describeConcurrency(api);
    describeRealList(api);
    describeLargeRequests(api);
  });
};
