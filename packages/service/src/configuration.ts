/** The configuration: environment variables, read once and checked whole. */
import type { PriceCaching } from '@pricebook/http';
import * as E from 'fp-ts/Either';
import { type AllowedReceivers, readAllowedReceivers } from './webhooks/receivers';

export interface Configuration {
  readonly port: number;
  readonly host: string;
  /** The folder of the embedded stores. */
  readonly dataFolder: string;
  /** Absent: the embedded event store. */
  readonly eventStoreDbUrl: string | undefined;
  /** Absent: the embedded read model. */
  readonly mongoDbUrl: string | undefined;
  /** Whether this process projects, or `pricebook project` does beside it. */
  readonly projector: 'inline' | 'off';
  /** Accepted as an admin key while set. */
  readonly bootstrapKey: string | undefined;
  /** Requests a second that a key may make of this process, and as many at once; 0 for any number. */
  readonly rateLimit: number;
  /** How many proxies before the service are believed when they tell the address of a client. */
  readonly trustedProxies: number;
  /** What the secrets of webhooks are derived from. Absent: there are no webhooks. */
  readonly webhookKey: string | undefined;
  /** What messages are sent to although it is not public. */
  readonly webhookReceivers: AllowedReceivers;
  /** The origins whose pages may read answers in browsers, such as https://shop.example. */
  readonly allowedOrigins: readonly string[];
  /** What caches may do with single prices. */
  readonly priceCaching: PriceCaching;
  readonly logLevel: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MAX_PORT = 65_535;
const MAX_RATE = 1_000_000;
const MAX_PROXIES = 10;
const MAX_AGE = 86_400;

const visibleAscii = /^[\x21-\x7e]{16,}$/;
const longVisibleAscii = /^[\x21-\x7e]{32,}$/;
/**
 * A user with a password, and hosts. What cannot be told apart is refused here, without a word of it: clients would
 * take a part of the password for a host or a port, and name it when it is not there.
 */
const hosts = /(?:[^@\s]+@)?host(?:,host)*(?:[/?]\S*)?$/.source.replaceAll(
  'host',
  /(?:\[[^\]\s]+\]|[^:@/?,\s[\]]+)(?::\d+)?/.source,
);
const eventStoreDbUrl = new RegExp(`^esdb(?:\\+discover)?://${hosts}`);
const mongoDbUrl = new RegExp(`^mongodb(?:\\+srv)?://${hosts}`);

/** What is wrong with an origin, in words that follow the name of its variable; undefined where it is one. */
const originFault = (text: string): string | undefined => {
  if (text === '*') return 'must name each origin: * is not allowed';
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return `must hold origins such as https://shop.example, not ${JSON.stringify(text)}`;
  }
  return url.origin === text
    ? undefined
    : `must hold origins alone: ${url.origin}, not ${JSON.stringify(text)}`;
};

/** Undefined where it is none of those that are offered. */
const priceCachingIn = (text: string): PriceCaching | undefined => {
  if (text === 'no-store' || text === 'no-cache') return text;
  const [, share, seconds] = /^(private|public), ?max-age=([1-9]\d{0,4})$/.exec(text) ?? [];
  const maxAge = Number(seconds);
  return share === undefined || maxAge > MAX_AGE
    ? undefined
    : { share: share === 'public' ? 'public' : 'private', maxAge };
};

/** @returns every fault, each with the name of its variable. */
export const readConfiguration = (environment: Environment): E.Either<readonly string[], Configuration> => {
  const faults: string[] = [];
  /** An empty variable is an absent one. */
  const value = (name: string): string | undefined =>
    environment[name] === '' ? undefined : environment[name];
  /** The value of a variable that may be absent; what it must be is said without it, since URLs hold passwords. */
  const matching = (name: string, pattern: RegExp, expected: string): string | undefined => {
    const found = value(name);
    if (found !== undefined && !pattern.test(found)) faults.push(`${name} must ${expected}`);
    return found;
  };

  const whole = (name: string, text: string, max: number): number => {
    if (!/^\d+$/.test(text) || Number(text) > max) {
      faults.push(`${name} must be a whole number from 0 to ${String(max)}`);
    }
    return Number(text);
  };

  const port = whole('PORT', value('PORT') ?? '3000', MAX_PORT);
  const eventStoreDb = matching(
    'EVENTSTOREDB_URL',
    eventStoreDbUrl,
    'be a URL such as esdb://host:2113, special characters of a password percent-encoded',
  );
  const mongoDb = matching(
    'MONGODB_URL',
    mongoDbUrl,
    'be a URL such as mongodb://host:27017/pricebook, special characters of a password percent-encoded',
  );
  const projector = value('PRICEBOOK_PROJECTOR') ?? 'inline';
  if (projector !== 'inline' && projector !== 'off') faults.push('PRICEBOOK_PROJECTOR must be inline or off');
  if (projector === 'off' && (eventStoreDb === undefined || mongoDb === undefined)) {
    faults.push(
      'PRICEBOOK_PROJECTOR may be off only with EVENTSTOREDB_URL and MONGODB_URL: no other process can project ' +
        'from or to an embedded store',
    );
  }
  const bootstrapKey = matching(
    'PRICEBOOK_BOOTSTRAP_KEY',
    visibleAscii,
    'have 16 or more visible ASCII characters',
  );
  const rateLimit = whole('PRICEBOOK_RATE_LIMIT', value('PRICEBOOK_RATE_LIMIT') ?? '0', MAX_RATE);
  const trustedProxies = whole(
    'PRICEBOOK_TRUSTED_PROXIES',
    value('PRICEBOOK_TRUSTED_PROXIES') ?? '0',
    MAX_PROXIES,
  );
  const webhookKey = matching(
    'PRICEBOOK_WEBHOOK_KEY',
    longVisibleAscii,
    'have 32 or more visible ASCII characters, best random ones',
  );
  const webhookReceivers = readAllowedReceivers(value('PRICEBOOK_WEBHOOK_ALLOWED_HOSTS') ?? '');
  if (webhookReceivers === undefined) {
    faults.push(
      'PRICEBOOK_WEBHOOK_ALLOWED_HOSTS must be hosts, addresses or networks separated by commas, such as hooks.internal,10.0.0.0/8',
    );
  }
  const allowedOrigins = (value('PRICEBOOK_ALLOWED_ORIGINS')?.split(',') ?? []).map((origin) =>
    origin.trim(),
  );
  for (const fault of allowedOrigins.map(originFault)) {
    if (fault !== undefined) faults.push(`PRICEBOOK_ALLOWED_ORIGINS ${fault}`);
  }
  const priceCaching = priceCachingIn(value('PRICEBOOK_PRICE_CACHE_CONTROL') ?? 'no-store');
  if (priceCaching === undefined) {
    faults.push(
      'PRICEBOOK_PRICE_CACHE_CONTROL must be no-store, no-cache, or private or public with max-age, such as ' +
        `private, max-age=60; max-age is 1 to ${String(MAX_AGE)} seconds`,
    );
  }
  const logLevel = value('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);

  return faults.length > 0 || webhookReceivers === undefined || priceCaching === undefined
    ? E.left(faults)
    : E.right({
        port,
        host: value('HOST') ?? '127.0.0.1',
        dataFolder: value('PRICEBOOK_DATA_DIR') ?? './data',
        eventStoreDbUrl: eventStoreDb,
        mongoDbUrl: mongoDb,
        projector: projector === 'off' ? 'off' : 'inline',
        bootstrapKey,
        rateLimit,
        trustedProxies,
        webhookKey,
        webhookReceivers,
        allowedOrigins,
        priceCaching,
        logLevel,
      });
};
