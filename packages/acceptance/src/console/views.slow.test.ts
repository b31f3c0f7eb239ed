/** Every view as people meet it: wide and narrow, light and dark, with data that tries to do harm. */
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createBook, describeConsole } from './console-test';

const AXE = fs.readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** A folder for pictures of all views: to be looked at, and for docs/images. */
const PICTURES = process.env['SCREENSHOTS'];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds serious or critical. */
const violationsIn = async (page: Page): Promise<readonly unknown[]> => {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      readonly axe: { readonly run: () => Promise<{ readonly violations: readonly Violation[] }> };
    };
    return (await axe.run()).violations;
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
};

const HOSTILE = [
  '<script>alert(1)</script>',
  '\u202egnp.exe\u202c',
  'x'.repeat(256),
  'שלום 123 ABC',
  '<img src=x onerror=alert(1)>',
] as const;

const SIZES = [
  { width: 1_280, colorScheme: 'light' },
  { width: 1_280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

/** By how many pixels a page can be scrolled to the side. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describeConsole('The console: every view', ({ service, open }) => {
  const create = (name: string, basePriceBookId?: string): Promise<string> =>
    createBook(service(), name, basePriceBookId);

  /** A book of a shop, and one that is based on it. */
  const fill = async (): Promise<readonly [string, string]> => {
    const retail = await create('Retail Europe');
    const sale = await create('Members', retail);
    const lamp = (amount: number) => ({
      USD: { type: 'override', amount },
      EUR: { type: 'override', amount },
    });
    const percents = (amount: number) => ({
      USD: { type: 'percent', amount },
      EUR: { type: 'percent', amount },
    });
    const tiers = [
      { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
      { firstUnit: 10, lastUnit: null, unitPrice: 15 },
    ];
    const prices = `/v1/pricebooks/${retail}/prices`;
    await service().request('PUT', prices, {
      json: [
        ...['Desk lamp', 'Floor lamp', 'Office chair', 'Standing desk', 'Whiteboard'].map((productId, n) => ({
          productId,
          adjustments: lamp((4_999 + 3_000 * n) / 100),
        })),
        { productId: 'Seat licence', adjustments: { USD: { type: 'volume', tiers } } },
        ...HOSTILE.map((productId) => ({ productId, adjustments: lamp(1) })),
      ],
    });
    await service().request('PUT', prices, {
      json: { productId: 'all', adjustments: percents(7.5) },
    });
    await service().request('PUT', `/v1/pricebooks/${sale}/prices`, {
      json: { productId: 'all', adjustments: percents(-10) },
    });
    return [retail, sale];
  };

  const viewsOf = (retail: string, sale: string) =>
    [
      ['sign-in', ''],
      ['books', '#/books'],
      ['prices', `#/books/${retail}`],
      ['all-products', `#/books/${sale}/all-products`],
      ['history', `#/books/${retail}/history`],
      ['import-export', `#/books/${retail}/import-export`],
      ['product', `#/books/${sale}/products/${encodeURIComponent('Desk lamp')}`],
      ['hostile', `#/books/${retail}/products/${encodeURIComponent(HOSTILE[0])}`],
      ['long', `#/books/${retail}/products/${HOSTILE[2]}`],
      ['keys', '#/keys'],
    ] as const;

  for (const { width, colorScheme } of SIZES) {
    it(`has nothing serious that axe finds, and fits, at ${String(width)} pixels, ${colorScheme}`, async function () {
      this.timeout(120_000);
      const [retail, sale] = await fill();
      const page = await open({ width, colorScheme });
      await page.getByRole('link', { name: 'Members' }).waitFor();
      for (const [name, view] of viewsOf(retail, sale)) {
        if (name === 'sign-in') continue;
        await page.goto(`${service().url}/console${view}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        expect(await violationsIn(page), name).to.deep.equal([]);
        const overflow = await page.evaluate<number>(OVERFLOW);
        expect(overflow, `${name} is wider than the page`).to.equal(0);
        if (PICTURES !== undefined) {
          await page.screenshot({
            path: path.join(PICTURES, `console-${name}-${String(width)}-${colorScheme}.png`),
            fullPage: true,
          });
        }
      }
    });
  }

  it('shows the sign-in so, too', async () => {
    for (const { width, colorScheme } of SIZES) {
      const page = await open({ key: '', width, colorScheme });
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await violationsIn(page)).to.deep.equal([]);
    }
  });
});
