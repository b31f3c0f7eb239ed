/** Whose events a server holds. Needs the stand-in, of which there may be two. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { openEventStoreDb } from './event-store';
import { startStandIn } from './testing/stand-in/stand-in';

const EVENT = {
  id: '01a1fced-c116-737b-90d3-d0ce7dc012dc',
  type: 'SomethingHappened',
  data: {},
  metadata: {},
};

/** The identity of the events in a data file, after an append to it where it has none yet. */
const identityOf = async (dataFile: string): Promise<string | undefined> => {
  const standIn = await startStandIn({ dataFile });
  const eventStore = openEventStoreDb(standIn.url, ['priceBook-']);
  try {
    if ((await succeed(eventStore.head())) === undefined) {
      expect(await eventStore.identity()).to.equal(undefined);
      await succeed(eventStore.append('priceBook-x', 'noStream', [EVENT]));
    }
    return await eventStore.identity();
  } finally {
    await eventStore.close();
    await standIn.stop();
  }
};

describe('the identity of the events (stand-in)', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-identity-'));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('stays over a restart of the server, and is another where the same events were appended again', async () => {
    const file = path.join(folder, 'events.jsonl');
    const first = await identityOf(file);
    expect(first).to.include(EVENT.id);
    expect(await identityOf(file)).to.equal(first);
    expect(await identityOf(path.join(folder, 'copy.jsonl'))).not.to.equal(first);
  });
});
