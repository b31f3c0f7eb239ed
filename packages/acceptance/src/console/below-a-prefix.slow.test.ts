/** The whole console below the path of a proxy: sign-in, each view, each kind of write, the live history and files. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type PrefixProxy, startPrefixProxy } from '../testing/prefix-proxy';
import { describeConsole } from './console-test';

describeConsole('The console below the path of a proxy', ({ service, open }) => {
  let proxy: PrefixProxy;

  beforeEach(async () => {
    proxy = await startPrefixProxy(service().url, '/shop/prices');
  });
  afterEach(() => {
    proxy.stop();
  });

  const dialogOf = (page: Page) => page.getByRole('dialog');

  const setPrice = async (page: Page, kind: string, amount: string): Promise<void> => {
    await page.getByRole('button', { name: 'Set price' }).click();
    await dialogOf(page).getByRole('textbox', { name: 'Product' }).fill('a lamp/50 %');
    await dialogOf(page).getByRole('textbox', { name: 'Currency' }).fill('USD');
    await dialogOf(page).getByRole('combobox', { name: 'Kind' }).selectOption({ label: kind });
    await dialogOf(page).getByRole('textbox', { name: 'Amount' }).fill(amount);
    await dialogOf(page).getByRole('button', { name: 'Preview' }).click();
    await dialogOf(page).getByRole('region', { name: 'Preview' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
  };

  it('does all that it does elsewhere', async () => {
    const page = await open({ base: proxy.url });
    await page.getByRole('heading', { name: 'Price books' }).waitFor();
    await page.getByRole('button', { name: 'Try it with sample data' }).click();
    await page.getByRole('grid', { name: 'Prices' }).waitFor();

    await page.getByRole('link', { name: 'Price books' }).click();
    await page.getByRole('button', { name: 'New price book' }).click();
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Retail');
    await dialogOf(page).getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Retail' }).waitFor();

    await setPrice(page, 'Fixed price', '100');
    const row = page.getByRole('grid', { name: 'Prices' }).getByRole('row', { name: 'a lamp/50 %' });
    await row.getByText('$100.00').first().waitFor();
    await page.getByRole('searchbox', { name: 'Find product' }).fill('b');
    await page.getByText('No product found').waitFor();
    await page.getByRole('searchbox', { name: 'Find product' }).fill('a l');
    await row.waitFor();

    await page.getByRole('tab', { name: 'All products' }).click();
    await page.getByRole('button', { name: 'Set percent' }).click();
    await dialogOf(page).getByRole('textbox', { name: 'Currency' }).fill('USD');
    await dialogOf(page).getByRole('textbox', { name: 'Amount' }).fill('10');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /^USD \+10/ }).waitFor();

    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Live').waitFor();
    await page.getByText('Changed all products').waitFor();
    const book = /books\/([^/]+)\//.exec(page.url())?.[1] ?? '';
    await service().request('PUT', `/v1/pricebooks/${book}/prices`, {
      json: { productId: 'all', adjustments: { JPY: { type: 'percent', amount: 3 } } },
    });
    await page.getByText('Revision 3').waitFor();

    await page.getByRole('tab', { name: 'Import and export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download prices' }).click();
    expect(fs.readFileSync(await (await download).path(), 'utf8')).to.include('a lamp/50 %,USD,override,100');
    const file = path.join(service().folder, 'prices.csv');
    fs.writeFileSync(file, 'productId,currency,type,amount\ndesk,USD,override,7\n');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a CSV file' }).click();
    await (await chooser).setFiles(file);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported').waitFor();

    await page.getByRole('tab', { name: 'Prices' }).click();
    await page.getByRole('link', { name: 'a lamp/50 %' }).click();
    await page.getByRole('heading', { name: 'a lamp/50 %' }).waitFor();
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('region', { name: 'Explanation' }).getByText('for all products').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('slider').waitFor();

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Web shop');
    await dialogOf(page).getByRole('button', { name: 'Issue', exact: true }).click();
    await dialogOf(page).getByRole('button', { name: 'I have copied the key' }).click();
    await page.getByRole('button', { name: 'Revoke Web shop' }).click();
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API keys yet').waitFor();
  });
});
