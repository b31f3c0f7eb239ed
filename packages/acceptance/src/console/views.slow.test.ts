/** Every view as people meet it: wide and narrow, light and dark, with data that tries to do harm. */
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { currencyCodes } from '@pricebook/domain';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { percent } from '../api-suite/kit';
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

const RTL = '\u202egnp.exe\u202c';
const HOSTILE = [
  '<script>alert(1)</script>',
  RTL,
  'x'.repeat(256),
  'שלום 123 ABC',
  '<img src=x onerror=alert(1)>',
] as const;
const SOLD_EVERYWHERE = 'Sold in every currency';
const LONG_TABLE = 'Table of 1,000 rows';

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

  const put = async (book: string, json: unknown, reason?: string): Promise<void> => {
    const headers: Readonly<Record<string, string>> = reason === undefined ? {} : { 'change-reason': reason };
    const path = `/v1/pricebooks/${book}/prices`;
    const { status, body } = await service().request('PUT', path, { json, headers });
    expect(status, JSON.stringify(body).slice(0, 500)).to.equal(200);
  };
  const inBoth = (adjustment: unknown) => ({ USD: adjustment, EUR: adjustment });
  const override = (amount: number, dates: Readonly<Record<string, string>> = {}) => ({
    type: 'override',
    amount,
    ...dates,
  });

  /** A book of a shop with a past and plans, and one that is based on it. */
  const fillShop = async (): Promise<readonly [string, string]> => {
    const today = Date.now();
    const day = (days: number): number => today + days * 86_400_000;
    const midnight = (days: number): string => `${new Date(day(days)).toISOString().slice(0, 10)}T00:00:00Z`;
    service().stopClockAt(day(-300));
    const retail = await create('Retail Europe');
    const members = await create('Members', retail);
    const lamps = ['Bookcase', 'Desk lamp', 'Floor lamp', 'Office chair', 'Standing desk', 'Whiteboard'];
    const tiers = [
      { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
      { firstUnit: 10, lastUnit: null, unitPrice: 15 },
    ];
    await put(retail, [
      ...lamps.map((productId, n) => ({
        productId,
        adjustments: inBoth(override((3_999 + 3_000 * n) / 100)),
      })),
      { productId: 'Seat licence', adjustments: inBoth({ type: 'volume', tiers }) },
    ]);
    service().stopClockAt(day(-210));
    await put(retail, { productId: 'all', adjustments: inBoth(percent(7.5)) }, 'Freight');
    service().stopClockAt(day(-120));
    await put(members, { productId: 'all', adjustments: inBoth(percent(-10)) });
    await put(members, [{ productId: 'Floor lamp', adjustments: inBoth(percent(-25)) }], 'Last season');
    service().stopClockAt(today);
    await service().request('POST', '/v1/api-keys', { json: { name: 'Web shop', scopes: ['read'] } });
    const sale = { validFrom: midnight(20), validUntil: midnight(40) };
    const lamp = (adjustment: unknown) => [{ productId: 'Desk lamp', adjustments: inBoth(adjustment) }];
    await put(retail, lamp(override(49.99, sale)), 'Winter sale');
    await put(retail, lamp(override(79.99, { validFrom: midnight(90) })));
    return [retail, members];
  };

  const fillHostile = async (): Promise<string> => {
    const book = await create(`<b>${RTL}</b> ${'y'.repeat(180)}`);
    const regions = Array.from({ length: 1_000 }, (_, n) => ({
      value: HOSTILE[n] ?? `Region ${String(n)}`,
      unitPrice: n,
    }));
    await put(book, [
      ...HOSTILE.map((productId) => ({ productId, adjustments: { USD: override(1_234_567.891) } })),
      {
        productId: SOLD_EVERYWHERE,
        adjustments: Object.fromEntries(currencyCodes.map((code) => [code, override(1_000)])),
      },
      {
        productId: LONG_TABLE,
        adjustments: { USD: { type: 'enum', property: HOSTILE[4], values: regions } },
      },
    ]);
    return book;
  };

  /** The addresses of views, and what is there once they have loaded. */
  const viewsOf = ([retail, members]: readonly string[], hostile: string) => {
    const row = (page: Page) => page.getByRole('grid', { name: 'Prices' }).getByRole('link').first();
    const live = (page: Page) => page.getByText('Live');
    const product = (name: string, book: string | undefined, id: string) =>
      [
        name,
        `#/books/${String(book)}/products/${encodeURIComponent(id)}`,
        (page: Page) => page.getByRole('heading', { name: id, exact: true, level: 1 }),
      ] as const;
    return [
      ['books', '#/books', (page: Page) => page.getByRole('link', { name: 'Members' })],
      ['prices', `#/books/${String(members)}`, row],
      [
        'all-products',
        `#/books/${String(members)}/all-products`,
        (page: Page) => page.getByRole('cell', { name: 'EUR' }),
      ],
      ['history', `#/books/${String(retail)}/history`, live],
      [
        'import-export',
        `#/books/${String(retail)}/import-export`,
        (page: Page) => page.getByRole('button', { name: 'Download prices' }),
      ],
      product('product', members, 'Desk lamp'),
      ['keys', '#/keys', (page: Page) => page.getByRole('button', { name: 'Revoke Web shop' })],
      ['hostile-prices', `#/books/${hostile}`, row],
      ['hostile-history', `#/books/${hostile}/history`, live],
      product('hostile-product', hostile, HOSTILE[0]),
      product('right-to-left-product', hostile, RTL),
      product('long-product', hostile, HOSTILE[2]),
      product('every-currency', hostile, SOLD_EVERYWHERE),
      product('long-table', hostile, LONG_TABLE),
    ] as const;
  };

  const expectLoaded = async (page: Page): Promise<void> => {
    for (const loading of await page.getByRole('status').filter({ hasText: 'Loading' }).all()) {
      await loading.waitFor({ state: 'detached' });
    }
  };

  const inspect = async (page: Page, name: string, place: string): Promise<void> => {
    await expectLoaded(page);
    if (PICTURES !== undefined) {
      await page.screenshot({ path: path.join(PICTURES, `console-${name}-${place}.png`), fullPage: true });
    }
    expect(await violationsIn(page), name).to.deep.equal([]);
    expect(await page.evaluate<number>(OVERFLOW), `${name} is wider than the page`).to.equal(0);
  };

  for (const { width, colorScheme } of SIZES) {
    it(`has nothing serious that axe finds, and fits, at ${String(width)} pixels, ${colorScheme}`, async function () {
      this.timeout(180_000);
      const [shop, hostile] = [await fillShop(), await fillHostile()];
      const page = await open({ width, colorScheme });
      await page.getByRole('link', { name: 'Members' }).waitFor();
      const place = `${String(width)}-${colorScheme}`;
      for (const [name, view, content] of viewsOf(shop, hostile)) {
        await page.goto(`${service().url}/console${view}`);
        await content(page).waitFor();
        await inspect(page, name, place);
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
