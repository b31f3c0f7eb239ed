/** The few operations of the service that the demo needs, over HTTP. What fails is an Error to be read. */
import type { Currency, PriceStep } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { serviceFailureSentence } from '../prices/sentences';
import { createAsk, isHeaderText, type ServiceFailure } from '../prices/service';

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

const HOW_TO_PASS_A_KEY = `

The service prints a key, once, at its very first start (npm start); it also takes the one that it was
started with in PRICEBOOK_BOOTSTRAP_KEY. Pass it like this:

  PRICEBOOK_KEY=<the key> npm run demo`;

const HOW_TO_START = `

Start it in another terminal and leave it running:

  npm start

If it runs elsewhere, say where: npm run demo -- --url http://127.0.0.1:3000`;

const HOW_TO_CHANGE_THE_PORT = `

Another program may have the port. Give the service its own, and tell the demo:

  PORT=3456 npm start
  npm run demo -- --url http://127.0.0.1:3456`;

const adviceFor = ({ _tag }: ServiceFailure): string =>
  _tag === 'Unreachable' ? HOW_TO_START : _tag === 'Stranger' ? HOW_TO_CHANGE_THE_PORT : '';

const pricePath = (bookId: string, { productId, currency, query = {} }: Question): string =>
  `/v1/pricebooks/${bookId}/${encodeURIComponent(productId)}/${currency}` +
  `?${new URLSearchParams({ ...query, explain: 'true' }).toString()}`;

/**
 * @param url such as http://127.0.0.1:3000
 * @throws Error, also from each operation, with a message for the person at the terminal.
 */
export const createClient = (url: string, key: string | undefined): Client => {
  if (key === undefined || key === '') throw new Error(`The demo needs an API key.${HOW_TO_PASS_A_KEY}`);
  const { address, ask } = createAsk(url, new AbortController().signal);
  const refusedKey = new Error(`The service at ${address} refuses this API key.${HOW_TO_PASS_A_KEY}`);
  // Such a key cannot be in a header, so it is none of the service's.
  if (!isHeaderText(key)) throw refusedKey;

  const fail = (failure: ServiceFailure): Error =>
    failure._tag === 'Refused' && failure.status === 401
      ? refusedKey
      : new Error(serviceFailureSentence(failure, address) + adviceFor(failure));

  const request = (method: string, path: string, json?: unknown) =>
    ask(
      path,
      {
        method,
        headers: { 'x-api-key': key, ...(json !== undefined && { 'content-type': 'application/json' }) },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      },
      async (answer): Promise<E.Either<ServiceFailure, unknown>> =>
        answer.headers.get('content-type')?.startsWith('application/json') === true
          ? E.right(await answer.json())
          : E.left({ _tag: 'Stranger', status: answer.status }),
    );

  const succeed = async (method: string, path: string, json: unknown): Promise<unknown> => {
    const answer = await request(method, path, json);
    if (E.isLeft(answer)) throw fail(answer.left);
    return answer.right;
  };

  return {
    createBook: async (book) => (await succeed('POST', '/v1/pricebooks', book)) as Book,
    setPrices: async (bookId, body) => {
      await succeed('PUT', `/v1/pricebooks/${bookId}/prices`, body);
    },
    explainedPrice: async (bookId, question) => {
      const answer = await request('GET', pricePath(bookId, question));
      if (E.isRight(answer)) {
        return { ...(answer.right as Omit<ExplainedPrice, '_tag'>), _tag: 'Price' };
      }
      const { left } = answer;
      if (left._tag !== 'Refused' || left.status !== 404) throw fail(left);
      return { _tag: 'NoPrice', detail: left.detail };
    },
    priceUrl: (bookId, question) => address + pricePath(bookId, question),
  };
};
