/** The service goes away while a price is edited, and comes back: at the same address, with what it had stored. */
import fs from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startProcess } from '../testing/service-process';
import { newFolder, requestTo, TEST_KEY } from '../testing/test-service';
import { createBook, describeConsole } from './console-test';
import { amountBox, dialogOf, openForm, override, press, previewed, saved, setPrices } from './edit-form';

const AWAY = 'The service does not answer';
const KEPT = /^What you typed is kept\./;

describeConsole('The console: a restart of the service', ({ open, expectFault }) => {
  let folder: string;
  let started: Awaited<ReturnType<typeof start>>;

  const start = async (port = '0') => {
    const process = startProcess(['serve'], {
      PORT: port,
      PRICEBOOK_DATA_DIR: folder,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      LOG_LEVEL: 'fatal',
    });
    const url = await process.ready;
    const kill = async () => {
      process.child.kill('SIGKILL');
      await process.ended;
    };
    return { url, request: requestTo(url), kill };
  };

  const startAgain = async (): Promise<void> => {
    started = await start(new URL(started.url).port);
  };

  const pricesSet = async (id: string) => {
    const { body } = await started.request('GET', `/v1/pricebooks/${id}/events`);
    return (body as readonly { readonly type: string }[]).filter(({ type }) => type === 'ProductPricesSet');
  };

  const said = async (page: Page, text: string | RegExp): Promise<void> => {
    await dialogOf(page).getByRole('alert').getByText(text).waitFor();
  };

  beforeEach(async () => {
    folder = newFolder();
    started = await start();
    expectFault(/ERR_|Failed to load|412/);
  });

  afterEach(async () => {
    await started.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('keeps what was typed while it is away, and saves it once', async () => {
    const id = await createBook(started, 'Retail');
    const page = await open({ view: `#/books/${id}`, base: started.url });
    await openForm(page, 'lamp');
    await amountBox(page).fill('20');
    await started.kill();
    for (const button of ['Preview', 'Save', 'Try again']) {
      await press(page, button);
      await said(page, AWAY);
      await said(page, KEPT);
      expect(await amountBox(page).inputValue()).to.equal('20');
    }
    await startAgain();
    expect(await previewed(page)).to.contain('no price $20.00');
    await saved(page);
    expect(await pricesSet(id)).to.have.lengthOf(1);
  });

  it('saves once where it was killed between storing and answering', async () => {
    const id = await createBook(started, 'Retail');
    const page = await open({ view: `#/books/${id}`, base: started.url });
    await openForm(page, 'lamp');
    await amountBox(page).fill('20');
    await page.route('**/prices', async (route) => {
      expect((await route.fetch()).status()).to.equal(200);
      await started.kill();
      await route.abort('connectionreset');
    });
    await press(page, 'Save');
    await said(page, AWAY);
    await page.unroute('**/prices');
    await startAgain();
    expect(await pricesSet(id)).to.have.lengthOf(1);
    expect(await amountBox(page).inputValue()).to.equal('20');
    await saved(page);
    expect(await pricesSet(id)).to.have.lengthOf(1);
  });

  it('does not show a form without what is set now', async () => {
    const id = await createBook(started, 'Retail');
    await setPrices(started, id, override('lamp', 10));
    const page = await open({ view: `#/books/${id}`, base: started.url });
    const grid = page.getByRole('grid', { name: 'Prices' });
    await grid.getByRole('link', { name: 'lamp' }).waitFor();
    await started.kill();
    await grid.press('Enter');
    await said(page, AWAY);
    expect(await amountBox(page).count()).to.equal(0);
    expect(await dialogOf(page).getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);
    await startAgain();
    await press(page, 'Try again');
    await amountBox(page).waitFor();
    expect(await amountBox(page).inputValue()).to.equal('10');
  });
});
