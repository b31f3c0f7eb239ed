/** Tables of as many rows as the service takes, edited as any other. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createBook, describeConsole } from './console-test';
import { chooseKind, dialogOf, openForm, ownOf, press, previewed, saved, setPrices } from './edit-form';
import { longestWork, TRACED } from './longest-work';

const ROWS = 1_000;

const tiersOf = (count: number) =>
  Array.from({ length: count }, (_, row) => ({
    firstUnit: row * 10 + 1,
    lastUnit: row === count - 1 ? null : row * 10 + 10,
    unitPrice: 2_000 - row,
  }));

const cell = (page: Page, name: string) => dialogOf(page).getByRole('textbox', { name, exact: true });

/** The longest piece of work in the page meanwhile, in ms of the processor's time. */
const workOf = async (page: Page, action: () => Promise<void>): Promise<number> => {
  const browser = page.context().browser();
  await browser?.startTracing(page, TRACED);
  await action();
  return longestWork(String(await browser?.stopTracing()));
};

const paste = async (page: Page, name: string, text: string): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await cell(page, name).fill('');
  await cell(page, name).press('ControlOrMeta+V');
};

describeConsole('The console: tables of prices', ({ service, open }) => {
  const stored = async (id: string) =>
    Object.values((await ownOf(service(), id, 'seat')).adjustments as object)[0] as {
      readonly tiers: readonly unknown[];
    };

  it(`edits a table of ${ROWS.toLocaleString()} rows`, async () => {
    const id = await createBook(service(), 'Retail');
    const tiers = tiersOf(ROWS - 1);
    await setPrices(service(), id, [{ productId: 'seat', adjustments: { USD: { type: 'volume', tiers } } }]);
    const page = await open({ view: `#/books/${id}` });
    const grid = page.getByRole('grid', { name: 'Prices' });
    await grid.getByRole('link', { name: 'seat' }).waitFor();
    const opening = await workOf(page, async () => {
      await grid.press('Enter');
      await cell(page, 'Unit price, row 999').waitFor();
    });
    // To find a box by its role is work in the page as well: it is done before anything is traced.
    const changed = cell(page, 'Unit price, row 900');
    await changed.fill('');
    await changed.hover();
    const typing = await workOf(page, () => page.keyboard.type('7x'));
    const scrolling = await workOf(page, async () => {
      for (let turn = 0; turn < 30; turn += 1) await page.mouse.wheel(0, -1_000);
    });

    // What is wrong in row 900 comes into view, wherever the table is.
    await cell(page, 'From, row 1').focus();
    await press(page, 'Preview');
    const wrong = dialogOf(page).getByRole('textbox', {
      name: 'Unit price, row 900',
      exact: true,
      description: /Must be a number/,
    });
    await wrong.waitFor();
    expect((await wrong.boundingBox())?.y).to.be.within(0, 780);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('7');
    expect(await changed.inputValue()).to.equal('7');

    const previewing = await workOf(page, async () => {
      expect(await previewed(page)).to.contain('quantity 8991 $1,101.00 $7.00');
    });
    await dialogOf(page).getByRole('button', { name: 'Insert below row 500', exact: true }).focus();
    const inserting = await workOf(page, () => page.keyboard.press('Enter'));
    await page.keyboard.type('4999.5');
    await cell(page, 'To, row 501').fill('5000');
    await cell(page, 'To, row 500').fill('4999');
    await cell(page, 'Unit price, row 501').fill('3');
    await saved(page);
    const rows = (await stored(id)).tiers;
    expect(rows).to.have.lengthOf(ROWS);
    expect([rows[500], rows[900]]).to.deep.equal([
      { firstUnit: 4_999.5, lastUnit: 5_000, unitPrice: 3 },
      { firstUnit: 8_991, lastUnit: 9_000, unitPrice: 7 },
    ]);
    const shown = Object.entries({ opening, typing, scrolling, previewing, inserting }).map(
      ([name, ms]) => `${name} ${ms.toFixed(0)} ms`,
    );
    process.stdout.write(
      `      ${ROWS.toLocaleString()} rows, the longest task of each in processor time: ${shown.join(', ')}\n`,
    );
    expect(typing).to.be.within(0.1, 50);
    expect(Math.max(scrolling, inserting)).to.be.below(200);
    expect(Math.max(opening, previewing)).to.be.below(1_000);
  });

  it('takes rows from a spreadsheet, and counts rows as people do', async () => {
    const id = await createBook(service(), 'Retail');
    const page = await open({ view: `#/books/${id}` });
    await openForm(page, 'seat');
    await chooseKind(page, 'Volume tiers');
    await paste(page, 'From, row 1', '1\t9\t20\r\n1\t49\t15\r\n50\t\t12\r\n');
    await press(page, 'Save');
    const repeats = { name: 'From, row 2', exact: true, description: 'Is the same as that of row 1.' };
    await dialogOf(page).getByRole('textbox', repeats).waitFor();
    await paste(page, 'From, row 2', '10');
    expect(await cell(page, 'From, row 2').inputValue()).to.equal('10');
    await paste(page, 'Unit price, row 2', '16\n13\n');
    await press(page, 'Remove row 1');
    await press(page, 'Add row');
    await paste(page, 'From, row 3', '1\t9\t21');
    await saved(page);
    expect((await stored(id)).tiers).to.have.deep.members([
      { firstUnit: 1, lastUnit: 9, unitPrice: 21 },
      { firstUnit: 10, lastUnit: 49, unitPrice: 16 },
      { firstUnit: 50, lastUnit: null, unitPrice: 13 },
    ]);
  });
});
