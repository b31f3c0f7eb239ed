import { expect } from 'chai';
import { describeConsole, signIn } from './console-test';

interface Issued {
  readonly id: string;
  readonly key: string;
}

describeConsole('The console: keys and the sandbox', ({ service, open, expectFault }) => {
  const issue = async (name: string, scopes: readonly string[]): Promise<Issued> => {
    const { body } = await service().request('POST', '/v1/api-keys', { json: { name, scopes } });
    return body as Issued;
  };

  it('issues a key that is shown once, renames and revokes it', async () => {
    expectFault(/400/);
    const page = await open({ view: '#/keys' });
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Name', description: /must have 1 to 200/ }).waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Web shop');
    await dialog.getByLabel('Expires').fill('2099-12-31T00:00');
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
    await dialog.getByText('It is shown this once').waitFor();
    const key = await dialog.getByRole('textbox', { name: 'New API key' }).inputValue();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await dialog.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(key);
    // Escape would lose the key; a second one closes dialogs in Chromium, whatever their pages say.
    for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape');
    expect(await dialog.getByRole('textbox', { name: 'New API key' }).inputValue()).to.equal(key);
    await dialog.getByRole('button', { name: 'I have copied the key' }).click();
    const row = page.getByRole('row', { name: /^Web shop/ });
    await row.getByText('2099').waitFor();
    expect(await page.getByText(key).count()).to.equal(0);

    const me = await service().request('GET', '/v1/api-keys/me', { headers: { 'x-api-key': key } });
    expect(me.body).to.include({ name: 'Web shop' });
    await page.getByRole('button', { name: 'Rename Web shop' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Web shop, 2027');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Revoke Web shop, 2027' }).click();
    await dialog.getByText('refused within a second').waitFor();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('No API keys yet').waitFor();
    const after = await service().request('GET', '/v1/api-keys/me', { headers: { 'x-api-key': key } });
    expect(after.status).to.equal(401);
  });

  it('marks the own key, and says what comes of revoking it', async () => {
    expectFault(/401/);
    const own = await issue('Ada', ['admin']);
    const page = await open({ key: own.key, view: '#/keys' });
    await page.getByRole('row', { name: /^Ada/ }).getByText('Your key').waitFor();
    await page.getByRole('button', { name: 'Revoke Ada' }).click();
    await page.getByText('You are signed in with this key.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Your key has stopped working').waitFor();
    await signIn(page);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('shows keys to admins only', async () => {
    const { key } = await issue('Writer', ['write']);
    const page = await open({ key, view: '#/keys' });
    await page.getByText('Your key may not manage API keys').waitFor();
  });

  it('fills an empty service with sample data, and goes on after a failure', async () => {
    expectFault(/503|ERR_/);
    const page = await open();
    let writes = 0;
    // The answer of one write is lost after the service has done it.
    await page.route('**/v1/pricebooks/*/prices', async (route) => {
      writes += 1;
      if (writes !== 2) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Try it with sample data' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Go on with the sample data' }).click();
    await page.getByRole('heading', { name: 'Sample list prices' }).waitFor();
    const { body } = await service().request('GET', '/v1/pricebooks');
    const books = body as readonly { readonly name: string; readonly revision: number }[];
    expect(books.map(({ name, revision }) => [name, revision])).to.have.deep.members([
      ['Sample list prices', 3],
      ['Sample partner prices', 2],
      ['Sample gold prices', 1],
    ]);
    await page.getByRole('link', { name: 'Price books' }).click();
    await page.getByRole('link', { name: 'Sample gold prices' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try it with sample data' }).count()).to.equal(0);
  });

  it('offers no sample to a key that may only read', async () => {
    const { key } = await issue('Reader', ['read']);
    const page = await open({ key });
    await page.getByText('No price books yet').waitFor();
    expect(await page.getByRole('button', { name: 'Try it with sample data' }).count()).to.equal(0);
  });
});
