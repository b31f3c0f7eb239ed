/**
 * Whether the service and an oracle agree on prices with dates: random requests to a root book and two on top of it,
 * over HTTP, and random questions about the past, now and the future. The oracle takes the times of the events from
 * the answers; some boundaries pass while it is asked.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  createOracle,
  datedRequests,
  type Oracle,
  parameters,
  type RequestJson,
  setsWhatHasEnded,
} from '@pricebook/domain/testing';
import fc from 'fast-check';
import type { Answer, TestService } from './test-service';

type Send = TestService['request'];

interface Round {
  readonly requests: number;
  readonly questions: number;
  /** What is random follows from it. */
  readonly seed: number;
}

const BOOKS = 3;
const PRODUCTS = ['P', 'Q'];
/** Questions that are asked at once. */
const TOGETHER = 16;
/** As far as dates lie from now, in ms: both sides, most of them near, so that some pass during a round. */
const NEAR_MS = 400;
const FAR_MS = 100_000;

const iso = (time: number): string => new Date(time).toISOString();

const distances = fc.oneof(
  fc.integer({ min: -3, max: 12 }).map((n) => n * (NEAR_MS / 4)),
  fc.integer({ min: -5, max: 5 }).map((n) => n * (FAR_MS / 5)),
);

const textOf = (given: ReadonlyMap<string, readonly string[]>): string =>
  [...given]
    .flatMap(([name, values]) => values.map((value) => `${name}=${encodeURIComponent(value)}`))
    .join('&');

const expected = (answer: Answer, status: number): Answer => {
  if (answer.status !== status) throw new Error(`${String(answer.status)}: ${JSON.stringify(answer.body)}`);
  return answer;
};

const textIn = (answer: Answer, field: string): string =>
  String((answer.body as Readonly<Record<string, unknown>>)[field]);

const createChain = async (send: Send): Promise<readonly string[]> => {
  const books: string[] = [];
  for (let place = 0; place < BOOKS; place += 1) {
    const basePriceBookId = books.at(-1);
    const json = { name: `book ${String(place)}`, ...(basePriceBookId !== undefined && { basePriceBookId }) };
    books.push(textIn(expected(await send('POST', '/v1/pricebooks', { json }), 201), 'id'));
  }
  return books;
};

/** Carries a request out; the time of its event, and nothing where it was refused since it sets what has ended. */
const carryOut = async (send: Send, book: string, request: RequestJson): Promise<string | undefined> => {
  const { operation, body } = request;
  const path = `/v1/pricebooks/${book}`;
  if (operation === 'set') {
    const answer = await send('PUT', `${path}/prices`, { json: body });
    if (answer.status === 400 && setsWhatHasEnded(request, iso(Date.now()))) return undefined;
    return textIn(expected(answer, 200), 'updatedAt');
  }
  expected(await send('DELETE', `${path}/prices`, { json: body }), 204);
  return textIn(expected(await send('GET', path), 200), 'updatedAt');
};

interface Question {
  readonly place: number;
  readonly product: string;
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** Of now where it is absent. */
  readonly at?: number;
  readonly knownAt?: number;
}

/** The service checks a quantity whatever needs it, which the rules of prices know nothing of. */
const isQuantitySound = (given: Question['given']): boolean => {
  const [quantity = '1', ...others] = given.get('quantity') ?? [];
  return others.length === 0 && Number(quantity) > 0 && Number(quantity) < Infinity;
};

const price = (oracle: Oracle, { place, product, given }: Question, at: string, knownAt?: string): string => {
  if (!isQuantitySound(given)) return 'none';
  const answer = oracle.price(place, product, 'USD', given, at, knownAt);
  return 'price' in answer ? JSON.stringify([answer.price, answer.effectiveDate]) : 'none';
};

const ask = async (
  send: Send,
  oracle: Oracle,
  books: readonly string[],
  boundaries: readonly string[],
  question: Question,
): Promise<string | undefined> => {
  const { place, product, given, at, knownAt } = question;
  const query = [
    textOf(given),
    at === undefined ? '' : `at=${iso(at)}`,
    at === undefined || knownAt === undefined ? '' : `knownAt=${iso(knownAt)}`,
  ].filter((part) => part !== '');
  const path = `/v1/pricebooks/${String(books[place])}/${product}/USD?${query.join('&')}`;
  const began = iso(Date.now());
  const answer = await send('GET', path);
  const ended = iso(Date.now());
  if (![200, 400, 404].includes(answer.status)) return `${path}: ${String(answer.status)}`;
  const body = answer.body as Readonly<Record<string, unknown>>;
  const found = answer.status === 200 ? JSON.stringify([body['price'], body['effectiveDate']]) : 'none';
  // A current price is of some instant while it was asked.
  const instants =
    at === undefined ? [began, ...boundaries.filter((one) => one > began && one <= ended), ended] : [iso(at)];
  const known = at === undefined || knownAt === undefined ? undefined : iso(knownAt);
  const right = instants.map((instant) => price(oracle, question, instant, known));
  if (!right.includes(found)) return `${path}: ${found}, and should be ${right.join(' or ')}`;
  return at === undefined || body['validUntil'] === undefined
    ? undefined
    : wrongEnd(path, body['validUntil'], oracle, boundaries, question, iso(at), known);
};

const wrongEnd = (
  path: string,
  validUntil: unknown,
  oracle: Oracle,
  boundaries: readonly string[],
  question: Question,
  at: string,
  knownAt: string | undefined,
): string | undefined => {
  const amount = (instant: string): unknown => {
    // As it was planned at the instant that was asked for.
    const known = knownAt !== undefined && knownAt < at ? knownAt : at;
    const { place, product, given } = question;
    const answer = oracle.price(place, product, 'USD', given, instant, known);
    return 'price' in answer ? answer.price : undefined;
  };
  const now = amount(at);
  const right = boundaries.find((instant) => instant > at && amount(instant) !== now) ?? null;
  return validUntil === right
    ? undefined
    : `${path}: until ${String(validUntil)}, and should be ${String(right)}`;
};

/** @returns what the two do not agree on. */
export const agreeOnDatedPrices = async (
  send: Send,
  { requests, questions, seed }: Round,
): Promise<readonly string[]> => {
  const books = await createChain(send);
  const oracle = createOracle(BOOKS);
  const start = Date.now();
  const boundaries = new Set<string>();
  const instants = distances.map((distance) => iso(start + distance));
  const steps = fc.sample(fc.tuple(fc.nat(BOOKS - 1), datedRequests(instants)), { seed, numRuns: requests });
  for (const [place, request] of steps) {
    const occurredAt = await carryOut(send, String(books[place]), request);
    if (occurredAt === undefined) continue;
    oracle.request(place, request, occurredAt);
    for (const [bound] of JSON.stringify(request).matchAll(/(?<=valid(?:From|Until)":")[^"]*/g)) {
      boundaries.add(bound);
    }
    await delay(1);
  }
  const sorted = [...boundaries].sort();
  const asked = fc.sample(
    fc.record(
      {
        place: fc.nat(BOOKS - 1),
        product: fc.constantFrom(...PRODUCTS),
        // A query cannot hold a parameter without a value.
        given: parameters.map((given) => new Map([...given].filter(([, values]) => values.length > 0))),
        at: distances,
        knownAt: fc.integer({ min: -NEAR_MS, max: 0 }),
      },
      { requiredKeys: ['place', 'product', 'given'] },
    ),
    { seed, numRuns: questions },
  );
  const faults: string[] = [];
  for (let first = 0; first < asked.length; first += TOGETHER) {
    const now = Date.now();
    const answers = await Promise.all(
      asked.slice(first, first + TOGETHER).map(({ at, knownAt, ...question }) =>
        ask(send, oracle, books, sorted, {
          ...question,
          ...(at !== undefined && { at: now + at }),
          ...(knownAt !== undefined && { knownAt: now + knownAt }),
        }),
      ),
    );
    faults.push(...answers.filter((fault) => fault !== undefined));
  }
  return faults;
};
