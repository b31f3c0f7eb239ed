/** What has to hold after faults: of the events, and of what was made of them. */
import fs from 'node:fs';
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  replay,
  startProjector,
} from '@pricebook/application';
import { openEmbeddedEventStore, openEmbeddedReadModel } from '@pricebook/embedded';
import { dumpReadModel as dumpFolder } from '@pricebook/embedded/testing';
import { openMongoReadModel } from '@pricebook/mongodb';
import { dumpReadModel, type MongoDbUnderTest, newDatabase } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { newFolder } from './test-service';

const PAGE = 1_000;

/** Those after a position; all of them after none. */
export const eventsAfter = async (
  eventStore: EventStore,
  after: Position | undefined,
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await eventStore.readAll(events.at(-1)?.position ?? after, PAGE)();
    if (E.isLeft(page)) throw new Error(JSON.stringify(page.left));
    if (page.right.length === 0) return events;
    events.push(...page.right);
  }
};

export const allEvents = (eventStore: EventStore): Promise<readonly RecordedEvent[]> =>
  eventsAfter(eventStore, undefined);

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

type Dump = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const expectSame = (found: Dump, rebuilt: Dump): void => {
  for (const [part, documents] of Object.entries(rebuilt)) {
    expect(Object.keys(found[part] ?? {}).sort()).to.deep.equal(Object.keys(documents).sort());
    for (const [name, document] of Object.entries(documents)) {
      expect(found[part]?.[name], `${part}: ${name}`).to.deep.equal(document);
    }
  }
};

/** The read model of a folder that nobody serves has to be what a fresh one is, entry by entry. */
export const expectFolderLikeRebuilt = async (folder: string): Promise<void> => {
  const fresh = newFolder();
  const eventStore = openEmbeddedEventStore(folder, 'read');
  try {
    const head = await eventStore.head()();
    if (E.isLeft(head) || head.right === undefined) throw new Error('there are no events');
    const source = { id: eventStore.id, head: head.right };
    const readModel = await openEmbeddedReadModel(fresh, source, () => undefined);
    const signal = new AbortController().signal;
    const replayed = await replay(eventStore, readModel, { until: head.right, signal })();
    await readModel.close();
    if (E.isLeft(replayed)) throw new Error(JSON.stringify(replayed.left));
    expectSame(await dumpFolder(folder), await dumpFolder(fresh));
  } finally {
    await eventStore.close();
    fs.rmSync(fresh, { recursive: true, force: true });
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
    expectSame(found, rebuilt);
  } finally {
    await fresh.remove();
  }
};
