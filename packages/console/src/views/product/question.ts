/** What is asked of a price beside the product and its currency, and how it is sent. */
import { type Answer, answerOf, type Api, type Problem, type Schemas } from '../../api/client';
import { nextCursor } from '../../api/next-cursor';
import { instantOf } from '../../ui/instant';

export interface Question {
  /** As typed; empty for 1. */
  readonly quantity: string;
  /** As typed, by the name of the property. */
  readonly properties: Readonly<Record<string, string>>;
  /** As in a control for local times; empty for now. */
  readonly at: string;
}

export const noQuestion: Question = { quantity: '', properties: {}, at: '' };

/** Where a price is. */
export interface Place {
  readonly priceBookId: string;
  readonly productId: string;
  readonly currency: string;
}

/** Every parameter under its own name, whatever characters that has. */
const querySerializer = (query: Readonly<Record<string, unknown>>): string =>
  Object.entries(query)
    .flatMap(([name, value]) =>
      typeof value === 'object' && value !== null ? Object.entries(value) : [[name, value] as const],
    )
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');

const parameters = ({
  quantity,
  properties,
}: Question): {
  readonly quantity?: number;
  readonly properties: Record<string, string>;
} => ({
  ...(quantity !== '' && { quantity: Number(quantity) }),
  properties: Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== '')),
});

export const quantityFault = ({ quantity }: Question): string | undefined =>
  quantity === '' || Number(quantity) > 0 ? undefined : 'Enter a number above 0, such as 2 or 0.5.';

export const atFault = ({ at }: Question): string | undefined =>
  at === '' || instantOf(at) !== undefined
    ? undefined
    : 'Enter a date and a time, with a year of four digits.';

const explainPrice = (
  api: Api,
  place: Place,
  question: Question,
  signal: AbortSignal,
): Promise<Answer<Schemas['ProductPrice']>> => {
  const at = instantOf(question.at);
  return answerOf(
    api.GET('/v1/pricebooks/{priceBookId}/{productId}/{currency}', {
      params: {
        path: place,
        query: {
          explain: true,
          ...parameters(question),
          ...(at !== undefined && { at }),
        },
      },
      querySerializer,
      signal,
    }),
  );
};

const loadProduct = (
  api: Api,
  { priceBookId, productId }: Omit<Place, 'currency'>,
  question: Question,
  signal: AbortSignal,
): Promise<Answer<Schemas['Product']>> =>
  answerOf(
    api.GET('/v1/products/{productId}/pricebooks/{priceBookId}', {
      params: { path: { productId, priceBookId }, query: parameters(question) },
      querySerializer,
      signal,
    }),
  );

export interface AskedPrice {
  readonly question: Question;
  /** Now, whatever time is asked for; undefined where there is no price in the currency. */
  readonly listed: Schemas['ListedPrice'] | undefined;
  readonly explained: Answer<Schemas['ProductPrice']>;
}

const NO_PRICE: Problem = {
  status: 404,
  title: 'There is no such price',
  detail: 'The product has no list price in this currency now, in this book or in its bases.',
  errors: [],
};

/** The price now, and the explanation that was asked for, which is not requested where it is known that there is none. */
export const loadPrice = async (
  api: Api,
  place: Place,
  question: Question,
  signal: AbortSignal,
): Promise<Answer<AskedPrice>> => {
  const product = await loadProduct(api, place, question, signal);
  if (!product.ok) return product;
  const listed = product.data.prices.find(({ currency }) => currency === place.currency);
  const explained: AskedPrice['explained'] =
    question.at === '' && listed?.price === undefined
      ? { ok: false, problem: { ...NO_PRICE, ...listed?.problem } }
      : await explainPrice(api, place, question, signal);
  return { ...product, data: { question, listed, explained } };
};

export interface PriceHistory {
  readonly question: Question;
  readonly currency: string;
  readonly periods: readonly Schemas['PricePeriod'][];
  /** When it was asked. */
  readonly now: number;
}

const PAGE = 1_000;
const MAX_PAGES = 50;
/** Past everything that can be planned. */
const FOR_EVER = '9999-12-31T23:59:59.999Z';

const RESERVED = ['limit', 'cursor', 'to'];

/** All periods, planned ones too. */
export const loadHistory = async (
  api: Api,
  place: Place,
  question: Question,
  signal: AbortSignal,
): Promise<Answer<PriceHistory>> => {
  const periods: Schemas['PricePeriod'][] = [];
  const { quantity, properties } = parameters(question);
  // These mean something else here, and tables cannot read them.
  const read = Object.fromEntries(Object.entries(properties).filter(([name]) => !RESERVED.includes(name)));
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await answerOf(
      api.GET('/v1/pricebooks/{priceBookId}/{productId}/{currency}/history', {
        params: {
          path: place,
          query: {
            ...(quantity !== undefined && { quantity }),
            properties: read,
            limit: PAGE,
            to: FOR_EVER,
            ...(cursor !== undefined && { cursor }),
          },
        },
        querySerializer,
        signal,
      }),
    );
    if (!answer.ok) return answer;
    periods.push(...answer.data);
    cursor = nextCursor(answer.response);
    if (cursor === undefined) {
      return { ...answer, data: { question, currency: place.currency, periods, now: Date.now() } };
    }
  }
  return {
    ok: false,
    problem: {
      status: 0,
      title: 'There is too much history to draw',
      detail: `This price has more than ${(PAGE * MAX_PAGES).toLocaleString()} periods. Use the API to read them.`,
      errors: [],
    },
  };
};
