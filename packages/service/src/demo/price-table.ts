/** A handful of prices, one for each way in which a price comes about. */
import type { DemoBooks } from './books';
import type { Book, Client, Question } from './client';
import { explain } from './explain';

interface Row extends Question {
  readonly shows: string;
  readonly book: keyof DemoBooks;
}

const rows: readonly Row[] = [
  { shows: 'override', book: 'list', productId: 'HW-MON-27-QHD', currency: 'USD' },
  {
    shows: 'enum',
    book: 'list',
    productId: 'cloud/compute/general-4',
    currency: 'EUR',
    query: { region: 'eu-central' },
  },
  {
    shows: 'range',
    book: 'list',
    productId: 'support/server/fleet-month',
    currency: 'USD',
    query: { devices: '120' },
  },
  {
    shows: 'volume',
    book: 'list',
    productId: 'software/office/standard/seat-year',
    currency: 'GBP',
    query: { quantity: '25' },
  },
  { shows: 'own percent', book: 'list', productId: 'HW-MON-27-4K', currency: 'USD' },
  { shows: 'book percent', book: 'list', productId: 'HW-KB-WIRELESS-JP', currency: 'JPY' },
  { shows: '3 minor units', book: 'list', productId: 'HW-KB-WIRELESS-UK', currency: 'BHD' },
  { shows: 'held by 0 %', book: 'list', productId: 'HW-ACC-TOKEN-FIDO', currency: 'JPY' },
  { shows: 'derived book', book: 'partner', productId: 'HW-KB-WIRELESS-JP', currency: 'JPY' },
  { shows: 'special price', book: 'partner', productId: 'HW-MON-27-QHD', currency: 'USD' },
  { shows: 'chain of books', book: 'gold', productId: 'HW-SRV-2U-32C-512G', currency: 'USD' },
  { shows: 'below a cent', book: 'partner', productId: 'cloud/ai/speech/second', currency: 'USD' },
  {
    shows: 'any language',
    book: 'gold',
    productId: 'schulung/einführung-für-administratoren',
    currency: 'EUR',
  },
  { shows: 'no price', book: 'list', productId: 'HW-MON-40-5K', currency: 'EUR' },
];

/** The question of the curl command. */
export const tryYourself: Question = { productId: 'HW-KB-WIRELESS-JP', currency: 'JPY' };

const bookOf =
  (books: DemoBooks) =>
  (id: string): { readonly name: string; readonly isRoot: boolean } => {
    const book = Object.values<Book>({ ...books }).find((candidate) => candidate.id === id);
    return { name: book?.name ?? id, isRoot: book?.basePriceBookId === undefined };
  };

const asked = ({ productId, currency, query = {} }: Question): string =>
  [`${productId}, ${currency}`, ...Object.entries(query).map(([name, value]) => `${name}=${value}`)].join(
    ', ',
  );

const columns = (shows: string, book: string, question: string): string =>
  `  ${shows.padEnd(15)} ${book.padEnd(8)} ${question}`;

/** Asks for the prices and answers the lines of a table: what is asked, and below it how the price came about. */
export const priceTable = async (client: Client, books: DemoBooks): Promise<readonly string[]> => {
  const lines = [columns('what it shows', 'book', 'product, currency, parameters'), ''];
  for (const row of rows) {
    const answer = await client.explainedPrice(books[row.book].id, row);
    const sentences =
      answer._tag === 'Price'
        ? explain(answer.currency, answer.explanation.steps, bookOf(books))
        : [`no price (404): ${answer.detail}`];
    lines.push(columns(row.shows, row.book, asked(row)), ...sentences.map((text) => `      ${text}`));
  }
  return lines;
};
