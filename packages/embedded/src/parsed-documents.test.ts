import path from 'node:path';
import { expect } from 'chai';
import type { Database, RootDatabase } from 'lmdb';
import { openEnvironment } from './environment';
import { createLongDocuments, createParsedDocuments } from './parsed-documents';
import { newFolder, removeFolder } from './testing/folder';

interface Note {
  readonly text: string;
}

describe('documents that are parsed once', () => {
  let folder = '';
  let environment: RootDatabase;
  let close: () => Promise<void>;
  let table: Database<Note, Buffer>;
  const keyOf = (name: string): Buffer => Buffer.from(`key of ${name}`);
  const key = keyOf('a');
  const reading = () => {
    const { find } = createParsedDocuments(table, keyOf);
    return (name: string) => find(name).document;
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

  it('are the same while they stay what they are', () => {
    const read = reading();
    expect(read('a')).to.equal(undefined);
    table.putSync(key, { text: 'Ä' });
    const first = read('a');
    expect(first).to.deep.equal({ text: 'Ä' });
    expect(read('a')).to.equal(first);
  });

  it('are what is stored, also when it is as long as it was, and within the transaction that writes', () => {
    const read = reading();
    for (const text of ['one', 'two', 'three', 'four']) {
      table.putSync(key, { text });
      expect(read('a')).to.deep.equal({ text });
    }
    environment.transactionSync(() => {
      void table.put(key, { text: 'five' });
      expect(read('a')).to.deep.equal({ text: 'five' });
    });
    table.removeSync(key);
    expect(read('a')).to.equal(undefined);
  });

  it('are not parsed after this process has written them, and never found where that was not committed', async () => {
    const { find, put } = createParsedDocuments(table, keyOf);
    const [first, second, third] = ['Ä', 'Ö', 'Ü'].map((text): Note => ({ text })) as [Note, Note, Note];
    await environment.batch(() => {
      put('a', key, first);
    });
    expect(find('a').document).to.equal(first);
    expect(table.get(key)).to.deep.equal(first);
    const aborted = (): void => {
      environment.transactionSync(() => {
        put('a', key, second);
        throw new Error('aborted');
      });
    };
    expect(aborted).to.throw('aborted');
    expect(find('a').document).to.deep.equal(first);
    const batch = environment.batch(() => {
      put('a', key, third);
    });
    expect(find('a').document).to.deep.equal(first);
    await batch;
    expect(find('a').document).to.deep.equal(third);
  });

  it('are read after any number of others, and however large they are', () => {
    const read = reading();
    const large = { text: 'x'.repeat(100_000) };
    environment.transactionSync(() => {
      void table.put(keyOf('large'), large);
      for (let n = 0; n < 2_000; n += 1) void table.put(keyOf(String(n)), { text: String(n) });
    });
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 2_000; n += 1) expect(read(String(n))).to.deep.equal({ text: String(n) });
      expect(read('large')).to.deep.equal(large);
    }
  });

  it('of which few are long are the same while they are long and stay what they are', () => {
    const read = createLongDocuments(table);
    expect(read(key)).to.equal(undefined);
    for (const [text, isRemembered] of [
      ['short', false],
      ['ü'.repeat(2_000), true],
      [`${'ü'.repeat(1_999)}ä`, true],
      ['short again', false],
    ] as const) {
      table.putSync(key, { text });
      const first = read(key);
      expect(first).to.deep.equal({ text });
      expect(read(key) === first).to.equal(isRemembered);
    }
    environment.transactionSync(() => {
      void table.put(key, { text: 'x'.repeat(5_000) });
      expect(read(key)?.text).to.have.length(5_000);
    });
    table.removeSync(key);
    expect(read(key)).to.equal(undefined);
  });
});
