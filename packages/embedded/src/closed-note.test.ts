import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { leaveClosedNote, takeClosedNote } from './closed-note';
import { openEmbeddedEventStore } from './event-store';
import { newFolder, removeFolder } from './testing/folder';

/** From here on a file is read whole only where it was not closed in order. It has holes, and takes no room. */
const LARGE_BYTES = 1024 ** 3;

describe('the note that an event store was closed in order', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = newFolder();
    file = path.join(folder, 'events.mdb');
    await openEmbeddedEventStore(folder).close();
    fs.truncateSync(file, LARGE_BYTES);
    leaveClosedNote(folder, file);
  });
  afterEach(() => {
    removeFolder(folder);
  });

  it('saves reading a large file, once', () => {
    expect(takeClosedNote(folder, file)).to.equal(false);
    expect(takeClosedNote(folder, file)).to.equal(true);
  });

  it('says nothing of a file that was written since, even where LMDB has not done it', () => {
    const descriptor = fs.openSync(file, 'r+');
    fs.writeSync(descriptor, 'x', LARGE_BYTES - 1);
    fs.closeSync(descriptor);
    expect(takeClosedNote(folder, file)).to.equal(true);
  });

  it('says nothing of a copy that was put in its place', () => {
    const { atime, mtime } = fs.statSync(file);
    const header = Buffer.alloc(8192);
    const descriptor = fs.openSync(file, 'r');
    fs.readSync(descriptor, header);
    fs.closeSync(descriptor);
    fs.renameSync(file, `${file}.aside`);
    fs.writeFileSync(file, header);
    fs.truncateSync(file, LARGE_BYTES);
    fs.utimesSync(file, atime, mtime);
    expect(takeClosedNote(folder, file)).to.equal(true);
  });
});
