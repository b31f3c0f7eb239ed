import type { PriceBookEvent, PriceBookId } from '@pricebook/domain';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { FeedPlace } from './event-store';
import type { StoreError } from './store-error';

/** Why a message was not delivered. */
export interface DeliveryFailure {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** For administrators. */
  readonly reason: string;
  /** The status of the answer, where there was one. */
  readonly status?: number;
}

/** The progress of a webhook. */
export interface WebhookProgress {
  /** Everything up to here was delivered, was not asked for, or is among the dead letters. */
  readonly place: FeedPlace;
  /** ISO 8601, UTC. */
  readonly lastDeliveredAt?: string;
  /** Absent where the last message was delivered. */
  readonly failing?: Failing;
}

interface Failing {
  /** Of the webhook when it failed: what failed before a change of it counts no more. */
  readonly webhookRevision: number;
  /** Since when nothing was delivered: ISO 8601, UTC. */
  readonly since: string;
  readonly lastFailure: DeliveryFailure;
  /** The message that is tried again; absent where it was given up. */
  readonly retry?: Retry;
}

export interface Retry {
  readonly place: FeedPlace;
  /** So far. */
  readonly attempts: number;
  /** ISO 8601, UTC. */
  readonly nextAttemptAt: string;
}

/** An event that was given up for a webhook. The event itself stays in its stream. */
export interface DeadLetter {
  /** That of the message, and so unique. Later dead letters need not have greater ones. */
  readonly id: string;
  readonly place: FeedPlace;
  readonly type: PriceBookEvent['type'];
  readonly priceBookId: PriceBookId;
  readonly attempts: number;
  /** When it was given up: ISO 8601, UTC. */
  readonly buriedAt: string;
  readonly lastFailure: DeliveryFailure;
}

/** The right to deliver, which one process has at a time. Later claims have greater numbers. */
export type ClaimToken = number;

/**
 * Remembers how far webhooks have come. It is no part of the history. Where it is lost, webhooks begin again with the
 * event that created them: messages are sent again, and none is left out.
 */
export interface WebhookProgressStore {
  /**
   * Claims the right to deliver, or holds on to it.
   *
   * @param owner names the process; no other has its name.
   * @returns undefined while another process has it.
   */
  readonly claim: (owner: string, ms: number) => TaskEither<StoreError, ClaimToken | undefined>;
  /** Gives the right up, where the owner has it. */
  readonly release: (owner: string) => TaskEither<StoreError, void>;

  readonly read: (webhookId: string) => TaskEither<StoreError, WebhookProgress | undefined>;
  /** @returns false, and keeps nothing, where a later claim has saved the progress of this webhook. */
  readonly save: (
    webhookId: string,
    progress: WebhookProgress,
    token: ClaimToken,
  ) => TaskEither<StoreError, boolean>;

  /** Keeps a dead letter; one with its id is replaced. */
  readonly bury: (webhookId: string, letter: DeadLetter) => TaskEither<StoreError, void>;
  /** Those whose ids are greater, by id. */
  readonly deadLetters: (
    webhookId: string,
    after: string | undefined,
    limit: number,
  ) => TaskEither<StoreError, readonly DeadLetter[]>;
  readonly deadLetter: (webhookId: string, id: string) => TaskEither<StoreError, DeadLetter | undefined>;
  /** Does nothing where there is none. */
  readonly removeDeadLetter: (webhookId: string, id: string) => TaskEither<StoreError, void>;

  /** Forgets a webhook: its progress and its dead letters. */
  readonly forget: (webhookId: string) => TaskEither<StoreError, void>;
}
