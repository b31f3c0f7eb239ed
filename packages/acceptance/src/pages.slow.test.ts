/** The pages for people, as a browser shows them: the real service, by itself and below the path of a proxy. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { isBrowserThere, openPage, startBrowser } from './testing/browser';
import { startPrefixProxy } from './testing/prefix-proxy';
import { readingFaults } from './testing/readability';
import { startTestService, TEST_KEY, type TestService } from './testing/test-service';

const PREFIXES = ['', '/shop/prices'];

const enterKey = async (page: Page): Promise<void> => {
  await page.locator('.scheme-container .authorize').click();
  await page.locator('.auth-container input').fill(TEST_KEY);
  await page.locator('.auth-container button[type=submit]').click();
  await page.locator('.auth-container .btn-done').click();
};

describe(`pages in a browser${isBrowserThere ? '' : ' (skipped: chromium is not here)'}`, function () {
  this.timeout(60_000);
  let service: TestService;
  let browser: Browser;
  const bases = new Map<string, string>();
  const closing: (() => unknown)[] = [];

  before(async function () {
    if (!isBrowserThere) this.skip();
    service = await startTestService();
    closing.push(service.remove, service.stop);
    for (const prefix of PREFIXES) {
      const proxy = await startPrefixProxy(service.url, prefix);
      closing.push(proxy.stop);
      bases.set(prefix, proxy.url);
    }
    browser = await startBrowser();
    closing.push(() => browser.close());
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  const baseOf = (prefix: string): string => bases.get(prefix) ?? '';
  const open = (prefix: string, options?: Parameters<typeof openPage>[2]) =>
    openPage(browser, baseOf(prefix), options);

  for (const prefix of PREFIXES) {
    describe(prefix === '' ? 'at the root' : `below ${prefix}`, () => {
      it('/docs shows every operation of the document', async () => {
        const { page, faults } = await open(prefix);
        // With the slash at its end, which leads to the page all the same.
        await page.goto(`${baseOf(prefix)}/docs/`);
        await page.locator('.opblock').first().waitFor();
        const shown = await page.locator('.opblock').count();
        const { paths } = (await (await fetch(`${baseOf(prefix)}/openapi.json`)).json()) as {
          readonly paths: Readonly<Record<string, object>>;
        };
        const operations = Object.values(paths).flatMap((path) =>
          Object.keys(path).filter((key) => /^(get|post|put|patch|delete)$/.test(key)),
        );
        expect(shown).to.equal(operations.length);
        expect(await page.title()).to.match(/^Operations/);
        expect(faults()).to.deep.equal([]);
        await page.close();
      });

      it('/docs calls an operation with the key that was entered, and shows its answer', async () => {
        const { page, faults } = await open(prefix);
        await page.goto(`${baseOf(prefix)}/docs`);
        await enterKey(page);

        const path = page.locator('[data-path$="/pricebooks"]');
        const operation = page.locator('.opblock-post', { has: path });
        await operation.locator('.opblock-summary-control').click();
        await operation.locator('.try-out__btn').click();
        const name = `Made on the page${prefix}`;
        await operation.locator('.body-param textarea').fill(JSON.stringify({ name }));
        await operation.locator('.execute').click();
        const answer = operation.locator('.live-responses-table .response');
        expect(await answer.locator('.response-col_status').innerText()).to.match(/^201/);
        expect(await answer.locator('.response-col_description').innerText()).to.include(`"name": "${name}"`);

        const { body } = await service.request('GET', '/v1/pricebooks');
        expect((body as readonly { readonly name: string }[]).map((book) => book.name)).to.include(name);
        expect(await page.evaluate('localStorage.length + sessionStorage.length')).to.equal(0);
        expect(await page.context().cookies()).to.deep.equal([]);
        expect(faults()).to.deep.equal([]);
        await page.close();
      });

      it('/ leads to the operations and the problems', async () => {
        const { page, faults } = await open(prefix);
        const start = `${baseOf(prefix)}/`;
        await page.goto(start);
        await page.getByRole('link', { name: 'Operations' }).click();
        await page.locator('.opblock').first().waitFor();
        await page.goto(start);
        await page.getByRole('link', { name: 'Problems' }).click();
        await page.waitForURL('**/problems/');
        expect(faults()).to.deep.equal([]);
        await page.close();
      });

      it('/problems/ leads to the pages of problems, and back, and to the operations', async () => {
        const { page, faults } = await open(prefix);
        await page.goto(`${baseOf(prefix)}/problems`);
        const names = await page.locator('tbody code').allInnerTexts();
        expect(names).to.include.members(['no-price', 'invalid-request']);
        for (const name of ['no-price', 'invalid-request']) {
          await page.getByRole('row', { name }).getByRole('link').click();
          await page.waitForURL(`**/problems/${name}`);
          await page.getByRole('link', { name: 'Problems' }).click();
          await page.waitForURL('**/problems/');
        }
        await page.getByRole('link', { name: 'Operations' }).click();
        await page.locator('.opblock').first().waitFor();
        await page.getByRole('link', { name: 'Problems' }).click();
        await page.waitForURL('**/problems/');
        expect(faults()).to.deep.equal([]);
        await page.close();
      });
    });
  }

  it('/docs asks for nothing that was not entered', async () => {
    const { page } = await open('');
    await page.goto(`${baseOf('')}/docs`);
    for (const path of [
      '{priceBookId}/prices',
      '{priceBookId}/events',
      '{priceBookId}/{productId}/{currency}',
      '/{currency}/history',
    ]) {
      const operation = page.locator('.opblock-get', { has: page.locator(`[data-path$="${path}"]`) });
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.try-out__btn').click();
      const [asked] = await Promise.all([
        page.waitForRequest(/\/v1\//),
        operation.locator('.execute').click(),
      ]);
      const { pathname, searchParams } = new URL(asked.url());
      // What they stand for where they are absent, whatever is asked for.
      const entered = [...searchParams].filter(
        ([name, value]) => !['explain=false', 'quantity=1'].includes(`${name}=${value}`),
      );
      expect(entered, pathname).to.deep.equal([]);
      await operation.locator('.opblock-summary-control').click();
    }
    await page.close();
  });

  it('/docs shows a stream as far as it comes in a while, and lets go of it', async () => {
    const { body } = await service.request('POST', '/v1/pricebooks', { json: { name: 'Followed' } });
    const { id } = body as { readonly id: string };
    const { page, faults } = await open('');
    await page.goto(`${baseOf('')}/docs`);
    await enterKey(page);
    const operation = page.locator('.opblock-get', {
      has: page.locator('[data-path$="{priceBookId}/events"]'),
    });
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('input[placeholder=priceBookId]').fill(id);
    const types = operation.locator('.responses-table select.content-type').first();
    await types.selectOption('text/event-stream');
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table .response');
    expect(await answer.locator('.response-col_status').innerText()).to.match(/^200/);
    expect(await answer.locator('.response-col_description').innerText()).to.include(
      'event: PriceBookCreated',
    );
    const followers = async (): Promise<unknown> =>
      /^pricebook_followers (\d+)$/m.exec(String((await service.request('GET', '/metrics')).body))?.[1];
    while ((await followers()) !== '0') await delay(20);
    expect(faults()).to.deep.equal([]);
    await page.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`problems can be read by all, also where the page is narrow, ${colorScheme}`, async () => {
      // 320 px: https://www.w3.org/TR/WCAG22/#reflow
      const { page, faults } = await open('', { colorScheme, width: 320 });
      await page.goto(`${baseOf('')}/problems/`);
      const names = await page.locator('tbody code').allInnerTexts();
      const titles = new Set<string>();
      for (const name of ['', ...names]) {
        await page.goto(`${baseOf('')}/problems/${name}`);
        expect(await readingFaults(page), name).to.deep.equal([]);
        titles.add(await page.title());
      }
      await page.goto(`${baseOf('')}/`);
      expect(await readingFaults(page), '/').to.deep.equal([]);
      expect(titles.size).to.equal(1 + names.length);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).to.equal(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 24, 31)');
      expect(faults()).to.deep.equal([]);
      await page.close();
    });
  }

  it('/docs has the colours that the reader prefers', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open('', { colorScheme });
      await page.goto(`${baseOf('')}/docs`);
      await page.locator('.opblock').first().waitFor();
      const isDark = await page.locator('html.dark-mode').count();
      expect(isDark).to.equal(colorScheme === 'dark' ? 1 : 0);
      await page.close();
    }
  });
});
