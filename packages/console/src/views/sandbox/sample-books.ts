/** The sample of `npm run demo`: a list, partner prices based on it, and gold prices based on those. */
import { v4 as newId } from 'uuid';
import { type Answer, answerOf, type Api, type Problem, type Schemas } from '../../api/client';

type Prices = Schemas['SetProductPrices'];

/** Data of the service, not code: each file is a chunk that is loaded on request. */
const FILES = import.meta.glob<string>('../../../../service/sample/*.json', {
  query: '?raw',
  import: 'default',
});

const loadFile = async (name: string): Promise<Prices> => {
  const load = FILES[`../../../../service/sample/${name}`];
  if (load === undefined) throw new Error(`the sample has no file ${name}`);
  return JSON.parse(await load()) as Prices;
};

const loadSample = async (): Promise<{ readonly prices: Prices; readonly ownPercents: Prices }> => {
  const [prices, ownPercents] = await Promise.all([
    loadFile('sample-price-list.json'),
    loadFile('sample-own-percents.json'),
  ]);
  return { prices, ownPercents };
};

const allProducts = (percents: Readonly<Record<string, number>>): Prices => ({
  productId: 'all',
  adjustments: Object.fromEntries(
    Object.entries(percents).map(([currency, amount]) => [currency, { type: 'percent', amount }]),
  ),
});

/** What the partner has of its own; every other product follows the list. */
const PARTNER_ITEMS: Prices = [
  { productId: 'HW-MON-27-QHD', adjustments: { USD: { type: 'override', amount: 199 } } },
  {
    productId: 'HW-SRV-2U-32C-512G',
    adjustments: { USD: { type: 'percent', amount: -25 }, EUR: { type: 'percent', amount: -25 } },
  },
];

const NOT_LOADED: Problem = {
  status: 0,
  title: 'The sample data could not be loaded',
  detail: 'Nothing was lost. Try again when the service or your connection is back.',
  errors: [],
};

export interface SampleLoad {
  /**
   * Creates and fills the books. After a failure it can be called again, and goes on: what was done is not done twice.
   *
   * @returns the id of the list.
   */
  readonly run: () => Promise<Answer<string>>;
}

/** @param onProgress told how many of how many writes are done. */
export const createSampleLoad = (api: Api, onProgress: (done: number, of: number) => void): SampleLoad => {
  /** Of each write; a retry after a lost answer uses the same. */
  const keys = Array.from({ length: 9 }, () => newId());
  const answers = new Map<number, Answer<string>>();

  const write = async (
    place: number,
    send: (key: string) => Promise<Answer<string>>,
  ): Promise<Answer<string>> => {
    const known = answers.get(place);
    if (known !== undefined) return known;
    const answer = await send(keys[place] ?? newId());
    if (answer.ok) {
      answers.set(place, answer);
      onProgress(answers.size, keys.length);
    }
    return answer;
  };

  const create = (place: number, name: string, basePriceBookId?: string): Promise<Answer<string>> =>
    write(place, async (key) => {
      const answer = await answerOf(
        api.POST('/v1/pricebooks', {
          params: { header: { 'Idempotency-Key': key } },
          body: {
            name,
            description: 'Sample data, made by the console.',
            ...(basePriceBookId !== undefined && { basePriceBookId }),
          },
        }),
      );
      return answer.ok ? { ...answer, data: answer.data.id } : answer;
    });

  const set = (place: number, bookId: string, body: Prices): Promise<Answer<string>> =>
    write(place, async (key) => {
      const answer = await answerOf(
        api.PUT('/v1/pricebooks/{priceBookId}/prices', {
          params: { path: { priceBookId: bookId }, header: { 'Idempotency-Key': key } },
          body,
        }),
      );
      return answer.ok ? { ...answer, data: bookId } : answer;
    });

  return {
    run: async () => {
      const sample = await loadSample().catch(() => undefined);
      if (sample === undefined) return { ok: false, problem: NOT_LOADED };
      const list = await create(0, 'Sample list prices');
      if (!list.ok) return list;
      const partner = await create(1, 'Sample partner prices', list.data);
      if (!partner.ok) return partner;
      const gold = await create(2, 'Sample gold prices', partner.data);
      if (!gold.ok) return gold;
      const fillings: readonly (readonly [bookId: string, prices: Prices])[] = [
        [list.data, sample.prices],
        // In a request of their own, which names a product once: these change list prices that are there.
        [list.data, sample.ownPercents],
        [list.data, allProducts({ JPY: 10, BHD: 5 })],
        [partner.data, allProducts({ USD: -15, EUR: -15, GBP: -15, JPY: -15, BHD: -15 })],
        [partner.data, PARTNER_ITEMS],
        [gold.data, allProducts({ USD: -5, EUR: -5 })],
      ];
      for (const [place, [bookId, prices]] of fillings.entries()) {
        const answer = await set(3 + place, bookId, prices);
        if (!answer.ok) return answer;
      }
      return list;
    },
  };
};
