import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createBook, describeConsole, signIn } from './console-test';

interface Created {
  readonly id: string;
  readonly key: string;
}

const DAY = 86_400_000;

/** A time as it is typed into a box for local times. */
const typed = (page: Page, time: number): Promise<string> =>
  page.evaluate((ms) => {
    const offset = new Date(ms).getTimezoneOffset() * 60_000;
    return new Date(ms - offset).toISOString().slice(0, 16);
  }, time);

const view = (bookId: string, productId: string): string =>
  `#/books/${bookId}/products/${encodeURIComponent(productId)}`;

describeConsole('The console: a product', ({ service, open, expectFault }) => {
  const book = (name: string, basePriceBookId?: string): Promise<string> =>
    createBook(service(), name, basePriceBookId);

  const put = async (bookId: string, json: unknown, reason?: string): Promise<void> => {
    const { status } = await service().request('PUT', `/v1/pricebooks/${bookId}/prices`, {
      json,
      ...(reason !== undefined && { headers: { 'Change-Reason': reason } }),
    });
    expect(status).to.equal(200);
  };

  const set = (bookId: string, productId: string, adjustment: object, reason?: string): Promise<void> =>
    put(bookId, [{ productId, adjustments: { USD: adjustment } }], reason);

  /** A chain of two books with a gap in the price, and a sale that is planned. */
  const story = async () => {
    const now = Date.now();
    service().stopClockAt(now - 10 * DAY);
    const base = await book('Retail');
    await set(base, 'lamp', { type: 'override', amount: 40 }, 'First list');
    const partners = await book('Partners', base);
    service().stopClockAt(now - 8 * DAY);
    await put(
      partners,
      { productId: 'all', adjustments: { USD: { type: 'percent', amount: 7.5 } } },
      'Transport',
    );
    service().stopClockAt(now - 6 * DAY);
    await service().request('DELETE', `/v1/pricebooks/${base}/prices`, { json: ['lamp'] });
    service().stopClockAt(now - 4 * DAY);
    await set(base, 'lamp', { type: 'override', amount: 49.99 });
    service().stopClockAt(now);
    const [from, until] = [now + 2 * DAY, now + 5 * DAY].map((time) => new Date(time).toISOString());
    await set(partners, 'lamp', { type: 'percent', amount: -20, validFrom: from, validUntil: until });
    return { now, base, partners };
  };

  it('explains a price from list price to answer, now, in the past and as it is planned', async () => {
    expectFault(/404/);
    const { now, base, partners } = await story();
    const page = await open({ view: view(partners, 'lamp') });
    await page.getByRole('heading', { name: 'lamp', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Price now' }).getByText('$53.74').waitFor();
    await page.getByText('valid until').waitFor();
    await page.getByText('-20%').first().waitFor();

    const own = page.getByRole('region', { name: 'Set in this book' });
    await own.getByText('+7.5% for all products').waitFor();
    await own.getByText('Nothing').waitFor({ state: 'detached' });
    const toAll = own.getByRole('link', { name: 'all products' });
    expect(await toAll.getAttribute('href')).to.equal(`#/books/${partners}/all-products`);

    const explanation = page.getByRole('region', { name: 'Explanation' });
    await page.getByRole('button', { name: 'Explain' }).click();
    const steps = explanation.getByRole('listitem');
    await steps.nth(2).waitFor();
    const [first = '', second = '', third = ''] = await steps.allInnerTexts();
    expect(first).to.include('List price in Retail').and.to.include('$49.99').and.to.include('Bootstrap key');
    expect(second).to.include('+7.5% for all products').and.to.include('Transport').and.to.include('+$3.75');
    expect(second).to.include('Exactly 53.73925, rounded to 2 digits');
    expect(third).to.include('Price').and.to.include('$53.74');
    expect(await explanation.getByRole('link', { name: 'Retail' }).getAttribute('href')).to.include(base);

    const at = page.getByLabel('At', { exact: true });
    await at.fill(await typed(page, now + 3 * DAY));
    await page.getByRole('button', { name: 'Explain' }).click();
    await explanation.getByText('-20% for this product').waitFor();
    await explanation.getByText('$39.99').first().waitFor();

    await at.fill(await typed(page, now - 9 * DAY));
    await page.getByRole('button', { name: 'Explain' }).click();
    await explanation.getByText('First list').waitFor();
    await explanation.getByText('Partners leaves the price of its base as it is').waitFor();

    await at.fill(await typed(page, now - 5 * DAY));
    await page.getByRole('button', { name: 'Explain' }).click();
    await explanation.getByText('There is no price for this').waitFor();
  });

  it('shows the price over time by keyboard, and in a table', async () => {
    const { partners } = await story();
    const page = await open({ view: view(partners, 'lamp') });
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const table = timeline.getByRole('table', { name: 'Price changes' });
    await table.waitFor();
    const rows = await table.getByRole('row').allInnerTexts();
    const prices = rows.slice(1).map((row) => /\$[\d.]+|No price/.exec(row)?.[0]);
    expect(prices).to.deep.equal(['$53.74', '$39.99', '$53.74', 'No price', '$43.00', '$40.00']);
    expect(rows.filter((row) => row.includes('Planned\n') || row.includes('Planned\t'))).to.have.lengthOf(2);

    const slider = timeline.getByRole('slider', { name: 'Change' });
    await slider.focus();
    expect(await slider.getAttribute('aria-valuenow')).to.equal('4');
    await page.keyboard.press('ArrowLeft');
    expect(await slider.getAttribute('aria-valuetext'))
      .to.include('No price')
      .and.to.include('deleted');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext'))
      .to.include('$39.99')
      .and.to.include('Planned');
    await page.keyboard.press('Home');
    expect(await slider.getAttribute('aria-valuetext')).to.include('$40.00');
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuenow')).to.equal('6');
    await slider.hover({ position: { x: 90, y: 100 } });
    await timeline.getByText('Change 1 of 6').waitFor();
  });

  it('asks for what the tables ask for, and says what to enter', async () => {
    const base = await book('Retail');
    const values = [
      { value: 'EU', unitPrice: 45 },
      { value: 'CH', unitPrice: 51.5 },
    ];
    const inEuro = values.map(({ value }, index) => ({ value, unitPrice: 40 + 4 * index }));
    const table = { type: 'enum', property: 'region' };
    const adjustments = { USD: { ...table, values }, EUR: { ...table, values: inEuro } };
    await put(base, [{ productId: 'lamp', adjustments }]);
    const tiers = [
      { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
      { firstUnit: 10, lastUnit: null, unitPrice: 17.5 },
    ];
    await set(base, 'seat', { type: 'volume', tiers });
    const partners = await book('Partners', base);

    const page = await open({ view: view(partners, 'lamp') });
    const explanation = page.getByRole('region', { name: 'Explanation' });
    const currency = page.getByRole('combobox', { name: 'Currency' });
    await currency.selectOption('USD');
    await explanation.getByText('The price depends on region').waitFor();
    await explanation.getByText('One of: \u2068EU\u2069, \u2068CH\u2069').waitFor();
    await page.getByRole('textbox', { name: 'region' }).fill('CH');
    await page.getByRole('button', { name: 'Explain' }).click();
    await explanation.getByText('here for region CH').waitFor();
    await page.getByRole('region', { name: 'Price now' }).getByText('$51.50').waitFor();
    await page.getByRole('row', { name: /\$51\.50/ }).waitFor();
    await currency.selectOption('EUR');
    await page.getByRole('region', { name: 'Price now' }).getByText('€44.00').waitFor();
    expect(await page.getByRole('textbox', { name: 'region' }).inputValue()).to.equal('CH');
    expect(page.url()).to.match(/\/products\/lamp\?currency=EUR$/);
    await page.reload();
    await signIn(page);
    await explanation.getByText('The price depends on region').waitFor();
    expect(await currency.inputValue()).to.equal('EUR');
    await currency.selectOption('USD');

    await page.goto(`${service().url}/console${view(partners, 'seat')}`);
    await page.getByRole('heading', { name: 'seat', level: 1 }).waitFor();
    await page.getByRole('textbox', { name: 'Quantity' }).fill('many');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Enter a number above 0').waitFor();
    await page.getByRole('textbox', { name: 'Quantity' }).fill('12');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('region', { name: 'Price now' }).getByText('$17.50').waitFor();
  });

  it('asks for what a table asked for that is no more', async () => {
    expectFault(/400/);
    const now = Date.now();
    service().stopClockAt(now - 4 * DAY);
    const base = await book('Retail');
    const values = [{ value: 'EU', unitPrice: 45 }];
    await set(base, 'lamp', { type: 'enum', property: 'region', values });
    service().stopClockAt(now - 2 * DAY);
    await set(base, 'lamp', { type: 'override', amount: 50 });
    service().stopClockAt(now);
    const page = await open({ view: view(base, 'lamp') });
    await page.getByRole('region', { name: 'Price now' }).getByText('$50.00').waitFor();
    await page.getByRole('row', { name: /Depends/ }).waitFor();
    await page.getByLabel('At', { exact: true }).fill(await typed(page, now - 3 * DAY));
    await page.getByRole('button', { name: 'Explain' }).click();
    const explanation = page.getByRole('region', { name: 'Explanation' });
    await explanation.getByText('The price depends on region').waitFor();
    await page.getByRole('textbox', { name: 'region' }).fill('EU');
    await page.getByRole('button', { name: 'Explain' }).click();
    await explanation.getByText('here for region EU').waitFor();
    await page.getByRole('row', { name: /\$45\.00/ }).waitFor();
    await page.getByRole('textbox', { name: 'region' }).fill('US');
    await page.getByRole('button', { name: 'Explain' }).click();
    expectFault(/404/);
    await explanation.getByText('There is no price for this').waitFor();
    await page.getByRole('row', { name: /No price/ }).waitFor();
  });

  it('names who set a price to those who may know it, and what comes from the base', async () => {
    const issue = async (name: string, scope: string): Promise<Created> =>
      (await service().request('POST', '/v1/api-keys', { json: { name, scopes: [scope] } })).body as Created;
    const [ada, reader] = [await issue('Ada', 'write'), await issue('reader', 'read')];
    const base = await book('Retail');
    const partners = await book('Partners', base);
    await service().request('PUT', `/v1/pricebooks/${base}/prices`, {
      json: [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount: 40 } } }],
      headers: { 'x-api-key': ada.key },
    });
    for (const [key, who] of [
      [undefined, 'Ada'],
      [reader.key, `key ${ada.id}`],
    ] as const) {
      const page = await open({ view: view(partners, 'lamp'), ...(key !== undefined && { key }) });
      await page.getByRole('region', { name: 'Explanation' }).getByText(`by ${who}`).waitFor();
      await page.getByRole('cell', { name: who, exact: true }).waitFor();
      const own = page.getByRole('region', { name: 'Set in this book' });
      await own.getByText('Nothing for this product itself. Its price comes from Retail.').waitFor();
    }
  });

  it('shows ids of any characters as they are, and a product that the book does not know', async () => {
    const base = await book('Retail');
    const ids = ['<script>alert(1)</script>', 'a/b?c#d%2F&=', '\u202Eright to left\u200F', 'W'.repeat(256)];
    await put(
      base,
      ids.map((productId) => ({ productId, adjustments: { USD: { type: 'override', amount: 5 } } })),
    );
    const page = await open({ view: view(base, ids[0] ?? ''), width: 360 });
    for (const id of ids) {
      await page.goto(`${service().url}/console${view(base, id)}`);
      const heading = page.getByRole('heading', { level: 1 }).filter({ hasText: id });
      await heading.waitFor();
      expect(await heading.textContent()).to.equal(id);
      await page.getByRole('region', { name: 'Price now' }).getByText('$5.00').waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(360);
    }
    // As a person may have typed it: without a currency at its end, a question mark is part of the id.
    await page.goto(`${service().url}/console#/books/${base}/products/a%2Fb?c%23d%252F&=`);
    await page.getByRole('heading', { name: ids[1] ?? '', level: 1 }).waitFor();
    await page.goto(`${service().url}/console${view(base, 'unheard of')}`);
    await page.getByText('This book does not know the product').waitFor();
    await page.getByRole('link', { name: 'All prices of Retail' }).click();
    await page.getByRole('heading', { name: 'Retail' }).waitFor();
  });

  it('draws 1,000 changes, what is left of a deleted product, and lets readers see it all', async () => {
    const now = Date.now();
    service().stopClockAt(now - 1_002 * 60_000);
    const base = await book('Retail');
    for (let change = 0; change < 1_000; change += 1) {
      service().stopClockAt(now - (1_001 - change) * 60_000);
      await set(base, 'lamp', { type: 'override', amount: 100 + (change % 7) });
    }
    service().stopClockAt(now);
    await service().request('DELETE', `/v1/pricebooks/${base}/prices`, { json: ['lamp'] });
    const issued = await service().request('POST', '/v1/api-keys', {
      json: { name: 'reader', scopes: ['read'] },
    });
    const page = await open({ view: view(base, 'lamp'), key: (issued.body as Created).key });
    await page.getByText('Change 1,001 of 1,001').waitFor();
    await page.getByText('25 of 1,001 changes').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('100 of 1,001 changes').waitFor();
    await page.getByRole('slider').press('PageDown');
    await page.getByText('Change 991 of 1,001').waitFor();
    await page.getByText('There is no price for this').waitFor();
    expect(await page.getByRole('button', { name: 'Set price' }).count()).to.equal(0);
  });
});
