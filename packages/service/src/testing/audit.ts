/** What has to hold after faults: of the events, and of what was made of them. */
import { type EventStore, type RecordedEvent, startProjector } from '@pricebook/application';
import { openMongoReadModel } from '@pricebook/mongodb';
import { dumpReadModel, type MongoDbUnderTest, newDatabase } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';

const PAGE = 1_000;

export const allEvents = async (eventStore: EventStore): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await eventStore.readAll(events.at(-1)?.position, PAGE)();
    if (E.isLeft(page)) throw new Error(JSON.stringify(page.left));
    if (page.right.length === 0) return events;
    events.push(...page.right);
  }
};

/** Projects all events into a database, until nothing is left. */
const projectAll = async (eventStore: EventStore, databaseUrl: string): Promise<void> => {
  const head = await eventStore.head()();
  if (E.isLeft(head) || head.right === undefined) throw new Error('there are no events');
  const { right: last } = head;
  const readModel = await openMongoReadModel(databaseUrl, {
    id: undefined,
    end: () => Promise.resolve(last),
  });
  const projector = startProjector(eventStore, readModel, () => undefined);
  try {
    if (!(await projector.waitFor(last, 120_000))) throw new Error(JSON.stringify(projector.status()));
  } finally {
    await projector.close();
    await readModel.close();
  }
};

/** The read model has to be what a fresh one is, document by document. */
export const expectLikeRebuilt = async (
  eventStore: EventStore,
  databaseUrl: string,
  server: Pick<MongoDbUnderTest, 'url'>,
): Promise<void> => {
  await projectAll(eventStore, databaseUrl);
  const fresh = newDatabase(server);
  try {
    await projectAll(eventStore, fresh.url);
    const [found, rebuilt] = await Promise.all([dumpReadModel(databaseUrl), dumpReadModel(fresh.url)]);
    for (const [collection, documents] of Object.entries(rebuilt)) {
      expect(Object.keys(found[collection] ?? {}).sort()).to.deep.equal(Object.keys(documents).sort());
      for (const [name, document] of Object.entries(documents)) {
        expect(found[collection]?.[name], `${collection}: ${name}`).to.deep.equal(document);
      }
    }
  } finally {
    await fresh.remove();
  }
};
