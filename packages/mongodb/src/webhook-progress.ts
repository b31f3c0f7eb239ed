/** The progress of webhooks, their dead letters and who delivers: beside the read models, which may come and go. */
import {
  type ClaimToken,
  type DeadLetter,
  type StoreError,
  type WebhookProgress,
  type WebhookProgressStore,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { connect, isDuplicate, type Named, toStoreError } from './server';

interface ProgressDocument extends Named {
  /** That of the claim under which it was saved. */
  readonly token: ClaimToken;
  readonly progress: WebhookProgress;
}

interface LetterDocument extends Named {
  readonly letter: DeadLetter;
}

interface ClaimDocument extends Named {
  readonly owner: string | null;
  readonly until: Date;
  readonly token: ClaimToken;
}

/** The one document of its collection. */
const CLAIM = 'deliveries';

export interface MongoWebhookProgress extends WebhookProgressStore {
  readonly close: () => Promise<void>;
}

/**
 * Connects.
 *
 * @param url `mongodb://...`; the database is the one in its path, or `pricebook`.
 * @throws MongoError where the server does not answer.
 */
export const openMongoWebhookProgress = async (url: string): Promise<MongoWebhookProgress> => {
  const { database, command, query, close } = await connect(url);
  const progresses = database.collection<ProgressDocument>('webhooks');
  const letters = database.collection<LetterDocument>('webhook-dead-letters');
  const claims = database.collection<ClaimDocument>('webhook-claims');

  const write =
    <A>(send: () => Promise<A>): TaskEither<StoreError, A> =>
    async () => {
      try {
        return E.right(await command(send));
      } catch (failure) {
        return E.left(toStoreError(failure));
      }
    };
  /** Undefined where another process has just made the document, or there is one that the filter leaves out. */
  const unlessThere = <A>(send: () => Promise<A>): Promise<A | undefined> =>
    send().catch((failure: unknown) => {
      if (isDuplicate(failure)) return undefined;
      throw failure;
    });

  const letterName = (webhookId: string, id: string): string => `${webhookId} ${id}`;

  /** By name, which begins with the webhook: "!" is the character after the space. */
  const lettersAfter = (webhookId: string, after: string) => ({
    _id: { $gt: letterName(webhookId, after), $lt: `${webhookId}!` },
  });

  return {
    // By the clock of the server, the same for all processes.
    claim: (owner, ms) =>
      write(async () => {
        const isOver = { $lte: ['$until', '$$NOW'] };
        const isOwn = { $and: [{ $eq: ['$owner', owner] }, { $not: isOver }] };
        /** What a field becomes where the claim is granted; else it stays as it is. */
        const granted = (value: unknown, field: string) => ({
          $cond: [{ $or: [isOwn, isOver] }, value, field],
        });
        const nextToken = { $cond: [isOwn, '$token', { $add: [{ $ifNull: ['$token', 0] }, 1] }] };
        const claimed = await unlessThere(() =>
          claims.findOneAndUpdate(
            { _id: CLAIM },
            [
              {
                $set: {
                  token: granted(nextToken, '$token'),
                  owner: granted(owner, '$owner'),
                  until: granted({ $add: ['$$NOW', ms] }, '$until'),
                },
              },
            ],
            { upsert: true, returnDocument: 'after' },
          ),
        );
        return claimed?.owner === owner ? claimed.token : undefined;
      }),
    release: (owner) =>
      write(async () => {
        await claims.updateOne({ _id: CLAIM, owner }, { $set: { owner: null, until: new Date(0) } });
      }),

    read: (webhookId) => query(async () => (await progresses.findOne({ _id: webhookId }))?.progress),
    save: (webhookId, progress, token) =>
      write(async () => {
        const saved = await unlessThere(() =>
          progresses.updateOne(
            { _id: webhookId, token: { $lte: token } },
            { $set: { token, progress } },
            { upsert: true },
          ),
        );
        return saved !== undefined;
      }),

    bury: (webhookId, letter) =>
      write(async () => {
        const filter = { _id: letterName(webhookId, letter.id) };
        await letters.updateOne(filter, { $set: { letter } }, { upsert: true });
      }),
    deadLetters: (webhookId, after = '', limit) =>
      query(async () => {
        const found = await letters
          .find(lettersAfter(webhookId, after))
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        return found.map(({ letter }) => letter);
      }),
    deadLetter: (webhookId, id) =>
      query(async () => (await letters.findOne({ _id: letterName(webhookId, id) }))?.letter),
    removeDeadLetter: (webhookId, id) =>
      write(async () => {
        await letters.deleteOne({ _id: letterName(webhookId, id) });
      }),

    forget: (webhookId) =>
      write(async () => {
        await progresses.deleteOne({ _id: webhookId });
        await letters.deleteMany(lettersAfter(webhookId, ''));
      }),
    close,
  };
};
