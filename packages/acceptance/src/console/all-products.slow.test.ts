/** What a book has for all its products, in the console. */
import { expect } from 'chai';
import { createBook, describeConsole } from './console-test';

describeConsole('The console: all products of a book', ({ service, open }) => {
  const createRetail = async (): Promise<string> => {
    const id = await createBook(service(), 'Retail');
    await service().request('PUT', `/v1/pricebooks/${id}/prices`, {
      json: ['lamp', 'seat'].map((productId) => ({
        productId,
        adjustments: { USD: { type: 'override', amount: 100 } },
      })),
    });
    return id;
  };

  const percentsOf = async (id: string) => {
    const { body } = await service().request('GET', `/v1/pricebooks/${id}/percents`);
    return Object.entries(body as Readonly<Record<string, { readonly percent: number }>>).map(
      ([currency, { percent }]) => [currency, percent],
    );
  };

  it('sets, changes and removes a percent, with a preview on a sample of products', async () => {
    const id = await createRetail();
    const page = await open({ view: `#/books/${id}/all-products` });
    const dialog = page.getByRole('dialog', { name: 'Change all prices' });
    await page.getByText('No percent for all products').waitFor();
    await page.getByRole('button', { name: 'Set percent' }).click();
    await dialog.getByRole('textbox', { name: 'Currency' }).fill('USD');
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('10');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByRole('row', { name: 'lamp $100.00 $110.00' }).waitFor();
    await preview.getByRole('row', { name: 'seat $100.00 $110.00' }).waitFor();
    expect(await percentsOf(id)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /^USD \+10%/ }).waitFor();

    await page.getByRole('button', { name: 'Change USD' }).click();
    const amount = dialog.getByRole('textbox', { name: 'Amount' });
    await dialog.getByText('Set here now').waitFor();
    expect(await amount.inputValue()).to.equal('10');
    await amount.fill('-5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /^USD -5%/ }).waitFor();
    expect(await percentsOf(id)).to.deep.equal([['USD', -5]]);

    await page.getByRole('button', { name: 'Change USD' }).click();
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Remove' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No percent for all products').waitFor();
    expect(await percentsOf(id)).to.deep.equal([]);
  });

  it('shows percents to keys that only read, and offers no change', async () => {
    const id = await createRetail();
    await service().request('PUT', `/v1/pricebooks/${id}/prices`, {
      json: { productId: 'all', adjustments: { USD: { type: 'percent', amount: 10 } } },
    });
    const { body } = await service().request('POST', '/v1/api-keys', {
      json: { name: 'reader', scopes: ['read'] },
    });
    const { key } = body as { readonly key: string };
    const page = await open({ key, view: `#/books/${id}/all-products` });
    await page.getByRole('row', { name: /^USD \+10%/ }).waitFor();
    expect(await page.getByRole('button', { name: /Set percent|Change/ }).count()).to.equal(0);
  });
});
