import fs from 'node:fs';
import path from 'node:path';
import { failWith, succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { openEmbeddedKeyUses } from './key-uses';
import { newFolder, removeFolder } from './testing/folder';

const AT = '2026-01-01T12:00:00.000Z';

describe('the file of the uses of keys', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = path.join(folder, 'key-uses.json');
  });
  afterEach(() => {
    removeFolder(folder);
  });

  it('is begun anew where it is damaged, which is reported', async () => {
    for (const content of ['', '{"a":', '[]', 'null', '7']) {
      fs.writeFileSync(file, content);
      const reports: string[] = [];
      const uses = openEmbeddedKeyUses(folder, (message) => reports.push(message));
      expect(await succeed(uses.readAll), content).to.have.property('size', 0);
      expect(reports[0]).to.include(file);
      await succeed(uses.record(new Map([['a', AT]])));
      expect([...(await succeed(uses.readAll))]).to.deep.equal([['a', AT]]);
    }
  });

  it('passes over what is no time', async () => {
    fs.writeFileSync(file, JSON.stringify({ a: AT, b: 'never', c: 7, d: null }));
    const uses = openEmbeddedKeyUses(folder, () => undefined);
    expect([...(await succeed(uses.readAll))]).to.deep.equal([['a', AT]]);
  });

  it('is what it was where a new one could not be written, and is written when it can be', async () => {
    const uses = openEmbeddedKeyUses(folder, () => undefined);
    await succeed(uses.record(new Map([['a', AT]])));
    // A folder in the place of the draft: nothing can be written there, also by who may write anything.
    fs.mkdirSync(`${file}.new`);
    expect(await failWith(uses.record(new Map([['b', AT]])))).to.include({ _tag: 'StoreUnavailable' });
    expect([...(await succeed(uses.readAll))]).to.deep.equal([['a', AT]]);
    fs.rmdirSync(`${file}.new`);
    await succeed(uses.record(new Map([['b', AT]])));
    expect((await succeed(uses.readAll)).size).to.equal(2);
    expect(fs.readdirSync(folder)).to.deep.equal(['key-uses.json']);
  });
});
