import { expect } from 'chai';
import { TEST_KEY } from '../testing/test-service';
import { createBook, describeConsole, signIn } from './console-test';

describeConsole('The console: sign-in and books', ({ service, open, expectFault }) => {
  const create = (name: string, basePriceBookId?: string): Promise<string> =>
    createBook(service(), name, basePriceBookId);

  it('lets anyone with a key in, and says when a key is not accepted', async () => {
    expectFault(/401/);
    const page = await open({ key: 'no-such-key' });
    await page.getByText('The service does not accept this key.').waitFor();
    await signIn(page);
    await page.getByRole('heading', { name: 'Price books' }).waitFor();
    await page.getByText('No price books yet').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('remembers a key only where that is asked for, until the sign-out', async () => {
    const page = await open({ key: '' });
    await page.getByRole('checkbox', { name: 'Remember on this device' }).check();
    await signIn(page);
    await page.getByRole('heading', { name: 'Price books' }).waitFor();
    await page.reload();
    await page.getByText('No price books yet').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage))).to.deep.equal([]);
  });

  it('offers no writes to a key that may only read', async () => {
    const issued = await service().request('POST', '/v1/api-keys', {
      json: { name: 'reader', scopes: ['read'] },
    });
    const { key } = issued.body as { readonly key: string };
    const id = await create('Retail');
    const page = await open({ key, view: `#/books/${id}` });
    await page.getByRole('heading', { name: 'Retail' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).to.equal(0);
    expect(await page.getByRole('link', { name: 'API keys' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Price books' }).click();
    await page.getByRole('link', { name: 'Retail' }).waitFor();
    expect(await page.getByRole('button', { name: 'New price book' }).count()).to.equal(0);
  });

  it('creates, renames and deletes books, and names those that are based on one', async () => {
    expectFault(/409/);
    const page = await open();
    await page.getByRole('button', { name: 'New price book' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Who works by keyboard goes on where they were, and what they type at once is not lost.
    await page.keyboard.press('Enter');
    await page.keyboard.type('Ret');
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).to.equal('Ret');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Retail');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Retail' }).waitFor();
    const base = page.url().split('/').at(-1) ?? '';
    await create('Sale', base);

    await page.getByRole('button', { name: 'Delete' }).first().click();
    await page.getByText('These books are based on it').waitFor();
    await page.getByRole('textbox', { name: 'Type the name of the book' }).fill('Retail');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Retail 2027');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Retail 2027' }).waitFor();

    await page.getByRole('link', { name: 'Price books' }).click();
    const row = page.getByRole('row', { name: /^Sale/ });
    await row.getByText('Retail 2027').waitFor();
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('sal');
    await page.getByRole('link', { name: 'Retail 2027' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Sale' }).click();
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await page.getByRole('textbox', { name: 'Type the name of the book' }).fill('Sale');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Retail 2027' }).waitFor();
    expect(await page.getByRole('link', { name: 'Sale' }).count()).to.equal(0);
  });

  it('creates a book once where the answer was lost, and another one under another name', async () => {
    expectFault(/ERR_FAILED/);
    const page = await open();
    await page.getByText('No price books yet').waitFor();
    const createFirst = async (name: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await page.getByRole('button', { name: 'Create' }).click();
    };
    await page.route('**/v1/pricebooks', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'New price book' }).click();
    for (const name of ['Retail', 'Retail', 'Partners']) {
      const lost = page.waitForEvent('requestfailed');
      await createFirst(name);
      await lost;
      await page.getByRole('button', { name: 'Create', disabled: false }).waitFor();
    }
    await page.unroute('**/v1/pricebooks');
    await createFirst('Partners');
    await page.getByRole('heading', { name: 'Partners' }).waitFor();
    const { body } = await service().request('GET', '/v1/pricebooks');
    const names = (body as readonly { readonly name: string }[]).map(({ name }) => name);
    expect(names.sort()).to.deep.equal(['Partners', 'Retail']);
  });

  it('brings the sign-in back where a key stops working, over what was typed', async () => {
    expectFault(/401/);
    const issued = await service().request('POST', '/v1/api-keys', {
      json: { name: 'writer', scopes: ['read', 'write'] },
    });
    const { key, id } = issued.body as { readonly key: string; readonly id: string };
    const page = await open({ key });
    await page.getByRole('button', { name: 'New price book' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed before');
    await service().request('DELETE', `/v1/api-keys/${id}`);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Your key has stopped working').waitFor();
    for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape');
    await signIn(page, TEST_KEY);
    await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).to.equal(
      'Typed before',
    );
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Typed before' }).waitFor();
  });
});
