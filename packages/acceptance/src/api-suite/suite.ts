/** The whole HTTP API, for every set of stores alike. */
import type { TestService } from '../testing/test-service';
import { describeApiKeys } from './api-keys';
import { describeBookDetails } from './book-details';
import { describeBookLists } from './book-lists';
import { describeClones } from './clones';
import { describeCompression } from './compression';
import { describeConcurrency } from './concurrency';
import { describeCopies } from './copies';
import { describeCsv } from './csv';
import { describeDatedPrices } from './dated';
import { describeDryRun } from './dry-run';
import { describeEffectivePrices } from './effective-prices';
import { describeFeed } from './feed';
import { describeFollowing } from './following';
import { describeHistory } from './history';
import { describeIdempotency } from './idempotency';
import { asDocumented } from './kit';
import { describeLargeRequests } from './large';
import { describeLists } from './lists';
import { describeManyFollowers } from './many-followers';
import { describePriceBooks } from './price-books';
import { describePriceTags } from './price-tags';
import { describePrices } from './prices';
import { describeProducts } from './products';
import { describeQuotes } from './quotes';
import { describeRealList } from './real-list';
import { describeReasons } from './reasons';
import { describeRequests } from './requests';
import { describeRestoring } from './restore';
import { describeSelectionRules } from './selection-rules';
import { describeTimeline } from './timeline';
import { describeWebhooks } from './webhooks';

/** A service for the tests of one block, each answer of which is held against the document. */
const withService = (start: () => Promise<TestService>): (() => TestService) => {
  let service: TestService | undefined;
  before(async () => {
    service = await asDocumented(await start());
  });
  after(async () => {
    await service?.stop();
    service?.remove();
  });
  return () => {
    if (service === undefined) throw new Error('the service has not started');
    return service;
  };
};

/** Every operation, in requests that take milliseconds. */
export const describeApi = (name: string, start: () => Promise<TestService>): void => {
  describe(`HTTP API: ${name}`, () => {
    const api = withService(start);
    // Some stores look through all that they hold: the lists come at the end.
    describeRequests(api);
    describeApiKeys(api);
    describePriceBooks(api);
    describeBookDetails(api);
    describeClones(api);
    describePrices(api);
    describePriceTags(api);
    describeHistory(api);
    describeFollowing(api);
    describeReasons(api);
    describeFeed(api);
    describeWebhooks(api);
    describeRestoring(api);
    describeTimeline(api);
    describeDatedPrices(api);
    describeQuotes(api);
    describeSelectionRules(api);
    describeEffectivePrices(api);
    describeProducts(api);
    describeIdempotency(api);
    describeDryRun(api);
    describeLists(api);
    describeBookLists(api);
    describeCsv(api);
    describeCompression(api);
  });
};

/**
 * Much at once: large requests, whole price lists, many clients.
 *
 * @param sharesEvents whether another process can serve the same events.
 */
export const describeApiInBulk = (
  name: string,
  start: () => Promise<TestService>,
  sharesEvents = false,
): void => {
  describe(`HTTP API in bulk: ${name}`, () => {
    const api = withService(start);
    describeManyFollowers(api, sharesEvents);
    describeCopies(api);
    describeRealList(api);
    describeLargeRequests(api);
  });

  // With stores of its own: it leaves more behind than such a store looks through in time, and wants little there.
  describe(`HTTP API in bulk: ${name}`, () => {
    describeConcurrency(withService(start));
  });
};
