/** Files for tests of imports, and how a person chooses one. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { TestService } from '../testing/test-service';

export const HEAD = 'productId,currency,type,amount';

export const nameOf = (place: number): string => `product-${String(place).padStart(6, '0')}`;

/** A price for each of many products, in the order in which the service lists them: 2,000 go into a request. */
export const longFile = (rows: number, price: (place: number) => number): string =>
  [
    HEAD,
    ...Array.from({ length: rows }, (_, place) => `${nameOf(place)},USD,override,${String(price(place))}`),
  ].join('\r\n');

/** By the button. */
export const chooseFile = async (
  page: Page,
  { folder }: TestService,
  csv: string,
  name = 'prices.csv',
): Promise<void> => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a CSV file' }).click();
  const file = path.join(folder, name);
  fs.writeFileSync(file, csv);
  await (await chooser).setFiles(file);
};

export const setCsv = (service: TestService, bookId: string, csv: string) =>
  service.request('PUT', `/v1/pricebooks/${bookId}/prices`, {
    raw: csv,
    headers: { 'content-type': 'text/csv' },
  });

/** The own prices of a book as CSV. */
export const exportedFrom = async (service: TestService, bookId: string): Promise<string> =>
  (await service.request('GET', `/v1/pricebooks/${bookId}/prices`, { headers: { accept: 'text/csv' } }))
    .body as string;

export const revisionOf = async (service: TestService, bookId: string): Promise<number> =>
  ((await service.request('GET', `/v1/pricebooks/${bookId}`)).body as { readonly revision: number }).revision;
