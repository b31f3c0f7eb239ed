/** What the commands for prices ask of a running service. */
import * as E from 'fp-ts/Either';
import { CSV_HEAD } from '@pricebook/domain';
import { changeReasonHeader } from '@pricebook/http';
import type { NamedBook } from '../command-line/named-book';
import { addressOf, reasonOf } from '../command-line/service-address';

/** As long as the whole answer to a request may take; that of a book as CSV takes as long as it comes. */
const TIMEOUT_MS = 60_000;

interface BodyFault {
  readonly pointer: string;
  readonly detail: string;
}

export type ServiceFailure =
  /** Nobody answers, or what answers is no price book service. */
  | { readonly _tag: 'Unreachable'; readonly reason: string }
  | { readonly _tag: 'Stranger'; readonly status: number }
  /** It is to be asked again. */
  | { readonly _tag: 'Busy'; readonly afterMs: number; readonly detail: string }
  | {
      readonly _tag: 'Refused';
      readonly status: number;
      readonly detail: string;
      readonly errors: readonly BodyFault[];
    };

export type Asked<A> = Promise<E.Either<ServiceFailure, A>>;

interface PricesAsCsv {
  readonly revision: number;
  /** The last one is a failure where the answer broke off. */
  readonly pieces: AsyncIterable<E.Either<ServiceFailure, Uint8Array>>;
}

export interface PriceService {
  /** Such as http://127.0.0.1:3000. */
  readonly address: string;
  /** All books. */
  readonly books: () => Asked<readonly NamedBook[]>;
  /** At which revision the book is. */
  readonly revisionOf: (bookId: string) => Asked<number>;
  /** The same, of a book that the key may write to. It is asked for by a write that sets nothing. */
  readonly writableRevisionOf: (bookId: string) => Asked<number>;
  /** All prices as CSV, and the revision with which they begin. */
  readonly prices: (bookId: string) => Asked<PricesAsCsv>;
  /** Sets prices; the revision that this has brought the book to, also where that was done before under the key. */
  readonly setPrices: (bookId: string, csv: string, idempotencyKey: string) => Asked<number>;
}

const CSV_TYPE = 'text/csv';
const BUSY: readonly number[] = [429, 503];

const failureIn = async (answer: Response): Promise<ServiceFailure> => {
  const { status, headers } = answer;
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true) {
    return { _tag: 'Stranger', status };
  }
  const { detail, errors = [] } = (await answer.json()) as {
    readonly detail: string;
    readonly errors?: readonly BodyFault[];
  };
  if (!BUSY.includes(status)) return { _tag: 'Refused', status, detail, errors };
  return { _tag: 'Busy', afterMs: Number(headers.get('retry-after') ?? 0) * 1_000, detail };
};

const unreachable = (failure: unknown): E.Left<ServiceFailure> => ({
  _tag: 'Left',
  left: { _tag: 'Unreachable', reason: reasonOf(failure) },
});

const piecesOf = async function* ({ body }: Response): AsyncGenerator<E.Either<ServiceFailure, Uint8Array>> {
  try {
    for await (const piece of body ?? []) yield E.right(piece);
  } catch (failure) {
    yield unreachable(failure);
  }
};

/** Proxies that compress make tags weak, or put a word after them. The revision is the same. */
const tagged = /^(?:W\/)?"(\d+)(?:-[\w-]+)?"$/;

const revisionIn = (answer: Response): E.Either<ServiceFailure, number> => {
  const revision = tagged.exec(answer.headers.get('etag') ?? '')?.[1];
  return revision === undefined
    ? E.left({ _tag: 'Stranger', status: answer.status })
    : E.right(Number(revision));
};

/** Whether a key can be in a header. */
export const isHeaderText = (key: string): boolean => /^[\x21-\x7e]+$/.test(key);

/**
 * @param signal breaks off what is being asked.
 * @throws Error where the address cannot be one, with a message for the person at the terminal.
 */
export const createAsk = (url: string, signal: AbortSignal) => {
  const address = addressOf(url);
  const ask = async <A>(
    path: string,
    options: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly signal?: AbortSignal;
    },
    read: (answer: Response) => Promise<E.Either<ServiceFailure, A>>,
  ): Asked<A> => {
    try {
      const answer = await fetch(address + path, {
        ...options,
        signal: options.signal ?? AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return await (answer.ok ? read(answer) : failureIn(answer).then(E.left));
    } catch (failure) {
      return unreachable(failure);
    }
  };
  return { address, ask };
};

/**
 * @param signal breaks off what is being asked.
 * @param reason why prices are set; absent for none.
 * @throws Error where the address or the key cannot be one, with a message for the person at the terminal.
 */
export const createPriceService = (
  url: string,
  key: string | undefined,
  signal: AbortSignal,
  reason?: string,
): PriceService => {
  const { address, ask } = createAsk(url, signal);
  if (key === undefined || !isHeaderText(key)) {
    throw new Error('The key for the service is read from PRICEBOOK_KEY in the environment.');
  }
  const asOwner = { 'x-api-key': key };
  const why = reason === undefined ? {} : changeReasonHeader(reason);

  /** The body of an answer has to be taken for the connection to serve again. */
  const revision = async (answer: Response): Asked<number> => {
    await answer.arrayBuffer();
    return revisionIn(answer);
  };

  const putPrices = (
    bookId: string,
    csv: string,
    headers: Readonly<Record<string, string>> = {},
  ): Asked<number> =>
    ask(
      `/v1/pricebooks/${bookId}/prices`,
      {
        method: 'PUT',
        headers: { ...asOwner, 'content-type': `${CSV_TYPE}; charset=utf-8`, ...why, ...headers },
        body: csv,
      },
      revision,
    );

  return {
    address,
    books: () =>
      ask('/v1/pricebooks', { headers: asOwner }, async (answer) =>
        E.right((await answer.json()) as readonly NamedBook[]),
      ),
    revisionOf: (bookId) => ask(`/v1/pricebooks/${bookId}`, { headers: asOwner }, revision),
    prices: (bookId) =>
      ask(
        `/v1/pricebooks/${bookId}/prices`,
        { headers: { ...asOwner, accept: CSV_TYPE }, signal },
        (answer) => {
          const found = revisionIn(answer);
          const isCsv = answer.headers.get('content-type')?.startsWith(CSV_TYPE) === true;
          if (E.isLeft(found)) return Promise.resolve(found);
          return Promise.resolve(
            isCsv
              ? E.right({ revision: found.right, pieces: piecesOf(answer) })
              : E.left({ _tag: 'Stranger', status: answer.status }),
          );
        },
      ),
    writableRevisionOf: (bookId) => putPrices(bookId, CSV_HEAD),
    setPrices: (bookId, csv, idempotencyKey) => putPrices(bookId, csv, { 'idempotency-key': idempotencyKey }),
  };
};
