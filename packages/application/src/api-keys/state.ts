/** What the events of the stream `apiKeys` add up to. */
import * as E from 'fp-ts/Either';
import type { RecordedEvent } from '../ports/event-store';
import type { UndecodableEvent } from '../recorded-event';
import { endAfter, idNamedIn, type RegisterEnd } from '../stream-register';
import type { ApiKeyEvent, Scope } from './events';
import { decodeKeyEvent } from './kept-events';

/** A key that has not been revoked; it may have expired. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the key. */
  readonly hash: Buffer;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC: from then on the key is refused; undefined where it does not expire. */
  readonly expiresAt: string | undefined;
}

export interface ApiKeysState {
  /** By id, oldest first. */
  readonly keys: ReadonlyMap<string, ApiKey>;
  /** The last event that was read, and the latest time of any; undefined in an empty stream. */
  readonly last: RegisterEnd | undefined;
  /** Events that this version cannot read. */
  readonly unreadable: readonly UndecodableEvent[];
}

export const noKeys: ApiKeysState = { keys: new Map(), last: undefined, unreadable: [] };

const evolve = (keys: Map<string, ApiKey>, { type, data }: ApiKeyEvent, occurredAt: string): void => {
  switch (type) {
    case 'ApiKeyIssued': {
      const { id, name, scopes, hash, expiresAt } = data;
      keys.set(id, {
        id,
        name,
        scopes,
        hash: Buffer.from(hash, 'hex'),
        createdAt: occurredAt,
        expiresAt: expiresAt ?? undefined,
      });
      return;
    }
    case 'ApiKeyRenamed': {
      const key = keys.get(data.id);
      if (key !== undefined) keys.set(data.id, { ...key, name: data.name });
      return;
    }
    case 'ApiKeyRevoked':
      keys.delete(data.id);
      return;
  }
};

/**
 * The state after some more events of the stream.
 *
 * One that cannot be read stops nothing: what comes after it may be a revocation. But it may be one itself, so the
 * key that it names counts no more.
 */
export const afterEvents = (state: ApiKeysState, events: readonly RecordedEvent[]): ApiKeysState => {
  if (events.length === 0) return state;
  const keys = new Map(state.keys);
  const unreadable = [...state.unreadable];
  let { last } = state;
  for (const recorded of events) {
    const decoded = decodeKeyEvent(recorded);
    if (E.isRight(decoded)) {
      const { event, occurredAt } = decoded.right;
      evolve(keys, event, occurredAt);
      last = endAfter(last, recorded, occurredAt);
    } else {
      const named = idNamedIn(recorded);
      if (named !== undefined) keys.delete(named);
      unreadable.push(decoded.left);
      last = endAfter(last, recorded);
    }
  }
  return { keys, last, unreadable };
};

/** Whether a key is still good at a time, ISO 8601 in UTC. */
const isLive = ({ expiresAt }: ApiKey, now: string): boolean => expiresAt === undefined || now < expiresAt;

/** Whether any key that is live may do everything. */
export const hasLiveAdmin = (keys: Iterable<ApiKey>, now: string): boolean => {
  for (const key of keys) if (key.scopes.includes('admin') && isLive(key, now)) return true;
  return false;
};
