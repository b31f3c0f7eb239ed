/** The real service on a folder of its own, for tests: nothing is replaced but the log, which is silent. */
import fs from 'node:fs';
import pino from 'pino';
import { type Configuration, newFolder, serve } from '@pricebook/service/testing';

export { newFolder };

export const TEST_KEY = 'a-bootstrap-key-for-tests';

/** An answer, with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where the answer is JSON; the text otherwise. */
  readonly body: unknown;
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

export interface TestService {
  /** Such as http://127.0.0.1:40000, without the path /v1. */
  readonly url: string;
  readonly folder: string;
  readonly stores: TestStores;
  /** Asks with the test key; the path begins at the root, such as /v1/pricebooks. */
  readonly request: (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
  /** Lets the service take it for so much later than it is. */
  readonly setAhead: (ms: number) => void;
  /** Stops its clock at a time, in ms since 1970. */
  readonly stopClockAt: (time: number) => void;
  /** Stops the service in order; the folder stays until `remove`. */
  readonly stop: () => Promise<void>;
  readonly remove: () => void;
}

/** The whole text; of a stream that goes on for ever what comes first. */
const textOf = async (answer: Response): Promise<string> => {
  const isEndless = answer.headers.get('content-type') === 'text/event-stream';
  if (!isEndless || answer.body === null) return answer.text();
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) return Buffer.from(chunk).toString();
  return '';
};

/** Asks a service with the test key. */
export const requestTo =
  (url: string): TestService['request'] =>
  async (method, target, { headers = {}, json, raw } = {}) => {
    const body = json === undefined ? raw : JSON.stringify(json);
    const answer = await fetch(url + target, {
      method,
      headers: {
        'x-api-key': TEST_KEY,
        // Compressed answers have tags of their own.
        'accept-encoding': 'identity',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await textOf(answer);
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  };

/** Where a service keeps what it keeps; by default in its folder. */
export type TestStores = Partial<Pick<Configuration, 'eventStoreDbUrl' | 'mongoDbUrl' | 'projector'>>;

type TestSettings = TestStores & Partial<Pick<Configuration, 'allowedOrigins' | 'priceCaching'>>;

/** Starts a service on a free port. Without a folder it gets a new one. */
export const startTestService = async (
  folder: string = newFolder(),
  stores: TestSettings = {},
): Promise<TestService> => {
  let aheadMs = 0;
  let stoppedAt: number | undefined;
  const service = await serve({
    configuration: {
      port: 0,
      host: '127.0.0.1',
      dataFolder: folder,
      eventStoreDbUrl: undefined,
      mongoDbUrl: undefined,
      projector: 'inline',
      allowedOrigins: [],
      priceCaching: 'no-store',
      ...stores,
      bootstrapKey: TEST_KEY,
      rateLimit: 0,
      trustedProxies: 0,
      webhookKey: 'a-webhook-key-for-tests-0123456789',
      webhookReceivers: { hosts: new Set(['127.0.0.1']), networks: [] },
      logLevel: 'silent',
    },
    logger: pino({ level: 'silent' }),
    clock: { now: () => new Date(stoppedAt ?? Date.now() + aheadMs).toISOString() },
    signal: new AbortController().signal,
    // Nobody waits for 15 s in a test.
    followerLimits: { all: 2_000, ofKey: 600, heartbeatMs: 100 },
  });
  return {
    url: service.address,
    folder,
    request: requestTo(service.address),
    stores,
    setAhead: (ms) => {
      aheadMs = ms;
    },
    stopClockAt: (time) => {
      stoppedAt = time;
    },
    stop: service.stop,
    remove: () => {
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
