/** Prices edited in the console, by people who are not alone and on connections that break. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createBook, describeConsole, reasonsIn } from './console-test';
import {
  amountBox,
  chooseKind,
  dialogOf,
  openForm,
  override,
  ownOf,
  press,
  previewed,
  revisionOf,
  saved,
  setPrices,
} from './edit-form';

interface Preview {
  readonly changes: readonly { readonly before: number; readonly after: number }[];
}

describeConsole('The console: editing a price', ({ service, open, expectFault }) => {
  it('previews and saves a price, and says at the field what is wrong', async () => {
    const id = await createBook(service(), 'Retail');
    await setPrices(service(), id, {
      productId: 'all',
      adjustments: { USD: { type: 'percent', amount: 10 } },
    });
    const page = await open({ view: `#/books/${id}` });
    await openForm(page, 'lamp', 'usd');
    await amountBox(page).fill('49,99');
    await press(page, 'Preview');
    await dialogOf(page)
      .getByText(/Must be a number/)
      .waitFor();
    expect(await amountBox(page).getAttribute('aria-invalid')).to.equal('true');
    await amountBox(page).fill('49.99');
    expect(await previewed(page)).to.contain('no price $54.99');
    expect(await revisionOf(service(), id)).to.equal(1);
    await dialogOf(page).getByRole('textbox', { name: 'Reason' }).fill('Für Q4: "Herbst", 10 %');
    await saved(page);
    expect((await ownOf(service(), id, 'lamp')).adjustments).to.deep.equal({
      USD: { type: 'override', amount: 49.99 },
    });
    expect(await reasonsIn(service(), id)).to.deep.equal([undefined, undefined, 'Für Q4: "Herbst", 10 %']);
    await page.getByRole('status').getByRole('link', { name: 'Show' }).waitFor();
    const row = page.getByRole('grid', { name: 'Prices' }).getByRole('row', { name: 'lamp' });
    await row.getByText('$54.99').waitFor();

    // The row of a product that is there already changes in its place.
    await openForm(page, 'lamp');
    await amountBox(page).fill('10');
    await saved(page);
    await row.getByText('$11.00').waitFor();
  });

  it('edits every kind, tables row by row', async () => {
    const id = await createBook(service(), 'Retail');
    const page = await open({ view: `#/books/${id}` });
    const rows = async (...cells: readonly (readonly [label: string, text: string])[]): Promise<void> => {
      for (const [label, text] of cells) {
        const box = dialogOf(page).getByRole('textbox', { name: label, exact: true });
        if ((await box.count()) === 0) await press(page, 'Add row');
        await box.fill(text);
      }
    };
    const tiers: readonly (readonly [label: string, text: string])[] = [
      ['From, row 1', '1'],
      ['To, row 1', '9'],
      ['Unit price, row 1', '20'],
      ['From, row 2', '10'],
      ['Unit price, row 2', '15'],
    ];
    const stored = async () =>
      Object.values((await ownOf(service(), id, 'seat')).adjustments as object)[0] as unknown;
    const tiersStored = [
      { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
      { firstUnit: 10, lastUnit: null, unitPrice: 15 },
    ];

    await openForm(page, 'seat');
    await chooseKind(page, 'Volume tiers');
    await rows(...tiers);
    expect(await previewed(page)).to.contain('quantity 10 no price $15.00');
    await saved(page);
    expect(await stored()).to.deep.equal({ type: 'volume', tiers: tiersStored });

    await openForm(page, 'seat');
    await chooseKind(page, 'Graduated tiers');
    await rows(...tiers);
    await saved(page);
    expect(await stored()).to.deep.equal({ type: 'graduated', tiers: tiersStored });

    await openForm(page, 'seat');
    await chooseKind(page, 'Price by value');
    await dialogOf(page).getByRole('textbox', { name: 'Property' }).fill('region');
    await rows(
      ['Value, row 1', 'EU'],
      ['Unit price, row 1', '19'],
      ['Value, row 2', 'EU'],
      ['Unit price, row 2', '21'],
    );
    await press(page, 'Save');
    const repeats = { name: 'Value, row 2', exact: true, description: /same as/ };
    await dialogOf(page).getByRole('textbox', repeats).waitFor();
    await rows(['Value, row 2', 'US']);
    await saved(page);
    expect(await stored()).to.deep.equal({
      type: 'enum',
      property: 'region',
      values: [
        { value: 'EU', unitPrice: 19 },
        { value: 'US', unitPrice: 21 },
      ],
    });

    await openForm(page, 'seat');
    await chooseKind(page, 'Price by range');
    await dialogOf(page).getByRole('textbox', { name: 'Property' }).fill('seats');
    await rows(['From, row 1', '1'], ['To, row 1', '10'], ['Unit price, row 1', '100']);
    await saved(page);
    expect(await stored()).to.deep.equal({
      type: 'range',
      property: 'seats',
      values: [{ firstUnit: 1, lastUnit: 10, unitPrice: 100 }],
    });

    await openForm(page, 'seat');
    await dialogOf(page).getByText('Set here now: prices by seats (1 to 10: $100.00)').waitFor();
    await amountBox(page).fill('50');
    await saved(page);
    await openForm(page, 'seat');
    await chooseKind(page, 'Percent');
    await amountBox(page).fill('-20');
    expect(await previewed(page)).to.contain('$50.00 $40.00');
    await saved(page);
    expect((await ownOf(service(), id, 'seat')).percents).to.deep.equal({
      USD: { type: 'percent', amount: -20 },
    });

    await openForm(page, 'seat');
    await chooseKind(page, 'Plus or minus an amount');
    await amountBox(page).fill('5');
    await dialogOf(page).getByText('Dates').click();
    await dialogOf(page).getByLabel('Valid from').fill('2099-11-27T00:00');
    expect(await previewed(page)).to.contain('$40.00 $55.00');
    await saved(page);
    expect((await ownOf(service(), id, 'seat')).dated).to.have.property('USD');

    await openForm(page, 'seat');
    await chooseKind(page, 'Remove');
    expect(await previewed(page)).to.contain('$40.00 no price');
    await saved(page);
    expect((await ownOf(service(), id, 'seat')).adjustments).to.deep.equal({});
  });

  it('works out prices of a book with a base as the service does', async () => {
    const base = await createBook(service(), 'Retail');
    await setPrices(service(), base, override('lamp', 100));
    const id = await createBook(service(), 'Sale', base);
    await setPrices(service(), id, {
      productId: 'all',
      adjustments: { USD: { type: 'percent', amount: -10 } },
    });
    const page = await open({ view: `#/books/${id}` });
    await openForm(page, 'lamp');
    const compare = async (kind: string, type: string, amount: number): Promise<void> => {
      const { body } = await service().request('PUT', `/v1/pricebooks/${id}/prices?dryRun=true`, {
        json: [{ productId: 'lamp', adjustments: { USD: { type, amount } } }],
      });
      const { changes } = (body as { readonly preview: Preview }).preview;
      const said = changes.map(({ before, after }) => `$${before.toFixed(2)} $${after.toFixed(2)}`);
      await chooseKind(page, kind);
      await amountBox(page).fill(String(amount));
      const shown = await previewed(page);
      expect(said).not.to.deep.equal([]);
      for (const one of said) expect(shown).to.contain(one);
    };
    await compare('Percent', 'percent', -25);
    await compare('Fixed price', 'override', 79.5);
    await compare('Plus or minus an amount', 'fixedAmount', 7.25);
    // When a temporary price without a beginning began is known to the service alone.
    const [soon, later] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString());
    for (const dates of [{ validUntil: later }, { validFrom: soon, validUntil: later }]) {
      await setPrices(service(), base, [
        {
          productId: 'lamp',
          adjustments: { USD: { type: 'override', amount: 'validFrom' in dates ? 95 : 90, ...dates } },
        },
      ]);
    }
    await compare('Percent', 'percent', -30);
  });

  it('lets two people edit one product, and neither loses what they typed', async () => {
    expectFault(/412/);
    const id = await createBook(service(), 'Retail');
    await setPrices(service(), id, override('lamp', 10));
    const [anna, ben] = [await open({ view: `#/books/${id}` }), await open({ view: `#/books/${id}` })];
    const stored = async () => (await ownOf(service(), id, 'lamp')).adjustments;
    const conflictOf = (page: Page) => dialogOf(page).getByRole('alert', { name: 'Conflict' });
    const both = async (ofAnna: string, ofBen: string): Promise<void> => {
      await openForm(anna, 'lamp');
      await openForm(ben, 'lamp');
      await amountBox(anna).fill(ofAnna);
      await amountBox(ben).fill(ofBen);
      await saved(anna);
      await press(ben, 'Save');
      await conflictOf(ben).getByText(`$${ofAnna}.00`).first().waitFor();
      await conflictOf(ben).getByText(`$${ofBen}.00`).waitFor();
      expect(await stored()).to.deep.equal({ USD: { type: 'override', amount: Number(ofAnna) } });
      expect(await amountBox(ben).inputValue()).to.equal(ofBen);
    };

    await both('11', '12');
    await press(ben, 'Keep ours');
    await dialogOf(ben).waitFor({ state: 'detached' });
    expect(await stored()).to.deep.equal({ USD: { type: 'override', amount: 12 } });

    await both('13', '14');
    await press(ben, 'Edit on');
    expect(await amountBox(ben).inputValue()).to.equal('14');
    await amountBox(ben).fill('15');
    await saved(ben);
    expect(await stored()).to.deep.equal({ USD: { type: 'override', amount: 15 } });

    await both('16', '17');
    await press(ben, 'Take theirs');
    expect(await amountBox(ben).inputValue()).to.equal('16');
    await press(ben, 'Back to yours');
    expect(await amountBox(ben).inputValue()).to.equal('17');
    await saved(ben);
    expect(await stored()).to.deep.equal({ USD: { type: 'override', amount: 17 } });
  });

  it('says that a change of all products concerns what is edited', async () => {
    expectFault(/412/);
    const id = await createBook(service(), 'Retail');
    await setPrices(service(), id, override('lamp', 10));
    const page = await open({ view: `#/books/${id}` });
    await openForm(page, 'lamp');
    await amountBox(page).fill('12');
    await setPrices(service(), id, {
      productId: 'all',
      adjustments: { USD: { type: 'percent', amount: 25 } },
    });
    await press(page, 'Save');
    const conflict = dialogOf(page).getByRole('alert', { name: 'Conflict' });
    await conflict.getByText('all products: +25%').waitFor();
    expect(await revisionOf(service(), id)).to.equal(2);
    await press(page, 'Edit on');
    expect(await amountBox(page).inputValue()).to.equal('12');
    expect(await previewed(page)).to.contain('$12.50 $15.00');
    await saved(page);
    expect(await revisionOf(service(), id)).to.equal(3);
  });

  it('opens with what the product of a row has now, ready to be typed over', async () => {
    const id = await createBook(service(), 'Retail');
    await setPrices(service(), id, [...override('chair', 5), ...override('lamp', 10)]);
    const page = await open({ view: `#/books/${id}` });
    const grid = page.getByRole('grid', { name: 'Prices' });
    await grid.getByRole('link', { name: 'lamp' }).waitFor();
    await grid.press('ArrowDown');
    await grid.press('Enter');
    await dialogOf(page).getByText('Set here now: $10.00').waitFor();
    const box = (name: string) => dialogOf(page).getByRole('textbox', { name }).inputValue();
    expect([await box('Product'), await box('Currency'), await box('Amount')]).to.deep.equal([
      'lamp',
      'USD',
      '10',
    ]);
    await page.keyboard.type('11.5');
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor({ state: 'detached' });
    expect((await ownOf(service(), id, 'lamp')).adjustments).to.deep.equal({
      USD: { type: 'override', amount: 11.5 },
    });
  });

  it('does not bother anyone with changes of other products', async () => {
    expectFault(/412/);
    const id = await createBook(service(), 'Retail');
    const page = await open({ view: `#/books/${id}` });
    await openForm(page, 'lamp');
    await amountBox(page).fill('20');
    await setPrices(service(), id, override('chair', 5));
    await saved(page);
    expect(await revisionOf(service(), id)).to.equal(2);
  });

  it('saves after the service was away, once, also where its answer was lost', async () => {
    expectFault(/ERR_|412|Failed to load/);
    const id = await createBook(service(), 'Retail');
    const page = await open({ view: `#/books/${id}` });
    await openForm(page, 'lamp');
    await amountBox(page).fill('20');

    // The service does what it is asked for, and the connection breaks before it can say so.
    let lost = 0;
    await page.route('**/prices', async (route) => {
      if (lost === 0) await route.fetch();
      lost += 1;
      await route.abort('connectionreset');
    });
    await press(page, 'Save');
    await dialogOf(page).getByText('The service does not answer').waitFor();
    expect(await revisionOf(service(), id)).to.equal(1);
    expect(await amountBox(page).inputValue()).to.equal('20');
    await press(page, 'Try again');
    await dialogOf(page).getByText('The service does not answer').waitFor();
    await page.unroute('**/prices');
    await saved(page);
    expect(await revisionOf(service(), id)).to.equal(1);
  });

  it('asks before it discards what was typed', async () => {
    const id = await createBook(service(), 'Retail');
    const page = await open({ view: `#/books/${id}` });
    await openForm(page, 'lamp');
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    await dialogOf(page).getByText('Discard what you typed?').waitFor();
    // The answer that loses nothing has the focus.
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('Discard what you typed?').waitFor({ state: 'detached' });
    await page.keyboard.type('7');
    expect(await amountBox(page).inputValue()).to.equal('7');
    expect(await dialogOf(page).getByRole('textbox', { name: 'Product' }).inputValue()).to.equal('lamp');
    await page.keyboard.press('Escape');
    await press(page, 'Discard');
    await dialogOf(page).waitFor({ state: 'detached' });
  });
});
