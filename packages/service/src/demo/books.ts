/** The price books of the demo: a list, partner prices based on it, and gold prices based on those. */
import type { Book, Client } from './client';
import { load, type Progress, readSample } from './load';

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

/** Loads the sample and sets what the books say for all products. */
export const fillBooks = async (
  client: Client,
  { list, partner, gold }: DemoBooks,
  progress: Progress,
): Promise<void> => {
  await load(client, list.id, 'List prices ', readSample('sample-price-list.json'), progress);
  // In a file of their own, since one request names a product once and these change list prices that are there.
  await load(client, list.id, 'Own percents', readSample('sample-own-percents.json'), progress);
  await client.setPrices(list.id, bookPercents({ JPY: 10, BHD: 5 }));
  await client.setPrices(partner.id, bookPercents({ USD: -15, EUR: -15, GBP: -15, JPY: -15, BHD: -15 }));
  await client.setPrices(partner.id, partnerItems);
  await client.setPrices(gold.id, bookPercents({ USD: -5, EUR: -5 }));
};
