/** Whether the histories of books hold what was acknowledged, in order, and prices at times follow from them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { PriceBookEvent, PriceBookId } from '@pricebook/domain';
import type { Answer, Client } from '../client';
import { createExpectedPrices, type ExpectedPrices } from '../expected-prices';
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
const TRIES = 10;
const PAUSE_MS = 200;

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

interface Question {
  readonly book: string;
  readonly product: string;
  readonly at: string;
}

/** A store that is too slow for the moment is asked again, as it asks for. */
const askAgain = async (client: Client, path: string): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await client.send({ method: 'GET', path });
    if (answer.status !== 503 || tries === TRIES) return answer;
    await delay(PAUSE_MS);
  }
};

/** A price at a time, over HTTP, beside that of the events up to it. */
const judgePriceAt = async (
  client: Client,
  { book, product, at }: Question,
  expected: ExpectedPrices,
): Promise<string | undefined> => {
  const price = await expected.of(book, product);
  const path = `/v1/pricebooks/${book}/${product}/USD?at=${at}`;
  const { status, body } = await askAgain(client, path);
  const found = body as { readonly price?: number; readonly effectiveDate?: string };
  const isRight =
    price === undefined
      ? status === 404
      : status === 200 && found.price === price.price && found.effectiveDate === price.effectiveDate;
  return isRight ? undefined : `${path}: ${JSON.stringify(body)}, not ${JSON.stringify(price)}`;
};

const byTime = (one: { readonly at: string }, other: { readonly at: string }): number =>
  one.at < other.at ? -1 : Number(one.at > other.at);

export const judge = async (
  client: Client,
  { root, derived }: Books,
  acknowledged: readonly Acknowledged[],
  questions: number,
  random: Random,
  tell: (fault: string) => void,
): Promise<void> => {
  const histories: (readonly Entry[])[] = [];
  for (const book of [root, derived]) {
    const history = await readHistory(client, book);
    judgeOrder(
      history,
      acknowledged.filter((one) => one.book === book),
      tell,
    );
    histories.push(history);
  }
  const all = histories.flat();
  const asked = Array.from({ length: questions }, (): Question => {
    const near = all[random.below(all.length)]?.occurredAt ?? '';
    return {
      book: random.pick([root, derived]),
      product: random.pick([...PRODUCTS, OWN_PRODUCT]),
      at: new Date(Date.parse(near) + random.pick([-1, 0, 0, 1])).toISOString(),
    };
  }).sort(byTime);
  // The sort keeps the order of a book among events of one instant.
  const events = all.map((entry) => ({ ...entry, at: entry.occurredAt })).sort(byTime);
  const expected = createExpectedPrices();
  let applied = 0;
  for (const question of asked) {
    for (; applied < events.length; applied += 1) {
      const event = events[applied];
      if (event === undefined || event.at > question.at) break;
      const { book, type, data, revision, occurredAt, actor } = event;
      await expected.apply(book, { type, data } as PriceBookEvent, { revision, occurredAt, actor });
    }
    const fault = await judgePriceAt(client, question, expected);
    if (fault !== undefined) tell(fault);
  }
};
