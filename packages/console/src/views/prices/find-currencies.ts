/** In which currencies a book has prices, as far as a glance shows: what is seen of its products, and its percents. */
import { type Answer, answerOf, type Api, type Schemas } from '../../api/client';

const GLANCE = 50;

const inBook = async (api: Api, id: string, signal: AbortSignal): Promise<Answer<readonly string[]>> => {
  const path = { priceBookId: id };
  const [own, percents] = await Promise.all([
    answerOf(
      api.GET('/v1/pricebooks/{priceBookId}/prices', { params: { path, query: { limit: GLANCE } }, signal }),
    ),
    answerOf(api.GET('/v1/pricebooks/{priceBookId}/percents', { params: { path }, signal })),
  ]);
  if (!own.ok) return own;
  if (!percents.ok) return percents;
  const products = typeof own.data === 'string' ? [] : own.data;
  const ofProducts = products.flatMap((one) =>
    Object.keys({ ...one.adjustments, ...one.percents, ...one.dated }),
  );
  return { ...own, data: [...new Set([...ofProducts, ...Object.keys(percents.data)])] };
};

/** Where the book has none itself, those of its nearest base that has some. */
export const findCurrencies = async (
  api: Api,
  { id, basePriceBookId }: Pick<Schemas['PriceBook'], 'id' | 'basePriceBookId'>,
  signal: AbortSignal,
): Promise<Answer<readonly string[]>> => {
  const found = await inBook(api, id, signal);
  if (!found.ok || found.data.length > 0 || basePriceBookId === undefined) return found;
  const base = await answerOf(
    api.GET('/v1/pricebooks/{priceBookId}', { params: { path: { priceBookId: basePriceBookId } }, signal }),
  );
  return base.ok ? findCurrencies(api, base.data, signal) : base;
};
