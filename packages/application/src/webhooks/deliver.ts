/** Delivers to one webhook: in the order of the feed, one message after the other. */
import * as E from 'fp-ts/Either';
import type { FollowFeed } from '../following/follow-feed';
import type { Clock } from '../ports/clock';
import type { ClaimToken, DeliveryFailure, WebhookProgressStore } from '../ports/webhook-progress';
import type { FeedEntry, FeedPlaceUnknown } from '../queries/event-feed';
import type { UndecodableEvent } from '../recorded-event';
import { messageOf, type SendOnce } from './attempt';
import { decideRetry, retryOf } from './decide-retry';
import { type DeliveryProgress, type NotKept, readProgress } from './delivery-progress';
import type { Webhook } from './state';

/** How often a reader that waits for events comes back. */
const BEAT_MS = 10_000;
/** How often it is looked whether the right to deliver is back. */
const CLAIM_MS = 1_000;

/** Why deliveries to a webhook stop; the webhook keeps its place, and they begin again later. */
export type DeliveryStop =
  | NotKept
  | UndecodableEvent
  /** Not even the event that created the webhook is in the store. */
  | FeedPlaceUnknown;

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

const isWanted = ({ eventTypes, priceBookId }: Webhook, { event, priceBookId: book }: FeedEntry): boolean =>
  (eventTypes === undefined || eventTypes.includes(event.type)) &&
  (priceBookId === undefined || priceBookId === book);

/** Deliveries to one webhook, until they stop. */
interface Run extends DeliveryParts {
  readonly webhook: Webhook;
  readonly claim: Claim;
  readonly progress: DeliveryProgress;
  readonly signal: AbortSignal;
}

/** What comes after a message: the next one, none for now, or none because of an error. */
type Then = 'next' | 'stop' | DeliveryStop;

/** Keeps that an attempt has failed. @returns `again` where the message is still to be delivered. */
const afterFailure = async (
  { webhook, progress, progressStore, random, pause, report }: Run,
  entry: FeedEntry,
  messageId: string,
  failure: DeliveryFailure,
): Promise<'again' | Then> => {
  const before = progress.failing();
  const { failing, deadLetter, pauseReason } = decideRetry(webhook, entry, failure, before, random());
  const { place } = deadLetter === undefined ? progress.known() : entry;
  if (deadLetter !== undefined) {
    // First: a process that ends in between tries the message once more.
    const buried = await progressStore.bury(webhook.id, deadLetter)();
    if (E.isLeft(buried)) return buried.left;
  }
  report(webhook, { _tag: deadLetter === undefined ? 'Failed' : 'Buried', messageId, failure });
  const stop = await progress.keep({ ...progress.known(), place, failing });
  if (stop !== undefined) return stop;
  if (pauseReason !== undefined) {
    // Where that cannot be kept, the next failure tries it again.
    const isPaused = await pause(webhook, pauseReason);
    if (isPaused) report(webhook, { _tag: 'Paused', reason: pauseReason });
    return 'stop';
  }
  return deadLetter === undefined ? 'again' : 'next';
};

/** Until the message is delivered or given up. */
const deliverEntry = async (run: Run, entry: FeedEntry): Promise<Then> => {
  const { webhook, claim, progress, sendOnce, dataOf, clock, wait, report, signal } = run;
  const message = messageOf(webhook, entry, dataOf);
  /** It may be so after each wait. */
  const isOver = (): boolean => signal.aborted;
  for (;;) {
    const due = retryOf(progress.failing(), entry.place)?.nextAttemptAt;
    if (due !== undefined) await wait(Math.max(0, Date.parse(due) - Date.parse(clock.now())), signal);
    while (!claim.lasts() && !isOver()) await wait(CLAIM_MS, signal);
    if (isOver()) return 'stop';
    const { at, milliseconds, failure } = await sendOnce(webhook, message, signal);
    if (failure === undefined) {
      report(webhook, { _tag: 'Delivered', messageId: message.id, milliseconds });
      return (await progress.keep({ place: entry.place, lastDeliveredAt: at })) ?? 'next';
    }
    // It was broken off: nothing is known of it.
    if (isOver()) return 'stop';
    const then = await afterFailure(run, entry, message.id, failure);
    if (then !== 'again') return then;
  }
};

/** The events after those that were delivered. */
const follow = async ({ webhook, progress, followFeed, report }: Run) => {
  const following = await followFeed(progress.known().place, BEAT_MS)();
  if (E.isRight(following) || following.left._tag !== 'FeedPlaceUnknown') return following;
  report(webhook, { _tag: 'BeganAgain' });
  progress.beginAgain();
  return followFeed(webhook.start, BEAT_MS)();
};

/** Delivers until the signal is aborted, the webhook is paused or something has to be told. */
export const deliver = async (
  webhook: Webhook,
  claim: Claim,
  parts: DeliveryParts,
  signal: AbortSignal,
): Promise<DeliveryStop | undefined> => {
  const read = await readProgress(webhook, claim.token, parts.progressStore);
  if (E.isLeft(read)) return read.left;
  const progress = read.right;
  const run: Run = { ...parts, webhook, claim, progress, signal };
  const followed = await follow(run);
  if (E.isLeft(followed)) return followed.left;
  const following = followed.right;
  const end = (): void => {
    following.end();
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    for (;;) {
      const page = await following.next();
      if (signal.aborted) return undefined;
      if (E.isLeft(page)) return page.left;
      if (page.right === undefined) return undefined;
      const { entries, next } = page.right;
      for (const entry of entries) {
        if (!isWanted(webhook, entry)) continue;
        const then = await deliverEntry(run, entry);
        if (then === 'stop') return undefined;
        if (then !== 'next') return then;
      }
      const stop = next && (await progress.passOver(next.place));
      if (stop !== undefined) return stop;
    }
  } finally {
    signal.removeEventListener('abort', end);
    following.end();
  }
};
