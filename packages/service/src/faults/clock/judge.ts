/** Whether the histories of books hold what was acknowledged, in order, and prices at times follow from them. */
import type { PriceBookEvent, PriceBookId } from '@pricebook/domain';
import type { Client } from '../client';
import { createExpectedPrices } from '../expected-prices';
import type { Random } from '../random';
import { type Acknowledged, type Books, OWN_PRODUCT, PRODUCTS } from './load';

interface Entry {
  readonly book: PriceBookId;
  readonly revision: number;
  readonly type: string;
  readonly occurredAt: string;
  readonly actor: string;
  readonly requestId: string;
  readonly data: unknown;
}

const PAGE = 1_000;

const readHistory = async (client: Client, book: string): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  let path: string | undefined = `/v1/pricebooks/${book}/events?limit=${String(PAGE)}`;
  while (path !== undefined) {
    const { body, next } = await client.send({ method: 'GET', path });
    for (const entry of body as readonly Omit<Entry, 'book'>[])
      entries.push({ ...entry, book: book as PriceBookId });
    path = next;
  }
  return entries;
};

const judgeOrder = (
  history: readonly Entry[],
  acknowledged: readonly Acknowledged[],
  tell: (fault: string) => void,
): void => {
  history.forEach(({ revision, occurredAt, book }, index) => {
    const before = history[index - 1];
    if (revision !== index) tell(`${book}: revision ${String(revision)} stands at place ${String(index)}`);
    if (before !== undefined && occurredAt < before.occurredAt) {
      tell(`${book}: revision ${String(revision)} occurred at ${occurredAt}, before ${before.occurredAt}`);
    }
  });
  for (const { book, revision, requestId } of acknowledged) {
    if (history[revision]?.requestId !== requestId)
      tell(`${book}: ${requestId} is not at ${String(revision)}`);
  }
};

/** A price at a time, over HTTP, and of all events up to it. */
const judgePriceAt = async (
  client: Client,
  histories: readonly Entry[],
  book: string,
  product: string,
  at: string,
): Promise<string | undefined> => {
  const expected = createExpectedPrices();
  for (const { book: of, type, data, revision, occurredAt, actor } of histories) {
    if (occurredAt > at) continue;
    await expected.apply(of, { type, data } as PriceBookEvent, { revision, occurredAt, actor });
  }
  const price = await expected.of(book, product);
  const path = `/v1/pricebooks/${book}/${product}/USD?at=${at}`;
  const { status, body } = await client.send({ method: 'GET', path });
  const found = body as { readonly price?: number; readonly effectiveDate?: string };
  const isRight =
    price === undefined
      ? status === 404
      : status === 200 && found.price === price.price && found.effectiveDate === price.effectiveDate;
  return isRight ? undefined : `${path}: ${JSON.stringify(body)}, not ${JSON.stringify(price)}`;
};

export const judge = async (
  client: Client,
  { root, derived }: Books,
  acknowledged: readonly Acknowledged[],
  questions: number,
  random: Random,
  tell: (fault: string) => void,
): Promise<void> => {
  const histories = await Promise.all([root, derived].map((book) => readHistory(client, book)));
  [root, derived].forEach((book, index) => {
    judgeOrder(
      histories[index] ?? [],
      acknowledged.filter((one) => one.book === book),
      tell,
    );
  });
  const all = histories.flat();
  for (let n = 0; n < questions; n += 1) {
    const near = all[random.below(all.length)];
    if (near === undefined) continue;
    const at = new Date(Date.parse(near.occurredAt) + random.pick([-1, 0, 0, 1])).toISOString();
    const product = random.pick([...PRODUCTS, OWN_PRODUCT]);
    const fault = await judgePriceAt(client, all, random.pick([root, derived]), product, at);
    if (fault !== undefined) tell(fault);
  }
};
