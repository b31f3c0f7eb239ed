/** The progress of webhooks in memory, for tests. */
import * as TE from 'fp-ts/TaskEither';
import type { DeadLetter, WebhookProgress, WebhookProgressStore } from '../ports/webhook-progress';
import { createLocalClaims } from '../webhooks/local-claims';

export const createInMemoryWebhookProgress = (): WebhookProgressStore => {
  const { claim, release, isLatest } = createLocalClaims();
  const progresses = new Map<string, WebhookProgress>();
  const letters = new Map<string, Map<string, DeadLetter>>();
  return {
    claim,
    release,
    read: (webhookId) => TE.fromIO(() => progresses.get(webhookId)),
    save: (webhookId, progress, token) =>
      TE.fromIO(() => {
        if (!isLatest(token)) return false;
        progresses.set(webhookId, progress);
        return true;
      }),
    bury: (webhookId, letter) =>
      TE.fromIO(() => {
        const own = letters.get(webhookId) ?? new Map<string, DeadLetter>();
        letters.set(webhookId, own.set(letter.id, letter));
      }),
    deadLetters: (webhookId, after = '', limit) =>
      TE.fromIO(() =>
        [...(letters.get(webhookId)?.values() ?? [])]
          .filter(({ id }) => id > after)
          .sort((one, other) => (one.id < other.id ? -1 : 1))
          .slice(0, limit),
      ),
    deadLetter: (webhookId, id) => TE.fromIO(() => letters.get(webhookId)?.get(id)),
    removeDeadLetter: (webhookId, id) =>
      TE.fromIO(() => {
        letters.get(webhookId)?.delete(id);
      }),
    forget: (webhookId) =>
      TE.fromIO(() => {
        progresses.delete(webhookId);
        letters.delete(webhookId);
      }),
  };
};
