/** The price books of the demo: a list, partner prices based on it, and gold prices based on those. */
import fs from 'node:fs';
import path from 'node:path';
import type { Book, Client } from './client';

export interface DemoBooks {
  readonly list: Book;
  readonly partner: Book;
  readonly gold: Book;
}

const percents = (byCurrency: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(byCurrency).map(([currency, amount]) => [currency, { type: 'percent', amount }]),
  );

const bookPercents = (byCurrency: Readonly<Record<string, number>>) => ({
  productId: 'all',
  adjustments: percents(byCurrency),
});

/** What the partner has of its own; every other product follows the list. */
const partnerItems = [
  { productId: 'HW-MON-27-QHD', adjustments: { USD: { type: 'override', amount: 199 } } },
  { productId: 'HW-SRV-2U-32C-512G', adjustments: percents({ USD: -25, EUR: -25 }) },
];

/** New books, still empty. */
export const createBooks = async (client: Client): Promise<DemoBooks> => {
  const description = 'Made by npm run demo.';
  const list = await client.createBook({ name: 'Sample list prices', description });
  const partner = await client.createBook({
    name: 'Sample partner prices',
    description,
    basePriceBookId: list.id,
  });
  const gold = await client.createBook({
    name: 'Sample gold prices',
    description,
    basePriceBookId: partner.id,
  });
  return { list, partner, gold };
};

/** The body of Set Product Prices in a file beside the sources, such as `sample-price-list.json`. */
export const readSample = (fileName: string): readonly unknown[] =>
  JSON.parse(fs.readFileSync(path.join(__dirname, '../../sample', fileName), 'utf8')) as readonly unknown[];

/** Loads the sample and sets what the books say for all products. */
export const fillBooks = async (client: Client, { list, partner, gold }: DemoBooks): Promise<void> => {
  await client.setPrices(list.id, readSample('sample-price-list.json'));
  // In a file of their own, since one request names a product once and these change list prices that are there.
  await client.setPrices(list.id, readSample('sample-own-percents.json'));
  await client.setPrices(list.id, bookPercents({ JPY: 10, BHD: 5 }));
  await client.setPrices(partner.id, bookPercents({ USD: -15, EUR: -15, GBP: -15, JPY: -15, BHD: -15 }));
  await client.setPrices(partner.id, partnerItems);
  await client.setPrices(gold.id, bookPercents({ USD: -5, EUR: -5 }));
};
