import { type Answer, answerOf, type Api, type Schemas } from '../api/client';
import { nextCursor } from '../api/next-cursor';

type PriceBook = Schemas['PriceBook'];

const PAGE = 100;

export interface Page {
  readonly books: readonly PriceBook[];
  readonly cursor: string | undefined;
}

interface Asked {
  readonly name: string;
  readonly cursor?: string | undefined;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** A page of books, by name. */
export const loadPage = async (
  api: Api,
  { name, cursor, limit = PAGE, signal }: Asked,
): Promise<Answer<Page>> => {
  const answer = await answerOf(
    api.GET('/v1/pricebooks', {
      params: {
        query: { limit, sort: 'name', ...(name !== '' && { name }), ...(cursor && { cursor }) },
      },
      ...(signal && { signal }),
    }),
  );
  if (!answer.ok) return answer;
  return { ...answer, data: { books: answer.data, cursor: nextCursor(answer.response) } };
};
