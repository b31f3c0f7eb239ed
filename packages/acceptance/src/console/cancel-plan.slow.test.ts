/** A change that is planned for a product, or that holds for a time, is taken away. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createBook, describeConsole } from './console-test';
import { override, ownOf, revisionOf, setPrices } from './edit-form';

const FROM = '2099-11-27T00:00:00.000Z';
const UNTIL = '2099-12-01T00:00:00.000Z';

describeConsole('The console: cancelling a planned change', ({ service, open, expectFault }) => {
  const set = (id: string, adjustment: object) =>
    setPrices(service(), id, [{ productId: 'lamp', adjustments: { USD: adjustment } }]);

  const story = async (): Promise<string> => {
    const id = await createBook(service(), 'Retail');
    await setPrices(service(), id, override('lamp', 50));
    await set(id, { type: 'percent', amount: -20, validFrom: FROM, validUntil: UNTIL });
    await set(id, { type: 'percent', amount: 10, validUntil: UNTIL });
    return id;
  };

  const datedOf = async (id: string): Promise<unknown> => (await ownOf(service(), id, 'lamp')).dated;
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Cancel a planned change' });
  const press = (page: Page, name: string) => dialogOf(page).getByRole('button', { name }).click();

  it('says what it takes away, and leaves the rest', async () => {
    const id = await story();
    const page = await open({ view: `#/books/${id}/products/lamp` });
    const planned = page.getByRole('button', { name: /^Cancel -20% from .*2099.* until .*2099/ });
    await planned.click();
    await dialogOf(page)
      .getByText(/This takes away -20% from .* until /)
      .waitFor();
    const preview = dialogOf(page).getByRole('region', { name: 'Preview' });
    expect((await preview.innerText()).replace(/\s+/g, ' ')).to.contain('$40.00 $55.00');
    await press(page, 'Keep it');
    expect(await revisionOf(service(), id)).to.equal(3);

    await planned.click();
    await press(page, 'Cancel the change');
    await planned.waitFor({ state: 'detached' });
    expect(await dialogOf(page).count()).to.equal(0);
    const running = { type: 'percent', amount: 10, validUntil: UNTIL };
    expect(await datedOf(id)).to.deep.equal({ USD: [running] });
    await page.getByRole('region', { name: 'Price now' }).getByText('$55.00').waitFor();

    await page.getByRole('button', { name: /^Cancel \+10% until / }).click();
    await press(page, 'Cancel the change');
    await page.getByRole('region', { name: 'Price now' }).getByText('$50.00').waitFor();
    expect(await datedOf(id)).to.equal(undefined);
    expect(await revisionOf(service(), id)).to.equal(5);
  });

  it('shows what another person has changed meanwhile, before anything is cancelled', async () => {
    expectFault(/412/);
    const id = await story();
    const page = await open({ view: `#/books/${id}/products/lamp` });
    await page.getByRole('button', { name: /^Cancel -20%/ }).click();
    await dialogOf(page).getByText('This takes away -20%').waitFor();
    await set(id, { type: 'percent', amount: -30, validFrom: FROM, validUntil: UNTIL });
    await press(page, 'Cancel the change');
    await dialogOf(page).getByText('This price was changed meanwhile.').waitFor();
    await dialogOf(page).getByText('This takes away -30%').waitFor();
    expect(await revisionOf(service(), id)).to.equal(4);
    await press(page, 'Cancel the change');
    await page.getByRole('button', { name: /^Cancel -[23]0%/ }).waitFor({ state: 'detached' });
    expect(await revisionOf(service(), id)).to.equal(5);
  });

  it('is not for keys that only read', async () => {
    const id = await story();
    const issued = await service().request('POST', '/v1/api-keys', {
      json: { name: 'reader', scopes: ['read'] },
    });
    const page = await open({
      view: `#/books/${id}/products/lamp`,
      key: (issued.body as { readonly key: string }).key,
    });
    await page.getByText('-20%').first().waitFor();
    expect(await page.getByRole('button', { name: /^Cancel/ }).count()).to.equal(0);
  });
});
