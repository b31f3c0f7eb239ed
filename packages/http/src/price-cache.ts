/** What caches may do with the answer of a single price: docs/decisions/0032. */
import { createHash } from 'node:crypto';
import type { ProductPriceBody } from './answers/product-price';

/** For how long a price may be used without asking, and by whom: `public` are caches that many clients share. */
interface Freshness {
  readonly share: 'private' | 'public';
  /** In seconds. */
  readonly maxAge: number;
}

export type PriceCaching = 'no-store' | 'no-cache' | Freshness;

/**
 * The tag of a price. It holds what the answer says beside its address, so it changes exactly when the answer does, and
 * costs no hash. A member that answers get has to be in it.
 */
export const priceTagOf = (body: ProductPriceBody): string => {
  if (body.explanation !== undefined) {
    return `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16)}"`;
  }
  const { price, effectiveDate, validUntil } = body;
  return `"${String(price)}@${effectiveDate}${validUntil === undefined ? '' : `/${String(validUntil)}`}"`;
};

/**
 * @param validUntil when what is planned makes it another price; undefined or null where nothing does, or where the price
 *   is of a time that was asked for.
 * @param now ISO 8601, UTC.
 */
export const cacheControlOf = (
  caching: PriceCaching,
  validUntil: string | null | undefined,
  now: () => string,
): string => {
  if (typeof caching === 'string') return caching;
  const { share, maxAge } = caching;
  if (validUntil === undefined || validUntil === null) return `${share}, max-age=${String(maxAge)}`;
  const secondsLeft = Math.floor((Date.parse(validUntil) - Date.parse(now())) / 1_000);
  return secondsLeft > 0 ? `${share}, max-age=${String(Math.min(maxAge, secondsLeft))}` : 'no-cache';
};

/** An answer that is used without asking is for the key alone that asked: each key is admitted by itself. */
export const variesByKey = (caching: PriceCaching): boolean => typeof caching === 'object';
