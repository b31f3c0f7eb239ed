/** Sends messages to receivers over HTTP. A receiver may do anything: no more is read of it than its status. */
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import net, { type LookupFunction } from 'node:net';
import { createAtMost, SEND_LIMIT_MS, type SendOutcome, type WebhookSender } from '@pricebook/application';
import { version } from '@pricebook/http';
import { type AllowedReceivers, hostOf, refusalOf } from './receivers';

/** How much of an answer is read, and for how long, so that receivers can end it in order. */
const MAX_BODY_BYTES = 64 * 1024;
const BODY_MS = 1_000;
/** Look-ups at once: they take the threads that files need too. */
const LOOKUPS_AT_ONCE = 2;

export interface SenderOptions {
  readonly limitMs?: number;
  /** All addresses of a host. */
  readonly resolve?: (host: string) => Promise<readonly dns.LookupAddress[]>;
}

class Refused extends Error {
  override readonly name = 'Refused';
}

/** In words of ours: nothing that a receiver has sent. */
const reasonOf = (failure: unknown, isTimeUp: boolean, limitMs: number): string => {
  if (isTimeUp) return `there was no answer within ${String(limitMs / 1_000)} s`;
  if (failure instanceof Refused) return `the URL ${failure.message}`;
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : 'no answer';
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN'
    ? 'its host does not resolve'
    : `the connection failed (${code})`;
};

/** @param allowed what is not public and may be sent to all the same. */
export const createWebhookSender = (
  allowed: AllowedReceivers,
  {
    limitMs = SEND_LIMIT_MS,
    resolve = (host) => dns.promises.lookup(host, { all: true }),
  }: SenderOptions = {},
): WebhookSender => {
  const atMost = createAtMost(LOOKUPS_AT_ONCE);

  /** @throws Refused, or what the resolver fails with. */
  const addressesOf = async (url: URL): Promise<readonly dns.LookupAddress[]> => {
    const host = hostOf(url);
    const family = net.isIP(host);
    const found = family === 0 ? await atMost(() => resolve(host)) : [{ address: host, family }];
    const refusal = refusalOf(
      allowed,
      url,
      found.map(({ address }) => address),
    );
    if (refusal !== undefined) throw new Refused(refusal);
    return found;
  };

  /** Connects only to addresses that were just judged, whatever the host resolved to before. */
  const lookupFor =
    (addresses: readonly dns.LookupAddress[]): LookupFunction =>
    (_host, { all }, callback) => {
      const [first] = addresses;
      if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
      else if (all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };

  const statusOf = (
    url: URL,
    addresses: readonly dns.LookupAddress[],
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<number> =>
    new Promise((settle, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'user-agent': `pricebook/${version}`,
        },
        // A connection for each message: none is found closed by a receiver that was idle.
        agent: false,
        lookup: lookupFor(addresses),
        signal,
      });
      request.on('error', reject);
      request.on('close', () => {
        reject(new Error('the connection was closed'));
      });
      request.on('response', (response) => {
        const timer = setTimeout(() => response.destroy(), BODY_MS);
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > MAX_BODY_BYTES) response.destroy();
        });
        response.on('error', () => undefined);
        response.on('close', () => {
          clearTimeout(timer);
          settle(response.statusCode ?? 0);
        });
      });
      request.end(body);
    });

  /** Rejects when the signal is aborted: a resolver that hangs is not waited for. */
  const unlessAborted = <A>(work: Promise<A>, signal: AbortSignal): Promise<A> =>
    new Promise((settle, reject) => {
      const abort = (): void => {
        reject(new Error('it was broken off'));
      };
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      work.then(settle, reject).finally(() => {
        signal.removeEventListener('abort', abort);
      });
    });

  return {
    refusal: async (text) => {
      try {
        await unlessAborted(addressesOf(new URL(text)), AbortSignal.timeout(limitMs));
        return undefined;
      } catch (failure) {
        return failure instanceof Refused ? failure.message : 'has a host that does not resolve';
      }
    },

    post: async (text, headers, body, signal): Promise<SendOutcome> => {
      const timeUp = AbortSignal.timeout(limitMs);
      const either = AbortSignal.any([signal, timeUp]);
      try {
        const url = new URL(text);
        const addresses = await unlessAborted(addressesOf(url), either);
        return { _tag: 'Answered', status: await statusOf(url, addresses, headers, body, either) };
      } catch (failure) {
        return { _tag: 'Failed', reason: reasonOf(failure, timeUp.aborted, limitMs) };
      }
    },
  };
};
