import path from 'node:path';
import { expect } from 'chai';
import type { Database, RootDatabase } from 'lmdb';
import { openEnvironment } from './environment';
import { createRecentDocuments } from './recent-documents';
import { newFolder, removeFolder } from './testing/folder';

interface Note {
  readonly text: string;
}

const LIMITS = { documents: 100, bytes: 10_000 };

describe('recent documents', () => {
  let folder = '';
  let environment: RootDatabase;
  let close: () => Promise<void>;
  let table: Database<Note, Buffer>;
  const keyOf = (name: string): Buffer => Buffer.from(`key of ${name}`);
  const recent = (limits = LIMITS) => {
    const { find, put, settle } = createRecentDocuments(table, limits);
    return {
      find: (name: string) => find(name, () => keyOf(name)),
      put: (name: string, document: Note) => {
        put(name, keyOf(name), document);
      },
      settle,
    };
  };

  beforeEach(() => {
    folder = newFolder();
    const file = path.join(folder, 'notes.mdb');
    ({ environment, close } = openEnvironment({ file, readOnly: false }, () => undefined));
    table = environment.openDB('notes', { keyEncoding: 'binary', encoding: 'json' });
  });

  afterEach(async () => {
    await close();
    removeFolder(folder);
  });

  it('are looked up once, and so is that there is none', async () => {
    const { find } = recent();
    await table.put(keyOf('a'), { text: 'Ä' });
    const first = find('a');
    expect(first).to.deep.equal({ text: 'Ä' });
    expect(find('a')).to.equal(first);
    expect(find('b')).to.equal(undefined);
    await table.put(keyOf('b'), { text: 'not by this process' });
    expect(find('b')).to.equal(undefined);
  });

  it('are what is stored before a commit and after it, and not looked up again where they were known', async () => {
    const { find, put, settle } = recent();
    const [first, second] = [{ text: 'Ä' }, { text: 'Ö' }];
    expect([find('a'), find('c')]).to.deep.equal([undefined, undefined]);
    const batch = environment.batch(() => {
      put('a', first);
      put('b', first);
    });
    expect([find('a'), find('b'), find('c')]).to.deep.equal([undefined, undefined, undefined]);
    await batch;
    expect([find('a'), find('b')]).to.deep.equal([first, first]);
    settle(true);
    expect(find('a')).to.equal(first);
    expect(find('b')).to.deep.equal(first);
    expect(find('b')).not.to.equal(first);
    environment.transactionSync(() => {
      put('a', second);
      expect(find('a')).to.deep.equal(second);
    });
    settle(true);
    expect(find('a')).to.equal(second);
    expect(find('b')).to.deep.equal(first);
  });

  it('are never those that were not committed', () => {
    const { find, put, settle } = recent();
    environment.transactionSync(() => {
      put('a', { text: 'Ä' });
    });
    settle(true);
    expect(find('a')).to.deep.equal({ text: 'Ä' });
    expect(() => {
      environment.transactionSync(() => {
        put('a', { text: 'Ö' });
        expect(find('a')).to.deep.equal({ text: 'Ö' });
        throw new Error('aborted');
      });
    }).to.throw('aborted');
    expect(find('a')).to.deep.equal({ text: 'Ä' });
    settle(false);
    expect(find('a')).to.deep.equal({ text: 'Ä' });
  });

  it('are found after any number of others, and however large they are', () => {
    const { find, put, settle } = recent();
    const large = { text: 'x'.repeat(100_000) };
    environment.transactionSync(() => {
      put('large', large);
      for (let n = 0; n < 2_000; n += 1) put(String(n), { text: String(n) });
    });
    settle(true);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 2_000; n += 1) expect(find(String(n))).to.deep.equal({ text: String(n) });
      expect(find('large')).to.deep.equal(large);
    }
  });

  it('take no more than they may', () => {
    const { find, put, settle } = recent({ documents: 1_000, bytes: 10_000 });
    environment.transactionSync(() => {
      for (let n = 0; n < 100; n += 1) put(String(n), { text: 'x'.repeat(200) });
    });
    settle(true);
    const first = Array.from({ length: 100 }, (_, n) => find(String(n)));
    const kept = first.filter((document, n) => find(String(n)) === document);
    // From the first on each look-up pushed out one that was still to be asked for.
    expect(kept).to.have.length(0);
    expect(find('99')).to.equal(find('99'));
  });
});
