/** What was typed into the form of a price is there again after a reload of the page. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createBook, describeConsole, signIn } from './console-test';
import { amountBox, dialogOf, override, ownOf, press, revisionOf, saved, setPrices } from './edit-form';

const RESTORED = /^Restored what you typed at \d/;

const openRow = async (page: Page, productId: string): Promise<void> => {
  const grid = page.getByRole('grid', { name: 'Prices' });
  await grid.getByRole('link', { name: productId }).waitFor();
  await grid.press('Enter');
  await amountBox(page).waitFor();
};

const reloaded = async (page: Page): Promise<void> => {
  await page.reload();
  await signIn(page);
  await openRow(page, 'lamp');
  await dialogOf(page).getByText(RESTORED).waitFor();
};

describeConsole('The console: a draft of a price', ({ service, open, expectFault }) => {
  const opened = async () => {
    const id = await createBook(service(), 'Retail');
    await setPrices(service(), id, override('lamp', 10));
    const page = await open();
    await page.getByRole('link', { name: 'Retail' }).click();
    await openRow(page, 'lamp');
    return { id, page };
  };

  it('is there after a reload, until it is discarded or saved', async () => {
    const { id, page } = await opened();
    await amountBox(page).fill('1x');
    await reloaded(page);
    expect(await amountBox(page).inputValue()).to.equal('1x');
    await press(page, 'Discard');
    expect(await amountBox(page).inputValue()).to.equal('10');
    await press(page, 'Cancel');
    await dialogOf(page).waitFor({ state: 'detached' });

    await openRow(page, 'lamp');
    expect(await dialogOf(page).getByText(RESTORED).count()).to.equal(0);
    await amountBox(page).fill('12');
    await page.goBack();
    await page.getByRole('link', { name: 'Retail' }).click();
    await openRow(page, 'lamp');
    expect(await amountBox(page).inputValue()).to.equal('12');
    await saved(page);
    expect((await ownOf(service(), id, 'lamp')).adjustments).to.deep.equal({
      USD: { type: 'override', amount: 12 },
    });
    await openRow(page, 'lamp');
    expect(await dialogOf(page).getByText(RESTORED).count()).to.equal(0);
    await amountBox(page).fill('13');
    await press(page, 'Cancel');
    await press(page, 'Discard');
    await openRow(page, 'lamp');
    expect(await amountBox(page).inputValue()).to.equal('12');
  });

  it('is saved once where the page was left before the answer came', async () => {
    expectFault(/ERR_|412|Failed to load/);
    const { id, page } = await opened();
    await amountBox(page).fill('20');
    await page.route('**/prices', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await press(page, 'Save');
    await dialogOf(page).getByText('What you typed is kept.').waitFor();
    await page.unroute('**/prices');
    await reloaded(page);
    await saved(page);
    expect(await revisionOf(service(), id)).to.equal(2);
  });

  it('does not overwrite what another person has saved meanwhile', async () => {
    expectFault(/412/);
    const { id, page } = await opened();
    await amountBox(page).fill('20');
    await setPrices(service(), id, override('lamp', 15));
    await reloaded(page);
    await press(page, 'Save');
    await dialogOf(page).getByRole('alert', { name: 'Conflict' }).getByText('$15.00').first().waitFor();
    await press(page, 'Keep ours');
    await dialogOf(page).waitFor({ state: 'detached' });
    expect((await ownOf(service(), id, 'lamp')).adjustments).to.deep.equal({
      USD: { type: 'override', amount: 20 },
    });
  });
});
