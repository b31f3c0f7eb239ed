/** The progress of the deliveries to one webhook: in memory, and as the store keeps it. */
import * as E from 'fp-ts/Either';
import type { FeedPlace } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import type { ClaimToken, WebhookProgress, WebhookProgressStore } from '../ports/webhook-progress';
import type { Webhook } from './state';

/** How often the place of a webhook that passes over events is kept. */
const KEEP_MS = 9_000;

/** Why progress was not kept. */
export type NotKept =
  | StoreError
  /** Another process delivers. */
  | { readonly _tag: 'ClaimLost' };

export interface DeliveryProgress {
  readonly known: () => WebhookProgress;
  /** Absent where the webhook was changed since: that may have put it right. */
  readonly failing: () => WebhookProgress['failing'];
  readonly keep: (next: WebhookProgress) => Promise<NotKept | undefined>;
  /** What is passed over is kept now and then: deliveries that begin again pass over it again. */
  readonly passOver: (to: FeedPlace) => Promise<NotKept | undefined>;
  /** Goes back to the first event of the webhook; that is kept with what happens next. */
  readonly beginAgain: () => void;
}

export const isAt = (one: FeedPlace, other: FeedPlace): boolean => one.eventId === other.eventId;

export const readProgress = async (
  { id, revision, start }: Webhook,
  token: ClaimToken,
  store: Pick<WebhookProgressStore, 'read' | 'save'>,
): Promise<E.Either<StoreError, DeliveryProgress>> => {
  const kept = await store.read(id)();
  if (E.isLeft(kept)) return kept;
  let progress: WebhookProgress = kept.right ?? { place: start };
  /** The place that is kept, which may be behind that of `progress`, and when: in ms of the process. */
  let keptPlace = progress.place;
  let keptAt = performance.now();

  const keep = async (next: WebhookProgress): Promise<NotKept | undefined> => {
    const saved = await store.save(id, next, token)();
    if (E.isLeft(saved)) return saved.left;
    if (!saved.right) return { _tag: 'ClaimLost' };
    progress = next;
    keptPlace = next.place;
    keptAt = performance.now();
    return undefined;
  };

  return E.right({
    known: () => progress,
    failing: () => (progress.failing?.webhookRevision === revision ? progress.failing : undefined),
    keep,
    passOver: async (to) => {
      progress = { ...progress, place: to };
      return isAt(keptPlace, to) || performance.now() - keptAt < KEEP_MS ? undefined : keep(progress);
    },
    beginAgain: () => {
      progress = { place: start };
    },
  });
};
