/** Delivers to one webhook: in the order of the feed, one message after the other. */
import * as E from 'fp-ts/Either';
import type { FollowFeed } from '../following/follow-feed';
import type { Clock } from '../ports/clock';
import type { FeedPlace } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import type {
  ClaimToken,
  DeliveryFailure,
  Retry,
  WebhookProgress,
  WebhookProgressStore,
} from '../ports/webhook-progress';
import type { FeedEntry, FeedPlaceUnknown } from '../queries/event-feed';
import type { UndecodableEvent } from '../recorded-event';
import { messageOf, type SendOnce } from './attempt';
import { delayAfter, PAUSE_AFTER_MS } from './backoff';
import type { Webhook } from './state';

/** How often a reader that waits for events comes back. */
const BEAT_MS = 10_000;
/** How often the place of a webhook that passes over events is kept. */
const KEEP_MS = 9_000;
/** How often it is looked whether the right to deliver is back. */
const CLAIM_MS = 1_000;

/** Why deliveries to a webhook stop; the webhook keeps its place, and they begin again later. */
export type DeliveryStop =
  | StoreError
  | UndecodableEvent
  /** Not even the event that created the webhook is in the store. */
  | FeedPlaceUnknown
  /** Another process delivers. */
  | { readonly _tag: 'ClaimLost' };

/** What is counted, and told to the log. */
export type DeliveryNews =
  | { readonly _tag: 'Delivered'; readonly messageId: string; readonly milliseconds: number }
  | { readonly _tag: 'Failed'; readonly messageId: string; readonly failure: DeliveryFailure }
  | { readonly _tag: 'Buried'; readonly messageId: string; readonly failure: DeliveryFailure }
  | { readonly _tag: 'Paused'; readonly reason: 'failing' | 'gone' }
  /** The store was restored from an older backup: the webhook begins again with its first event. */
  | { readonly _tag: 'BeganAgain' }
  | { readonly _tag: 'Stopped'; readonly error: DeliveryStop };

export interface DeliveryParts {
  readonly followFeed: FollowFeed;
  readonly progressStore: Pick<WebhookProgressStore, 'read' | 'save' | 'bury'>;
  readonly sendOnce: SendOnce;
  readonly dataOf: (entry: FeedEntry) => unknown;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Settles after that time, or when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Pauses a webhook until an administrator has it go on. @returns whether that is kept. */
  readonly pause: (webhook: Webhook, reason: 'failing' | 'gone') => Promise<boolean>;
  readonly report: (webhook: Webhook, news: DeliveryNews) => void;
}

/** The right to deliver. */
export interface Claim {
  readonly token: ClaimToken;
  /** Whether it lasts until a message that is sent now is done. */
  readonly lasts: () => boolean;
}

const isAt = (one: FeedPlace, other: FeedPlace): boolean => one.eventId === other.eventId;

const isWanted = ({ eventTypes, priceBookId }: Webhook, { event, priceBookId: book }: FeedEntry): boolean =>
  (eventTypes === undefined || eventTypes.includes(event.type)) &&
  (priceBookId === undefined || priceBookId === book);

/** Delivers until the signal is aborted, the webhook is paused or something has to be told. */
export const deliver = async (
  webhook: Webhook,
  claim: Claim,
  parts: DeliveryParts,
  signal: AbortSignal,
): Promise<DeliveryStop | undefined> => {
  const { followFeed, progressStore, sendOnce, dataOf, clock, random, wait, pause, report } = parts;
  const kept = await progressStore.read(webhook.id)();
  if (E.isLeft(kept)) return kept.left;
  let progress: WebhookProgress = kept.right ?? { place: webhook.start };
  /** The place that is kept, which may be behind that of `progress`, and when: in ms of the process. */
  let keptPlace = progress.place;
  let keptAt = performance.now();

  /** @returns why it was not kept. */
  const keep = async (next: WebhookProgress): Promise<DeliveryStop | undefined> => {
    const saved = await progressStore.save(webhook.id, next, claim.token)();
    if (E.isLeft(saved)) return saved.left;
    if (!saved.right) return { _tag: 'ClaimLost' };
    progress = next;
    keptPlace = next.place;
    keptAt = performance.now();
    return undefined;
  };

  const follow = async () => {
    const following = await followFeed(progress.place, BEAT_MS)();
    if (E.isRight(following) || following.left._tag !== 'FeedPlaceUnknown') return following;
    report(webhook, { _tag: 'BeganAgain' });
    progress = { place: webhook.start };
    return followFeed(progress.place, BEAT_MS)();
  };

  /** It may be so after each wait. */
  const isOver = (): boolean => signal.aborted;

  /** Absent where the webhook was changed since: that may have put it right. */
  const failing = (): WebhookProgress['failing'] =>
    progress.failing?.webhookRevision === webhook.revision ? progress.failing : undefined;
  const retryOf = (place: FeedPlace): Retry | undefined => {
    const retry = failing()?.retry;
    return retry !== undefined && isAt(retry.place, place) ? retry : undefined;
  };

  /** Where that cannot be kept, the next failure tries it again. */
  const pauseFor = async (reason: 'failing' | 'gone'): Promise<'stop'> => {
    if (await pause(webhook, reason)) report(webhook, { _tag: 'Paused', reason });
    return 'stop';
  };

  /** Keeps that an attempt has failed. @returns whether the message is still to be delivered. */
  const afterFailure = async (
    entry: FeedEntry,
    messageId: string,
    failure: DeliveryFailure,
  ): Promise<'again' | 'next' | 'stop' | DeliveryStop> => {
    const { place } = entry;
    const attempts = (retryOf(place)?.attempts ?? 0) + 1;
    const delayMs = delayAfter(attempts, random());
    const since = failing()?.since ?? failure.at;
    const failed = { webhookRevision: webhook.revision, since, lastFailure: failure };
    if (delayMs === undefined) {
      const { priceBookId, event } = entry;
      // First: a process that ends in between tries the message once more.
      const buried = await progressStore.bury(webhook.id, {
        id: messageId,
        place,
        type: event.type,
        priceBookId,
        attempts,
        buriedAt: failure.at,
        lastFailure: failure,
      })();
      if (E.isLeft(buried)) return buried.left;
      report(webhook, { _tag: 'Buried', messageId, failure });
      const stop = await keep({ ...progress, place, failing: failed });
      if (stop !== undefined) return stop;
    } else {
      report(webhook, { _tag: 'Failed', messageId, failure });
      const nextAttemptAt = new Date(Date.parse(failure.at) + delayMs).toISOString();
      const stop = await keep({
        ...progress,
        failing: { ...failed, retry: { place, attempts, nextAttemptAt } },
      });
      if (stop !== undefined) return stop;
    }
    if (failure.status === 410) return pauseFor('gone');
    if (Date.parse(failure.at) - Date.parse(since) >= PAUSE_AFTER_MS) return pauseFor('failing');
    return delayMs === undefined ? 'next' : 'again';
  };

  /** Until the message is delivered or given up. */
  const deliverEntry = async (entry: FeedEntry): Promise<'next' | 'stop' | DeliveryStop> => {
    const message = messageOf(webhook, entry, dataOf);
    for (;;) {
      const due = retryOf(entry.place)?.nextAttemptAt;
      if (due !== undefined) await wait(Math.max(0, Date.parse(due) - Date.parse(clock.now())), signal);
      while (!claim.lasts() && !isOver()) await wait(CLAIM_MS, signal);
      if (isOver()) return 'stop';
      const { at, milliseconds, failure } = await sendOnce(webhook, message, signal);
      if (failure === undefined) {
        report(webhook, { _tag: 'Delivered', messageId: message.id, milliseconds });
        return (await keep({ place: entry.place, lastDeliveredAt: at })) ?? 'next';
      }
      // It was broken off: nothing is known of it.
      if (isOver()) return 'stop';
      const then = await afterFailure(entry, message.id, failure);
      if (then !== 'again') return then;
    }
  };

  const followed = await follow();
  if (E.isLeft(followed)) return followed.left;
  const following = followed.right;
  const end = (): void => {
    following.end();
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    for (;;) {
      const page = await following.next();
      if (isOver()) return undefined;
      if (E.isLeft(page)) return page.left;
      if (page.right === undefined) return undefined;
      const { entries, next } = page.right;
      for (const entry of entries) {
        if (!isWanted(webhook, entry)) continue;
        const then = await deliverEntry(entry);
        if (then === 'stop') return undefined;
        if (then !== 'next') return then;
      }
      // What was passed over is kept now and then: who begins again passes over it again.
      if (next !== undefined) progress = { ...progress, place: next.place };
      if (!isAt(keptPlace, progress.place) && performance.now() - keptAt >= KEEP_MS) {
        const stop = await keep(progress);
        if (stop !== undefined) return stop;
      }
    }
  } finally {
    signal.removeEventListener('abort', end);
    following.end();
  }
};
