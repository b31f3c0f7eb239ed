/**
 * The instant at which a planned price begins, under load on two instances: no answer shows the price before it too late
 * or the price after it too early, and none is an error.
 */
import { eventStoreDbName } from '@pricebook/eventstoredb/testing';
import { mongoDbName, NO_MONGODB } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { onEventStoreDb, onMongoDb, startOn } from './testing/on-servers';
import { startProcess } from './testing/service-process';
import { requestTo, startTestService, TEST_KEY, type TestService } from './testing/test-service';

const CLIENTS = 32;
const BOUNDARIES = 5;
const APART_MS = 400;
/** From when it is planned to when it begins. */
const LEAD_MS = 2_500;

/** The part of a service that the test needs. */
interface Instance {
  readonly request: TestService['request'];
  readonly stop: () => Promise<void>;
}

interface Seen {
  readonly status: number;
  readonly price: number | undefined;
  /** When it was sent and when it was answered. */
  readonly sent: number;
  readonly answered: number;
}

const watch = async (service: Instance, path: string, until: number): Promise<readonly Seen[]> => {
  const seen: Seen[] = [];
  while (Date.now() < until) {
    const sent = Date.now();
    const { status, body } = await service.request('GET', path);
    seen.push({ status, price: (body as { readonly price?: number }).price, sent, answered: Date.now() });
  }
  return seen;
};

const describeBoundaries = (name: string, startTwo: () => Promise<readonly [Instance, Instance]>): void => {
  describe(`Planned prices under load, ${name}`, function () {
    this.timeout(60_000);
    let services: readonly [Instance, Instance];

    before(async () => {
      services = await startTwo();
    });

    after(async () => {
      // The second one first: it uses the stores of the first.
      for (const { stop } of services.toReversed()) await stop();
    });

    it(`begin and end at their instant for ${String(CLIENTS)} clients on both`, async () => {
      const [one, two] = services;
      const { body } = await one.request('POST', '/v1/pricebooks', { json: { name: 'A book' } });
      const path = `/v1/pricebooks/${(body as { readonly id: string }).id}`;
      const start = Date.now() + LEAD_MS;
      const boundaries = Array.from({ length: BOUNDARIES }, (_, place) => start + place * APART_MS);
      const [standing, ...planned] = [undefined, ...boundaries].map((from, place) => ({
        type: 'override',
        amount: place + 1,
        ...(from !== undefined && { validFrom: new Date(from).toISOString() }),
      }));
      const end = start + BOUNDARIES * APART_MS;
      // A sale on top of all: it is over at once, for all.
      const sale = { type: 'percent', amount: 100, validFrom: new Date(end).toISOString() };
      const USD = [standing, ...planned, { ...sale, validUntil: new Date(end + APART_MS).toISOString() }];
      const put = await one.request('PUT', `${path}/prices`, {
        json: [{ productId: 'P', adjustments: { USD } }],
      });
      expect(put.status, JSON.stringify(put.body)).to.equal(200);
      const changes = [...boundaries, end, end + APART_MS];
      const prices = [1, ...boundaries.map((_, place) => place + 2), 2 * (BOUNDARIES + 1), BOUNDARIES + 1];
      expect(Date.now(), 'planned in time').to.be.below(start);

      const all = await Promise.all(
        Array.from({ length: CLIENTS }, (_, client) =>
          watch(client % 2 === 0 ? one : two, `${path}/P/USD`, end + 2 * APART_MS),
        ),
      );
      const seen = all.flat();
      const priceAt = (time: number): number =>
        prices[changes.filter((change) => change <= time).length] ?? NaN;
      const wrong = seen.filter(({ status, price, sent, answered }) => {
        const possible = [sent, answered, ...changes.filter((change) => change > sent && change <= answered)];
        return status !== 200 || !possible.map(priceAt).includes(price ?? NaN);
      });
      expect(wrong.slice(0, 5), `${String(wrong.length)} of ${String(seen.length)} answers`).to.deep.equal(
        [],
      );
      expect(new Set(seen.map(({ price }) => price))).to.have.all.keys([...new Set(prices)]);
    });
  });
};

const embedded = async (): Promise<readonly [Instance, Instance]> => {
  const service = await startTestService();
  const stop = async (): Promise<void> => {
    await service.stop();
    service.remove();
  };
  return [
    { request: service.request, stop },
    { request: service.request, stop: () => Promise.resolve() },
  ];
};

/** The second one is a process of its own. */
const onServers = async (): Promise<readonly [Instance, Instance]> => {
  const service = await startOn(onEventStoreDb, onMongoDb)();
  const { eventStoreDbUrl = '', mongoDbUrl = '' } = service.stores;
  const { ready, child, ended } = startProcess(['serve'], {
    PORT: '0',
    EVENTSTOREDB_URL: eventStoreDbUrl,
    MONGODB_URL: mongoDbUrl,
    PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
  });
  const stopSecond = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const stop = async (): Promise<void> => {
    await service.stop();
    service.remove();
  };
  return [
    { request: service.request, stop },
    { request: requestTo(await ready), stop: stopSecond },
  ];
};

describeBoundaries('embedded', embedded);
if (mongoDbName === undefined)
  it(`Planned prices under load on ${eventStoreDbName} and MongoDB: ${NO_MONGODB}`);
else describeBoundaries(`on ${eventStoreDbName} and ${mongoDbName}, two instances`, onServers);
