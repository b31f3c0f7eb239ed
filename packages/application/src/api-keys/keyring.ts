/** Tells who a key belongs to. Every request comes through here. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../ports/clock';
import { hashOf, readApiKey } from './api-key';
import type { Scope } from './events';
import type { ApiKeysState } from './state';

/** The key behind a request. */
export interface Principal {
  /** The id of the key. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** The id under which the bootstrap key acts. */
export const BOOTSTRAP: Principal = { keyId: 'bootstrap', scopes: ['admin'] };

export interface Keyring {
  /** Whose key it is; undefined for any text that is not a valid key. */
  readonly authenticate: (secret: string) => Principal | undefined;
}

interface KeyringParts {
  /** The keys as they are known at the time of the request. */
  readonly keys: () => ApiKeysState['keys'];
  readonly bootstrapKey: string | undefined;
  readonly clock: Clock;
  /** Told of each use of a key that was issued. */
  readonly onUse?: (keyId: string) => void;
}

/** A keyring of the issued keys, and of the bootstrap key while one is set. */
export const createKeyring = ({ keys, bootstrapKey, clock, onUse }: KeyringParts): Keyring => {
  const bootstrapHash = bootstrapKey === undefined ? undefined : hashOf(bootstrapKey);
  // It may be any text, so also one that looks like an issued key, with a checksum or without.
  const looksIssued = bootstrapKey !== undefined && readApiKey(bootstrapKey)._tag !== 'Other';
  /** Compared with where the id is not known, so that this takes as long as a wrong secret does. */
  const nobody = randomBytes(32);

  const isBootstrap = (secret: string): boolean =>
    bootstrapHash !== undefined && timingSafeEqual(bootstrapHash, hashOf(secret));

  const findIssued = (id: string, secret: string): Principal | undefined => {
    const key = keys().get(id);
    const isSame = timingSafeEqual(key?.hash ?? nobody, hashOf(secret));
    if (key === undefined || !isSame) return undefined;
    // Most keys do not expire: the clock is not read for them.
    if (key.expiresAt !== undefined && clock.now() >= key.expiresAt) return undefined;
    onUse?.(id);
    return { keyId: id, scopes: key.scopes };
  };

  return {
    authenticate: (secret) => {
      const read = readApiKey(secret);
      const found = read._tag === 'Key' ? findIssued(read.id, secret) : undefined;
      if (found !== undefined) return found;
      return (read._tag === 'Other' || looksIssued) && isBootstrap(secret) ? BOOTSTRAP : undefined;
    },
  };
};
