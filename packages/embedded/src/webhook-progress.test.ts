import fs from 'node:fs';
import path from 'node:path';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { newFolder, removeFolder } from './testing/folder';
import { openEmbeddedWebhookProgress } from './webhook-progress';

describe('the file of the progress of webhooks', () => {
  const folder = newFolder();
  const file = path.join(folder, 'webhooks.db');
  after(() => {
    removeFolder(folder);
  });

  it('is there once it is needed, and is moved aside where it is damaged', async () => {
    const reports: string[] = [];
    const store = openEmbeddedWebhookProgress(folder, (message) => reports.push(message));
    expect(fs.existsSync(file)).to.equal(false);
    await succeed(store.read('a'));
    store.close();
    fs.writeFileSync(file, Buffer.alloc(8_192, 'no database'));
    expect(await succeed(store.read('a'))).to.equal(undefined);
    store.close();
    expect(reports).to.have.length(1);
    expect(reports[0]).to.include(file);
    expect(fs.readFileSync(`${file}.damaged`, 'utf8')).to.include('no database');
  });
});
