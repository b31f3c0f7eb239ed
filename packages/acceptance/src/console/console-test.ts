/** The console in a browser, as a person uses it: what tests of its views have in common. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { isBrowserThere, openPage, startBrowser, type WatchedPage } from '../testing/browser';
import type { Asked } from '../testing/started';
import { startTestService, TEST_KEY, type TestService } from '../testing/test-service';

const ROOT = path.resolve(__dirname, '../../../..');

interface Opening {
  /** A view, such as #/keys; the list of books where absent. */
  readonly view?: string;
  /** Empty to stay signed out. */
  readonly key?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  /** Where the service is, if not at its own address. */
  readonly base?: string;
}

export interface ConsoleUnderTest {
  readonly service: () => TestService;
  readonly browser: () => Browser;
  /** Opens a view and signs in. */
  readonly open: (opening?: Opening) => Promise<Page>;
  /** What the page may complain of in this test, such as the refusal of a request. */
  readonly expectFault: (fault: RegExp) => void;
}

export const signIn = async (page: Page, key = TEST_KEY): Promise<void> => {
  await page.getByRole('textbox', { name: 'API key' }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** @returns the id of the new book. */
export const createBook = async (service: Asked, name: string, basePriceBookId?: string): Promise<string> => {
  const { body } = await service.request('POST', '/v1/pricebooks', { json: { name, basePriceBookId } });
  return (body as { readonly id: string }).id;
};

/** Of each change of a book, oldest first, why it was made. */
export const reasonsIn = async (service: TestService, book: string): Promise<readonly unknown[]> => {
  const { body } = await service.request('GET', `/v1/pricebooks/${book}/events`);
  return (body as readonly { readonly reason?: string }[]).map(({ reason }) => reason);
};

/**
 * Tests of the console on a real service. Each of them fails on an error in the browser's console, a violation of the
 * Content-Security-Policy, and a request to another host.
 */
export const describeConsole = (title: string, tests: (console: ConsoleUnderTest) => void): void => {
  describe(`${title}${isBrowserThere ? '' : ' (skipped: chromium is not here)'}`, function () {
    this.timeout(60_000);
    let service: TestService;
    let browser: Browser;
    let pages: WatchedPage[] = [];
    let expected: RegExp[] = [];

    before(async function () {
      if (!isBrowserThere) this.skip();
      execFileSync(process.execPath, [path.join(ROOT, 'scripts/console.mjs')], { stdio: 'inherit' });
      browser = await startBrowser();
    });

    beforeEach(async () => {
      service = await startTestService();
    });

    afterEach(async () => {
      const faults = pages.flatMap((page) => page.faults());
      await Promise.all(pages.map(({ page }) => page.close()));
      await service.stop();
      service.remove();
      const unexpected = faults.filter((fault) => !expected.some((one) => one.test(fault)));
      [pages, expected] = [[], []];
      expect(unexpected).to.deep.equal([]);
    });

    after(() => (isBrowserThere ? browser.close() : undefined));

    tests({
      service: () => service,
      browser: () => browser,
      open: async ({ view = '', key = TEST_KEY, base = service.url, ...options } = {}) => {
        const watched = await openPage(browser, base, options);
        pages.push(watched);
        await watched.page.goto(`${base}/console${view}`);
        if (key !== '') await signIn(watched.page, key);
        return watched.page;
      },
      expectFault: (fault) => expected.push(fault),
    });
  });
};
