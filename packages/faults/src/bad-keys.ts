/** Every operation with every kind of bad key, and with every scope that is too small for it. */
import http from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type PriceBooks,
  type Scope,
  SCOPES,
  type SelectionRules,
  type Webhooks,
} from '@pricebook/application';
import { createInMemoryEventStore, createInMemoryKeyUses } from '@pricebook/application/in-memory';
import { apiRoutes, createHttpApp, createHttpServer } from '@pricebook/http';
import * as TE from 'fp-ts/TaskEither';
import pino from 'pino';
import { createClosers, listen, openKeys, serve, systemClock, systemIds } from '@pricebook/service/testing';
import { type BadKey, badKeys, type GoodKeys } from './bad-key-kinds';
import type { Campaign } from './campaign';

const BOOTSTRAP_KEY = 'a-bootstrap-key-for-campaigns';
const REQUEST_ID = 'campaign';
/** As long as a key takes to expire: it is issued first, and used last. */
const EXPIRY_MS = 1_000;
const BOOK = '01a1fced-c116-737b-90d3-d0ce7dc012dc';

const logger = pino({ level: 'silent' });

/** A service under attack. */
interface Target {
  readonly name: string;
  readonly url: string;
  /** How much it has done that only a handler does. */
  readonly done: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  /** All that could tell one refusal from another. */
  readonly all: string;
  readonly body: string;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | undefined;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

let sent = 0;
/** Each request comes from another address, as a proxy tells it: who brings bad keys too often is told no more. */
const nextAddress = (): string => {
  sent += 1;
  return `10.${[16, 8, 0].map((bits) => String((sent >> bits) & 255)).join('.')}`;
};

/** With Node's own client: fetch sends no header twice, and takes no bytes that are not Latin. */
const send = (url: string, { method, path: target, headers = {}, body }: Request): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = http.request(
      url + target,
      {
        agent,
        method: method.toUpperCase(),
        headers: {
          ...(headers as http.OutgoingHttpHeaders),
          'x-request-id': REQUEST_ID,
          'x-forwarded-for': nextAddress(),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          const { date, ...others } = response.headers;
          const kept = JSON.stringify({ ...others, hasDate: date !== undefined });
          const status = response.statusCode ?? 0;
          resolve({ status, body: text, all: `${String(status)} ${kept} ${text}` });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });

/** Some body is right for each operation that takes one. */
const BODIES = [
  undefined,
  '{"name":"A"}',
  '[]',
  '[{"productId":"P","currency":"USD"}]',
  '{"name":"A","scopes":["read"]}',
  '{"context":{"group":["gold"]},"lines":[{"productId":"P","currency":"USD"}]}',
  `{"name":"A","priority":0,"priceBookId":"${BOOK}","conditions":[]}`,
  '{"url":"https://shop.example/prices"}',
];

/** Every operation as a request, with what stands for the variables of its path. */
const operationsOn = (variables: Readonly<Record<string, string>>) =>
  apiRoutes.map(({ method, path: pattern, scope }) => ({
    method,
    scope,
    path: pattern.replaceAll(/:(\w+)/g, (_, name: string) => variables[name] ?? 'P'),
  }));

type Operation = ReturnType<typeof operationsOn>[number];

const nameOf = ({ method, path: target }: Pick<Operation, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${target}`;

/** The real service on a folder: what it has done are its events. */
const startReal = async (folder: string): Promise<Target> => {
  const { address: url, stop } = await serve({
    configuration: {
      port: 0,
      host: '127.0.0.1',
      dataFolder: folder,
      eventStoreDbUrl: undefined,
      mongoDbUrl: undefined,
      projector: 'inline',
      bootstrapKey: BOOTSTRAP_KEY,
      logLevel: 'silent',
      rateLimit: 0,
      trustedProxies: 1,
      webhookKey: undefined,
      webhookReceivers: { hosts: new Set(), networks: [] },
      allowedOrigins: [],
      priceCaching: 'no-store',
    },
    logger,
    signal: new AbortController().signal,
  });
  const done = async (): Promise<number> => {
    const { body } = await send(url, { method: 'get', path: '/health/ready' });
    const { projection } = JSON.parse(body) as { readonly projection: { readonly head: string | null } };
    return Number(projection.head ?? 0);
  };
  return { name: 'the service', url, done, stop };
};

/** The application with its real keys, and use cases that do nothing but count that somebody came to them. */
const startCounting = async (): Promise<Target> => {
  const closers = createClosers();
  const { keyring, apiKeys } = await openKeys(
    createInMemoryEventStore(),
    createInMemoryKeyUses(),
    { configuration: { bootstrapKey: BOOTSTRAP_KEY }, logger, clock: systemClock },
    closers,
  );
  let reached = 0;
  const counted = <A extends object>(useCases: A): A =>
    new Proxy(useCases, {
      get: (target, name, receiver) => {
        reached += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
  const refusing = new Proxy({} as PriceBooks, {
    get: () => () => TE.left({ _tag: 'PriceBookNotFound' }),
  });
  const refusingRules = new Proxy({} as SelectionRules, {
    get: () => () => TE.left({ _tag: 'SelectionRuleNotFound' }),
  });
  const noWebhooks = new Proxy({} as Webhooks, {
    get: () => () => TE.left({ _tag: 'WebhookNotFound' }),
  });
  const server = createHttpServer(
    createHttpApp({
      priceBooks: counted(refusing),
      apiKeys: counted(apiKeys),
      selectionRules: counted(refusingRules),
      webhooks: counted(noWebhooks),
      keyring,
      readiness: () => Promise.reject(new Error('nobody asks')),
      logger,
      clock: systemClock,
      newRequestId: systemIds.newCommandId,
      stopping: new AbortController().signal,
      trustedProxies: 1,
    }),
    logger,
  );
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    name: 'the application',
    url,
    done: () => Promise.resolve(reached),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await closers.closeAll();
    },
  };
};

/** Issues the keys with which it is tried: one of each scope, one that has expired, one that is revoked. */
const issueKeys = async (url: string): Promise<GoodKeys> => {
  const headers = { 'x-api-key': BOOTSTRAP_KEY };
  const issue = async (fields: object): Promise<{ readonly id: string; readonly key: string }> => {
    const body = JSON.stringify({ name: 'A key', scopes: ['admin'], ...fields });
    const answer = await send(url, { method: 'post', path: '/v1/api-keys', headers, body });
    if (answer.status !== 201) throw new Error(`no key was issued: ${answer.all}`);
    return JSON.parse(answer.body) as { readonly id: string; readonly key: string };
  };
  const expiresAt = Date.now() + EXPIRY_MS;
  const expired = await issue({ expiresAt: new Date(expiresAt).toISOString() });
  const revoked = await issue({});
  await send(url, { method: 'delete', path: `/v1/api-keys/${revoked.id}`, headers });
  const byScope: [Scope, string][] = [];
  for (const scope of SCOPES) byScope.push([scope, (await issue({ scopes: [scope] })).key]);
  await delay(Math.max(0, expiresAt - Date.now()) + 5);
  return {
    bootstrap: BOOTSTRAP_KEY,
    byScope: Object.fromEntries(byScope) as Readonly<Record<Scope, string>>,
    expired: expired.key,
    revoked: revoked.key,
  };
};

interface Tally {
  readonly faults: string[];
  unauthorized: number;
  forbidden: number;
  /** What only a handler does. */
  done: number;
}

const attack = async (target: Target, mutations: number, seed: number, tally: Tally): Promise<number> => {
  const { url, name } = target;
  const keys = await issueKeys(url);
  const headers = { 'x-api-key': keys.byScope.admin };
  const made = await send(url, { method: 'post', path: '/v1/pricebooks', headers, body: '{"name":"A"}' });
  const { id = BOOK } = made.status === 201 ? (JSON.parse(made.body) as { readonly id?: string }) : {};
  const operations = operationsOn({
    priceBookId: id,
    currency: 'USD',
    apiKeyId: keys.byScope.read.slice('pbk_'.length, 'pbk_'.length + 8),
  });
  const kinds = badKeys(keys, { mutations, seed });
  const before = await target.done();
  let reference: string | undefined;

  const tryBadKey = async (operation: Operation, bad: BadKey, body: string | undefined): Promise<void> => {
    const query = bad.query ?? '';
    const answer = await send(url, {
      ...operation,
      path: operation.path + query,
      headers: bad.headers,
      body,
    });
    tally.unauthorized += 1;
    reference ??= answer.all;
    if (answer.status !== 401 || answer.all !== reference) {
      tally.faults.push(`${name}: ${nameOf(operation)} with a key that is ${bad.kind}: ${answer.all}`);
    }
  };

  const trySmallScope = async (
    operation: Operation,
    scope: Scope,
    body: string | undefined,
  ): Promise<void> => {
    const answer = await send(url, { ...operation, headers: { 'x-api-key': keys.byScope[scope] }, body });
    tally.forbidden += 1;
    if (answer.status !== 403) {
      tally.faults.push(`${name}: ${nameOf(operation)} with the scope ${scope}: ${answer.all}`);
    }
  };

  for (const operation of operations) {
    for (const body of operation.method === 'get' ? [undefined] : BODIES) {
      // The kinds of one operation at the same time: they are not to get in each other's way either.
      await Promise.all(kinds.map((bad) => tryBadKey(operation, bad, body)));
      for (const scope of SCOPES.slice(0, SCOPES.indexOf(operation.scope))) {
        await trySmallScope(operation, scope, body);
      }
    }
  }
  const done = (await target.done()) - before;
  tally.done += done;
  if (done !== 0) tally.faults.push(`${name}: a handler was reached ${String(done)} times`);

  // What was seen would mean nothing if nobody could be seen to come through.
  for (const operation of name === 'the application' ? operations : []) {
    const start = await target.done();
    for (const body of BODIES) {
      await send(url, { ...operation, headers: { 'x-api-key': keys.byScope[operation.scope] }, body });
    }
    if ((await target.done()) === start) {
      tally.faults.push(`${name}: ${nameOf(operation)} is not reached with a good key either`);
    }
  }
  return kinds.length;
};

export const badKeysCampaign: Campaign = {
  name: 'bad-keys',
  title: 'every operation with every kind of bad key and scope',
  aim: 'all refused, 0 reach a handler',
  run: async ({ size, folder, seed, progress }) => {
    const mutations = size === 'full' ? 200 : 10;
    const tally: Tally = { faults: [], unauthorized: 0, forbidden: 0, done: 0 };
    let kinds = 0;
    for (const start of [() => startReal(path.join(folder, 'data')), startCounting]) {
      const target = await start();
      progress(`${String(apiRoutes.length)} operations of ${target.name}`);
      try {
        kinds = await attack(target, mutations, seed, tally);
      } finally {
        await target.stop();
      }
    }
    const count = (number: number): string => number.toLocaleString('en-US');
    return {
      figures:
        `${count(apiRoutes.length)} operations, ${count(kinds)} bad keys: ${count(tally.unauthorized)} requests 401, ` +
        `all alike, ${count(tally.forbidden)} with too small a scope 403; ${count(tally.done)} reached a handler`,
      faults: tally.faults,
    };
  },
};
