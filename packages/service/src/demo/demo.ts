/** `pricebook demo`: fills new price books of a running service with a sample and shows what they answer. */
import { createBooks, type DemoBooks, fillBooks } from './books';
import { type Client, createClient } from './client';
import { priceTable, tryYourself } from './price-table';

interface DemoOptions {
  /** Where the service answers, such as http://127.0.0.1:3000. */
  readonly url: string;
  readonly key: string | undefined;
  /** Takes a line, or some. */
  readonly print: (text: string) => void;
  /** Whether a person watches standard output: the key is shown to its owner. */
  readonly isTerminal: boolean;
}

const idsOf = ({ list, partner, gold }: DemoBooks): string =>
  [
    'The price books are yours to try:',
    `  list     ${list.id}  "${list.name}"`,
    `  partner  ${partner.id}  "${partner.name}": the list - 15 %, special prices`,
    `  gold     ${gold.id}  "${gold.name}": the partner's - 5 %`,
  ].join('\n');

/** A key stays out of files and logs, and out of quotes that it could break. */
const keyInShell = (key: string | undefined, isTerminal: boolean): string =>
  isTerminal && key !== undefined && /^[\w.-]+$/.test(key) ? key : '$PRICEBOOK_KEY';

const curlFor = (client: Client, { partner }: DemoBooks, key: string): string =>
  [
    'Ask for a price yourself (one line to paste; the answer is JSON):',
    `  curl -H "x-api-key: ${key}" "${client.priceUrl(partner.id, tryYourself)}"`,
  ].join('\n');

/**
 * Runs the demo. Each run makes books of its own.
 *
 * @throws Error with a message for the person at the terminal: no service there, key missing or refused.
 */
export const demo = async ({ url, key, print, isTerminal }: DemoOptions): Promise<void> => {
  const client = createClient(url, key);
  const books = await createBooks(client);
  print('Loading a sample price list into new price books');
  await fillBooks(client, books);
  print('\nPrices, and how each came about\n');
  print((await priceTable(client, books)).join('\n'));
  print(`\n${idsOf(books)}\n`);
  print(curlFor(client, books, keyInShell(key, isTerminal)));
};
