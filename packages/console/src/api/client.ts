/** The API of the service that served this page, typed by its own OpenAPI document. */
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];
export type Api = Client<paths>;

/** So long a request may take, in milliseconds; where the answer is a stream, until it begins. */
const TIME_LIMIT = 30_000;

/** Where the API is: beside the page, also below the path of a proxy. */
export const BASE = new URL('.', document.baseURI).href.replace(/\/$/, '');

/** A fault of a request, at the part of its body that the pointer names. */
export type Fault = Schemas['Fault'];

/** Why a request was refused, or could not be sent. */
export interface Problem {
  /** 0 where the service could not be reached. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly Fault[];
}

export const UNREACHABLE: Problem = {
  status: 0,
  title: 'The service cannot be reached',
  detail: 'Nothing was lost. Try again when the service or your connection is back.',
  errors: [],
};

/** Of what should not fail: the page itself is at fault. */
export const failureOf = (failure: unknown): Problem => ({
  status: 0,
  title: 'The page failed',
  detail: `Reload the page. If it fails again, report this to the operator of the service: ${String(failure)}`,
  errors: [],
});

const textIn = (body: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : undefined;
};

const problemOf = (status: number, body: unknown): Problem => {
  const found = typeof body === 'object' && body !== null ? body : {};
  const errors: unknown = Reflect.get(found, 'errors');
  return {
    status,
    title: textIn(found, 'title') ?? `The service answered with status ${String(status)}`,
    detail: textIn(found, 'detail') ?? '',
    errors: Array.isArray(errors) ? (errors as Fault[]) : [],
  };
};

/** What is wrong with one part of a request; undefined where nothing is. */
export const faultAt = (problem: Problem | undefined, pointer: string): string | undefined =>
  problem?.errors.find((fault) => fault.pointer === pointer)?.detail;

export type Answer<A> =
  | { readonly ok: true; readonly data: A; readonly response: Response }
  | { readonly ok: false; readonly problem: Problem };

interface Fetched<A> {
  readonly data?: A;
  readonly error?: unknown;
  readonly response: Response;
}

/** The outcome of a request as a value: nothing is thrown, unless the request was aborted. */
export const answerOf = async <A>(request: Promise<Fetched<A>>): Promise<Answer<A>> => {
  let fetched: Fetched<A>;
  try {
    fetched = await request;
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    return { ok: false, problem: UNREACHABLE };
  }
  const { data, error, response } = fetched;
  return response.ok
    ? { ok: true, data: data as A, response }
    : { ok: false, problem: problemOf(response.status, error) };
};

const KEY_HEADER = 'x-api-key';

/** @param onRefused called when the service does not accept the key any more. */
export const createApi = (key: () => string, onRefused: () => void): Api => {
  const api = createClient<paths>({ baseUrl: BASE });
  const beginnings = new WeakMap<Request, ReturnType<typeof setTimeout>>();
  api.use({
    onRequest: ({ request, options }) => {
      request.headers.set(KEY_HEADER, key());
      const limit = new AbortController();
      const limited = new Request(request, { signal: AbortSignal.any([request.signal, limit.signal]) });
      const timer = setTimeout(() => {
        limit.abort(new DOMException('It takes too long', 'TimeoutError'));
      }, TIME_LIMIT);
      if (options.parseAs === 'stream') beginnings.set(limited, timer);
      return limited;
    },
    onResponse: ({ request, response }) => {
      clearTimeout(beginnings.get(request));
      // Of a request that was on its way when another key came, nothing follows.
      if (response.status === 401 && request.headers.get(KEY_HEADER) === key()) onRefused();
    },
  });
  return api;
};
