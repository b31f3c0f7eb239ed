/** What a client says so that a write which it sends again does not act twice, and what is remembered of it. */
import { hash } from 'node:crypto';
import type { PriceBookId } from '@pricebook/domain';
import * as t from 'io-ts';
import type { Position } from '../ports/event-store';

/** For so long a write is remembered under its key: design section 2. */
const REMEMBERED_MS = 24 * 3_600_000;

/** It stands in the metadata of every event that the request has made, so that no crash separates the two. */
export const idempotentRequestCodec = t.type({
  /** As the client has sent it; those of different API keys have nothing to do with each other. */
  key: t.string,
  /** Tells the request from others: alike for the same request sent again, and for no other. */
  request: t.string,
});

export type IdempotentRequest = t.TypeOf<typeof idempotentRequestCodec>;

/** A request that has changed a book. */
export interface DoneRequest {
  /** What tells it from others. */
  readonly request: string;
  readonly priceBookId: PriceBookId;
  /** The revision that it has brought the book to. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
}

/** A request that was found to be done. */
export interface FoundRequest extends DoneRequest {
  /** Where its event stands; absent where the read side is known to have it. */
  readonly position?: Position | undefined;
}

const nameOf = (...parts: readonly string[]): string => hash('sha256', parts.join('\n'), 'base64url');

/** What a request is remembered by: some letters and digits, `-` and `_`, whatever the client has sent as its key. */
export const rememberedName = (actor: string, { key }: IdempotentRequest): string => nameOf(actor, key);

/** Tells the use of a key for one request from its use for another, too. */
export const requestName = (actor: string, { key, request }: IdempotentRequest): string =>
  nameOf(actor, key, request);

/** Whether what was done at a time still counts. */
export const isRemembered = (occurredAt: string, now: string): boolean =>
  Date.parse(now) - Date.parse(occurredAt) < REMEMBERED_MS;

/** Which of two requests under one key counts: the later one, and always the same one of two at one time. */
export const laterRequest = (one: DoneRequest, other: DoneRequest): DoneRequest => {
  if (one.occurredAt !== other.occurredAt) return one.occurredAt > other.occurredAt ? one : other;
  if (one.priceBookId !== other.priceBookId) return one.priceBookId > other.priceBookId ? one : other;
  return one.revision > other.revision ? one : other;
};
