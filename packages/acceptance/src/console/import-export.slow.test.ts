import fs from 'node:fs';
import { expect } from 'chai';
import type { Download, Page } from 'playwright-core';
import { createBook, describeConsole, reasonsIn, signIn } from './console-test';
import { chooseFile, exportedFrom, HEAD, longFile, revisionOf as revisionAt, setCsv } from './import-test';

const ROWS = 50_000;

const textOf = async (download: Download): Promise<string> => fs.readFileSync(await download.path(), 'utf8');

describeConsole('The console: import and export', ({ service, open, expectFault }) => {
  const create = (name: string): Promise<string> => createBook(service(), name);

  const set = (bookId: string, csv: string) => setCsv(service(), bookId, csv);
  const exported = (bookId: string): Promise<string> => exportedFrom(service(), bookId);
  const revisionOf = (bookId: string): Promise<number> => revisionAt(service(), bookId);
  const choose = (page: Page, csv: string): Promise<void> => chooseFile(page, service(), csv);

  const openTab = (bookId: string, options: { readonly key?: string } = {}): Promise<Page> =>
    open({ view: `#/books/${bookId}/import-export`, ...options });

  it('shows every fault by line and column, and sends nothing', async () => {
    const id = await create('Retail');
    const page = await openTab(id);
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(request.url());
    });
    await choose(
      page,
      `${HEAD},validUntil\nlamp,USD,override,"1,5",\ndesk,XXY,override,3,\nchair,USD,overide,3,\n"<b>,USD,override,3,\nbed,USD,override,4,2001-01-01T00:00:00Z\n`,
    );
    const faults = page.getByRole('region', { name: 'Faults' });
    await faults.getByRole('row', { name: /^2 amount must be a number/ }).waitFor();
    await faults.getByRole('row', { name: /^3 currency/ }).waitFor();
    await faults.getByRole('row', { name: /^4 type .*did you mean "override"/ }).waitFor();
    await faults.getByRole('row', { name: /^5 whole line opens a quote/ }).waitFor();
    await faults.getByRole('row', { name: /^6 validUntil must be after/ }).waitFor();
    await page.getByText('5 faults in').waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).count()).to.equal(0);
    expect(writes).to.deep.equal([]);
    expect(await revisionOf(id)).to.equal(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all faults' }).click();
    expect((await textOf(await saved)).split('\r\n')).to.have.length(6);
  });

  it('shows what would change before it is imported, and imports it', async () => {
    const id = await create('Retail');
    await set(
      id,
      `${HEAD}\nall,USD,percent,5\nlamp,USD,override,10\nlamp,EUR,override,9\ndesk,USD,override,20\n`,
    );
    const tableOf = (price: number): string =>
      `${HEAD},property,value,unitPrice\nrent,USD,enum,,region,EU,${String(price)}\nrent,USD,enum,,region,CH,15\n`;
    await set(id, tableOf(12));
    const before = await revisionOf(id);
    const page = await openTab(id);
    await choose(
      page,
      `${HEAD}\nall,USD,percent,7\nlamp,USD,override,12.5\nlamp,EUR,null,\ndesk,usd,override,20.0\nchair,USD,override,30\n`,
    );
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByRole('row', { name: 'lamp USD Changed $10.00 $12.50' }).waitFor();
    await changes.getByRole('row', { name: 'lamp EUR Removed €9.00 –' }).waitFor();
    await changes.getByRole('row', { name: 'chair USD New – $30.00' }).waitFor();
    await changes.getByRole('row', { name: 'All products USD Changed +5% +7%' }).waitFor();
    expect(await changes.getByRole('row').count()).to.equal(5);
    expect(await revisionOf(id)).to.equal(before);

    await page.getByRole('textbox', { name: 'Reason' }).fill('Spring list');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported prices.csv').waitFor();
    expect((await reasonsIn(service(), id)).at(-1)).to.equal('Spring list');
    const csv = await exported(id);
    for (const line of ['all,USD,percent,7', 'lamp,USD,override,12.5', 'chair,USD,override,30']) {
      expect(csv).to.include(line);
    }
    expect(csv).not.to.include('EUR');

    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, csv);
    await page.getByText('There is nothing to import').waitFor();

    await page.getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, tableOf(13));
    const words = (price: string) =>
      `prices by \u2068region\u2069 (\u2068EU\u2069: ${price}, \u2068CH\u2069: $15.00)`;
    await changes
      .getByRole('row', { name: `rent USD Changed ${words('$12.00')} ${words('$13.00')}` })
      .waitFor();
  });

  it('imports 50,000 rows; goes on after a reload in the middle, and does nothing twice', async function () {
    this.timeout(120_000);
    const id = await create('Retail');
    const page = await openTab(id);
    const csv = longFile(ROWS, (place) => place / 100);
    // Held as a text: its names are those of the page, which gets its turn again and again.
    const turns = page.evaluate<number>(`new Promise((resolve) => {
      let turns = 0;
      const timer = setInterval(() => { turns += 1; });
      addEventListener('checked', () => { clearInterval(timer); resolve(turns); });
    })`);
    await choose(page, csv);
    await page.getByText('50,000 rows of 50,000 products').waitFor();
    await page.evaluate(`dispatchEvent(new Event('checked'))`);
    expect(await turns).to.be.greaterThan(20);
    await page
      .getByRole('region', { name: 'Changes' })
      .getByRole('row', { name: /^product-000000/ })
      .waitFor();

    // The tenth request is done, but its answer never comes: the page is reloaded.
    let puts = 0;
    let lost: () => void = () => undefined;
    const isLost = new Promise<void>((resolve) => {
      lost = resolve;
    });
    await page.route('**/prices', async (route) => {
      if (route.request().method() === 'PUT') puts += 1;
      if (puts !== 10 || route.request().method() !== 'PUT') return route.continue();
      await route.fetch();
      lost();
      return undefined;
    });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await isLost;
    await page.getByRole('progressbar', { name: 'Importing' }).waitFor();
    await page.reload();
    await signIn(page);
    await page.getByText('9 of 25 requests done').waitFor();
    expect(await revisionOf(id)).to.equal(10);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Imported prices.csv').waitFor({ timeout: 60_000 });
    expect(await revisionOf(id)).to.equal(25);

    const lines = (await exported(id)).trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => line.replace(/,+$/, ''))).to.deep.equal(csv.split('\r\n').slice(1));
    // Nothing is left to go on with.
    await page.reload();
    await signIn(page);
    await page.getByRole('button', { name: 'Choose a CSV file' }).waitFor();
  });

  it('waits while the service is busy or away, pauses and goes on', async () => {
    expectFault(/503|ERR_CONNECTION_REFUSED|ERR_FAILED|Failed to load resource/);
    const id = await create('Retail');
    const page = await openTab(id);
    await choose(
      page,
      longFile(ROWS, () => 1),
    );
    await page.getByText('50,000 rows of 50,000 products').waitFor();
    await page.getByText('50,000 changes are shown').waitFor();
    let isAway = true;
    await page.route('**/prices', (route) =>
      isAway && route.request().method() === 'PUT' ? route.abort('connectionrefused') : route.continue(),
    );
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Import paused').waitFor();
    isAway = false;
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Imported prices.csv').waitFor();
    expect(await revisionOf(id)).to.equal(25);
  });

  it('exports what the API answers; imported into another book it is the same', async () => {
    const [id, other] = [await create('Retail'), await create('Other')];
    await set(
      id,
      [
        `${HEAD},property,value,firstUnit,lastUnit,unitPrice,validFrom,validUntil,roundTo,ending`,
        'all,USD,percent,10,,,,,,,,1,0.99',
        '"a, ""quoted"" lamp",EUR,override,45,,,,,,,,,',
        'lamp,USD,override,49.99,,,,,,,,,',
        'lamp,USD,percent,-20,,,,,,,,,',
        'lamp,USD,override,39.99,,,,,,2099-11-27T00:00:00.000Z,2099-11-30T00:00:00.000Z,,',
        'rent,USD,enum,,region,north,,,12,,,,',
        'rent,USD,enum,,region,south,,,11,,,,',
        'seat,USD,volume,,,,1,9,20,,,,',
        'seat,USD,volume,,,,10,,15,,,,',
      ].join('\r\n'),
    );
    const page = await openTab(id);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download prices' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).to.equal('Retail-prices.csv');
    const csv = await textOf(download);
    expect(csv).to.equal(await exported(id));

    await page.getByRole('textbox', { name: 'Currency' }).fill('usd');
    const effective = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download effective prices' }).click();
    expect(await textOf(await effective)).to.match(/^productId,currency,price/);

    const second = await openTab(other);
    await choose(second, csv);
    await second.getByRole('button', { name: 'Import', exact: true }).click();
    await second.getByText('Imported prices.csv').waitFor();
    expect(await exported(other)).to.equal(csv);
  });

  it('offers export alone to a key that may only read', async () => {
    const issued = await service().request('POST', '/v1/api-keys', {
      json: { name: 'reader', scopes: ['read'] },
    });
    const { key } = issued.body as { readonly key: string };
    const page = await openTab(await create('Retail'), { key });
    await page.getByRole('button', { name: 'Download prices' }).waitFor();
    expect(await page.getByRole('button', { name: 'Choose a CSV file' }).count()).to.equal(0);
  });
});
