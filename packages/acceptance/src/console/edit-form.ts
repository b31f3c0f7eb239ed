/** The form of a price, as people use it. */
import type { Page } from 'playwright-core';
import type { Asked } from '../testing/started';

export const setPrices = (service: Asked, id: string, json: unknown) =>
  service.request('PUT', `/v1/pricebooks/${id}/prices`, { json });

export const override = (productId: string, amount: number) => [
  { productId, adjustments: { USD: { type: 'override', amount } } },
];

export const ownOf = async (service: Asked, id: string, productId: string) => {
  const { body } = await service.request('GET', `/v1/products/${productId}/pricebooks/${id}`);
  return body as { readonly adjustments: unknown; readonly percents: unknown; readonly dated?: unknown };
};

export const revisionOf = async (service: Asked, id: string): Promise<number> => {
  const { body } = await service.request('GET', `/v1/pricebooks/${id}`);
  return (body as { readonly revision: number }).revision;
};

export const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Set price' });

export const openForm = async (page: Page, productId: string, currency = 'USD'): Promise<void> => {
  // The state of the book that is edited: an answer that is late would be one of after a change.
  const state = page.waitForResponse((response) => /\/v1\/pricebooks\/[^/?]+$/.test(response.url()));
  await page.getByRole('button', { name: 'Set price' }).first().click();
  await state;
  await dialogOf(page).getByRole('textbox', { name: 'Product' }).fill(productId);
  await dialogOf(page).getByRole('textbox', { name: 'Currency' }).fill(currency);
};

export const chooseKind = (page: Page, kind: string) =>
  dialogOf(page).getByRole('combobox', { name: 'Kind' }).selectOption({ label: kind });

export const amountBox = (page: Page) => dialogOf(page).getByRole('textbox', { name: 'Amount' });

export const press = (page: Page, name: string) =>
  dialogOf(page).getByRole('button', { name, exact: true }).click();

export const saved = async (page: Page): Promise<void> => {
  await press(page, 'Save');
  await dialogOf(page).waitFor({ state: 'detached' });
};

export const previewed = async (page: Page): Promise<string> => {
  await press(page, 'Preview');
  const preview = dialogOf(page).getByRole('region', { name: 'Preview' });
  await preview.waitFor();
  return (await preview.innerText()).replace(/\s+/g, ' ');
};
