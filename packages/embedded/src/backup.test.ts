import fs from 'node:fs';
import path from 'node:path';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { v4 } from 'uuid';
import { backupEvents, FolderNotEmpty, restoreEvents } from './backup';
import { openEmbeddedEventStore } from './event-store';
import { newFolder, removeFolder } from './testing/folder';

describe('a restore', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  it('replaces no events that a tool has written to the folder meanwhile', async () => {
    const [source, backup, target] = ['source', 'backup', 'target'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    fs.mkdirSync(source);
    const eventStore = openEmbeddedEventStore(source);
    const event = { id: v4(), type: 'Appended', data: {}, metadata: {} };
    await succeed(eventStore.append(`priceBook-${v4()}`, 'noStream', [event]));
    await eventStore.close();
    await backupEvents(source, backup);
    const restoring = restoreEvents(backup, target);
    const file = path.join(target, 'events.mdb');
    fs.writeFileSync(file, 'of a tool');
    const failure: unknown = await restoring.catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(FolderNotEmpty);
    expect(fs.readFileSync(file, 'utf8')).to.equal('of a tool');
    expect(fs.readdirSync(target)).to.have.members(['events.mdb', 'serving.lock']);
  });
});
