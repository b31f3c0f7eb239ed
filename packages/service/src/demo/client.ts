/** The few operations of the service that the demo needs, over plain `fetch`. What fails is an Error to be read. */
import type { Currency, PriceStep } from '@pricebook/domain';
import { addressOf, reasonOf } from '../command-line/service-address';

/** As long as one answer may take. */
const TIMEOUT_MS = 30_000;

/** What the demo reads of a price book. */
export interface Book {
  readonly id: string;
  readonly name: string;
  readonly basePriceBookId?: string;
}

interface NewBook {
  readonly name: string;
  readonly description: string;
  readonly basePriceBookId?: string;
}

/** Which price: the product, the currency, and what a table of the product needs beside them. */
export interface Question {
  readonly productId: string;
  readonly currency: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** The answer of Get Product Price with `explain=true`, as far as the demo reads it. */
interface ExplainedPrice {
  readonly _tag: 'Price';
  readonly currency: Currency;
  readonly explanation: { readonly steps: readonly PriceStep[] };
}

/** The service knows no such price, and says why. */
interface NoPrice {
  readonly _tag: 'NoPrice';
  readonly detail: string;
}

export interface Client {
  readonly createBook: (book: NewBook) => Promise<Book>;
  /** @param body as Set Product Prices takes it: items of products, or one object for all products. */
  readonly setPrices: (bookId: string, body: unknown) => Promise<void>;
  readonly explainedPrice: (bookId: string, question: Question) => Promise<ExplainedPrice | NoPrice>;
  /** Where `explainedPrice` asks. */
  readonly priceUrl: (bookId: string, question: Question) => string;
}

interface Problem {
  readonly type: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

type Reply =
  | { readonly _tag: 'Success'; readonly body: unknown }
  | { readonly _tag: 'Problem'; readonly problem: Problem };

const HOW_TO_PASS_A_KEY = [
  'The service prints a key, once, at its very first start (npm start); it also takes the one that it was',
  'started with in PRICEBOOK_BOOTSTRAP_KEY. Pass it like this:',
  '',
  '  PRICEBOOK_KEY=<the key> npm run demo',
].join('\n');

const missingKey = (): Error => new Error(`The demo needs an API key.\n\n${HOW_TO_PASS_A_KEY}`);

const refusedKey = (url: string): Error =>
  new Error(`The service at ${url} refuses this API key.\n\n${HOW_TO_PASS_A_KEY}`);

const unreachable = (url: string, why: string): Error =>
  new Error(
    [
      `No service answers at ${url} (${why}).`,
      '',
      'Start it in another terminal and leave it running:',
      '',
      '  npm start',
      '',
      'If it runs elsewhere, say where: npm run demo -- --url http://127.0.0.1:3000',
    ].join('\n'),
  );

const stranger = (url: string, status: number): Error =>
  new Error(
    [
      `What answers at ${url} is not the price book service (status ${String(status)}).`,
      '',
      'Another program may have the port. Give the service its own, and tell the demo:',
      '',
      '  PORT=3456 npm start',
      '  npm run demo -- --url http://127.0.0.1:3456',
    ].join('\n'),
  );

const refused = ({ status, detail, errors = [] }: Problem): Error =>
  new Error(
    [
      `The service refuses a request of the demo (status ${String(status)}): ${detail}`,
      ...errors.map(({ pointer, detail: fault }) => `  ${pointer}: ${fault}`),
    ].join('\n'),
  );

const readReply = async (answer: Response, url: string): Promise<Reply> => {
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('application/problem+json')) {
    return { _tag: 'Problem', problem: (await answer.json()) as Problem };
  }
  if (!answer.ok || !type.startsWith('application/json')) throw stranger(url, answer.status);
  return { _tag: 'Success', body: await answer.json() };
};

const pricePath = (bookId: string, { productId, currency, query = {} }: Question): string =>
  `/v1/pricebooks/${bookId}/${encodeURIComponent(productId)}/${currency}` +
  `?${new URLSearchParams({ ...query, explain: 'true' }).toString()}`;

/**
 * @param url such as http://127.0.0.1:3000
 * @throws Error, also from each operation, with a message for the person at the terminal.
 */
export const createClient = (url: string, key: string | undefined): Client => {
  const address = addressOf(url);
  if (key === undefined || key === '') throw missingKey();
  // Such a key cannot stand in a header, so it is none of the service's.
  if (!/^[\x21-\x7e]+$/.test(key)) throw refusedKey(address);

  const ask = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const answer = await fetch(address + path, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((failure: unknown) => {
      throw unreachable(address, reasonOf(failure));
    });
    const reply = await readReply(answer, address);
    if (reply._tag === 'Problem' && reply.problem.status === 401) throw refusedKey(address);
    return reply;
  };

  const succeed = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const reply = await ask(method, path, body);
    if (reply._tag === 'Problem') throw refused(reply.problem);
    return reply.body;
  };

  return {
    createBook: async (book) => (await succeed('POST', '/v1/pricebooks', book)) as Book,
    setPrices: async (bookId, body) => {
      await succeed('PUT', `/v1/pricebooks/${bookId}/prices`, body);
    },
    explainedPrice: async (bookId, question) => {
      const reply = await ask('GET', pricePath(bookId, question));
      if (reply._tag === 'Success') {
        return { ...(reply.body as Omit<ExplainedPrice, '_tag'>), _tag: 'Price' };
      }
      if (reply.problem.type !== '/problems/no-price') throw refused(reply.problem);
      return { _tag: 'NoPrice', detail: reply.problem.detail };
    },
    priceUrl: (bookId, question) => address + pricePath(bookId, question),
  };
};
