import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createBook, describeConsole } from './console-test';

interface Line {
  readonly url: string;
  /** Breaks all connections off, and lets none through until `mend`. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly stop: () => void;
}

/** A connection to the service that can be interrupted. */
const startLine = async (service: string): Promise<Line> => {
  const { port, hostname } = new URL(service);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = net.connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    cut: () => {
      isCut = true;
      destroyAll();
    },
    mend: () => {
      isCut = false;
    },
    stop: () => {
      destroyAll();
      server.close();
    },
  };
};

const entries = (page: Page) => page.getByRole('list', { name: 'History' }).getByText(/^Revision \d+$/);

describeConsole('The console: history', ({ service, open, expectFault }) => {
  const create = (name: string): Promise<string> => createBook(service(), name);

  const set = async (id: string, json: unknown, reason?: string): Promise<void> => {
    const { status } = await service().request('PUT', `/v1/pricebooks/${id}/prices`, {
      json,
      ...(reason !== undefined && { headers: { 'change-reason': reason } }),
    });
    expect(status).to.equal(200);
  };

  const setLamp = (id: string, amount: number): Promise<void> =>
    set(id, [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount } } }]);

  it('tells in sentences what happened, newest first, who did it and why', async () => {
    const id = await create('Retail');
    await set(
      id,
      [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount: 49.99 } } }],
      'Autumn sale',
    );
    await set(id, { productId: 'all', adjustments: { EUR: { type: 'percent', amount: 7.5 } } });
    await set(
      id,
      Array.from({ length: 12 }, (_, n) => ({
        productId: `chair ${String(n)}`,
        adjustments: { USD: { type: 'override', amount: n + 1 }, EUR: { type: 'override', amount: n + 2 } },
      })),
    );
    const issued = await service().request('POST', '/v1/api-keys', {
      json: { name: 'Ada', scopes: ['write'] },
    });
    const { key } = issued.body as { readonly key: string };
    await service().request('PATCH', `/v1/pricebooks/${id}`, {
      json: { name: 'Retail 2027' },
      headers: { 'x-api-key': key },
    });
    await service().request('DELETE', `/v1/pricebooks/${id}/prices`, { json: ['chair 3'] });
    const tiers = [
      { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
      { firstUnit: 10, unitPrice: 15 },
    ];
    await set(id, [{ productId: 'seat', adjustments: { USD: { type: 'volume', tiers } } }]);

    const page = await open({ view: `#/books/${id}/history` });
    const list = page.getByRole('list', { name: 'History' });
    await list.getByText('Renamed the book from Retail to Retail 2027').waitFor();
    await list.getByText('Removed the prices of chair 3').waitFor();
    const texts = await list.innerText();
    const places = [
      'Set volume prices (1 to 9: $20.00, 10 and more: $15.00) for seat in USD',
      'Removed the prices of chair 3',
      'Renamed the book',
      'Set prices of 12 products in 2 currencies',
      'Changed all products by +7.5% in EUR',
      'Set $49.99 for lamp in USD',
      'Created the book as Retail',
    ].map((text) => texts.indexOf(text));
    expect(places).to.not.include(-1);
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    await list.getByText('Autumn sale').waitFor();
    await list.getByText('Ada').waitFor();
    const lamp = await list.getByRole('link', { name: 'lamp' }).getAttribute('href');
    expect(lamp).to.equal(`#/books/${id}/products/lamp?currency=USD`);

    expect(await list.getByRole('link', { name: 'chair 11' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Show all 24' }).click();
    expect(await list.getByRole('link', { name: 'chair 11' }).count()).to.equal(1);

    await page.getByRole('combobox', { name: 'Kind of change' }).selectOption('All products');
    await list.getByText('lamp').waitFor({ state: 'detached' });
    expect(await entries(page).count()).to.equal(1);
    await page.getByRole('combobox', { name: 'Kind of change' }).selectOption('All changes');

    await page.getByRole('searchbox', { name: 'Product' }).fill('chair 11');
    await list.getByText('Set prices of chair 11 in 2 currencies').waitFor();
    await list.getByRole('link', { name: 'chair 11' }).first().click();
    await page.getByRole('heading', { name: 'chair 11' }).waitFor();
  });

  it('shows 10,000 changes of one request in steps, and older entries when asked for', async () => {
    const id = await create('Large');
    await set(
      id,
      Array.from({ length: 10_000 }, (_, n) => ({
        productId: `p${String(n)}`,
        adjustments: { USD: { type: 'override', amount: n + 1 } },
      })),
    );
    for (let amount = 1; amount <= 30; amount++) await setLamp(id, amount);
    const page = await open({ view: `#/books/${id}/history` });
    await page.getByText('Set $30.00 for lamp').waitFor();
    expect(await entries(page).count()).to.equal(25);
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await page.getByText('Set prices of 10,000 products in 1 currency').waitFor();
    expect(await entries(page).count()).to.equal(32);
    expect(await page.getByRole('button', { name: 'Show older changes' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Show 100 more of 10,000' }).click();
    await page.getByRole('link', { name: 'p102', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'p103', exact: true }).count()).to.equal(0);
  });

  it('shows what another person does, without moving what is read', async () => {
    const id = await create('Retail');
    for (let amount = 1; amount <= 24; amount++) await setLamp(id, amount);
    const page = await open({ view: `#/books/${id}/history` });
    await page.getByText('Live: new changes appear').waitFor();
    await setLamp(id, 101);
    await page.getByText('Set $101.00 for lamp').waitFor();

    const read = page.getByText('Set $3.00 for lamp');
    await read.scrollIntoViewIfNeeded();
    const before = await read.boundingBox();
    await setLamp(id, 102);
    await setLamp(id, 103);
    await setLamp(id, 104);
    const button = page.getByRole('button', { name: '3 new changes' });
    await button.waitFor();
    expect((await read.boundingBox())?.y).to.equal(before?.y);
    expect(await page.getByText('Set $104.00 for lamp').count()).to.equal(0);
    await button.click();
    await page.getByText('Set $104.00 for lamp').waitFor();
    await button.waitFor({ state: 'detached' });

    await service().request('PATCH', `/v1/pricebooks/${id}`, { json: { name: 'Renamed by another' } });
    await page.getByRole('heading', { name: 'Renamed by another' }).waitFor();
    await service().request('DELETE', `/v1/pricebooks/${id}`);
    await page.getByText('Deleted the book').waitFor();
    expectFault(/404/);
    await page.getByText('The book is deleted: no more changes follow.').waitFor();
  });

  it('says calmly that the connection is lost, and misses nothing', async () => {
    // The browser itself says which requests were broken off.
    expectFault(/ERR_/);
    const id = await create('Retail');
    const line = await startLine(service().url);
    try {
      const page = await open({ base: line.url, view: `#/books/${id}/history` });
      await page.getByText('Live: new changes appear').waitFor();
      line.cut();
      await page.getByText('The connection is lost.').waitFor();
      await setLamp(id, 7);
      await setLamp(id, 8);
      line.mend();
      await page.getByText('Set $8.00 for lamp').waitFor();
      await page.getByText('Live: new changes appear').waitFor();
      expect(await entries(page).count()).to.equal(3);
    } finally {
      line.stop();
    }
  });
});
