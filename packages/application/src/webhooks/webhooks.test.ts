import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { v4 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryWebhookProgress } from '../in-memory/webhook-progress';
import type { DeadLetter } from '../ports/webhook-progress';
import type { SendOutcome } from '../ports/webhook-sender';
import { streamOf } from '../recorded-event';
import { createSendOnce, messageIdOf } from './attempt';
import { createWebhookRegister } from './register';
import { appendToBook, BOOK, secrets } from './testing/delivering';
import { createWebhooks } from './webhooks';

const caller = { actor: 'key-1', requestId: 'r' };
const AT = '2026-11-22T00:00:00.000Z';

const succeed = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};
const tagOf = async (task: TaskEither<{ readonly _tag: string }, unknown>): Promise<string> => {
  const result = await task();
  return E.isLeft(result) ? result.left._tag : 'a success';
};

describe('the use cases of webhooks', () => {
  const start = (isConfigured = true) => {
    const eventStore = createInMemoryEventStore();
    const progressStore = createInMemoryWebhookProgress();
    const clock = { now: () => AT };
    const sent: string[] = [];
    let outcome: SendOutcome = { _tag: 'Answered', status: 204 };
    const sender = {
      refusal: () => Promise.resolve(undefined),
      post: (_url: string, headers: Readonly<Record<string, string>>) => {
        sent.push(headers['webhook-id'] ?? '');
        return Promise.resolve(outcome);
      },
    };
    const webhooks = createWebhooks({
      eventStore,
      register: createWebhookRegister(eventStore),
      progressStore,
      deliveries: isConfigured
        ? { secrets, sender, sendOnce: createSendOnce(sender, secrets, clock) }
        : undefined,
      dataOf: ({ event }) => event.data,
      clock,
      ids: {
        newPriceBookId: () => BOOK,
        newCommandId: () => v4(),
        randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      },
      onChange: () => undefined,
    });
    const answer = (next: SendOutcome): void => {
      outcome = next;
    };
    return { eventStore, progressStore, webhooks, sent, answer };
  };

  it('send a dead letter once more, which is one until it is delivered', async () => {
    const { eventStore, progressStore, webhooks, sent, answer } = start();
    const { webhook } = await succeed(webhooks.create({ url: 'https://shop.example/' }, caller));
    const [eventId = ''] = await appendToBook(eventStore, 1);
    const letter: DeadLetter = {
      id: messageIdOf(webhook, eventId),
      place: { stream: streamOf(BOOK), revision: 0, eventId },
      type: 'PriceBookUpdated',
      priceBookId: BOOK,
      attempts: 11,
      buriedAt: AT,
      lastFailure: { at: AT, reason: 'the answer is not 2xx', status: 500 },
    };
    const gone = { ...letter, id: v4(), place: { ...letter.place, eventId: v4() } };
    for (const one of [letter, gone]) await succeed(progressStore.bury(webhook.id, one));

    answer({ _tag: 'Failed', reason: 'no answer' });
    const failed = await succeed(webhooks.redeliver(webhook.id, letter.id));
    expect(failed.failure).to.deep.equal({ at: AT, reason: 'no answer' });
    const page = await succeed(webhooks.deadLetters(webhook.id, undefined, 1));
    expect(page.hasMore).to.equal(true);
    const kept = await succeed(progressStore.deadLetter(webhook.id, letter.id));
    expect(kept).to.deep.include({ attempts: 12, lastFailure: failed.failure });

    answer({ _tag: 'Answered', status: 200 });
    expect(await succeed(webhooks.redeliver(webhook.id, letter.id))).not.to.have.property('failure');
    expect(sent).to.deep.equal([letter.id, letter.id]);
    expect(await tagOf(webhooks.redeliver(webhook.id, letter.id))).to.equal('DeadLetterNotFound');
    // The store was restored from an older backup, and has another event there.
    expect(await tagOf(webhooks.redeliver(webhook.id, gone.id))).to.equal('DeadLetterNotFound');
  });

  it('keep no secret: what is in the events makes none without the key', async () => {
    const { eventStore, webhooks } = start();
    const { webhook, secret } = await succeed(webhooks.create({ url: 'https://shop.example/' }, caller));
    const rotated = await succeed(webhooks.rotateSecret(webhook.id, caller));
    const events = await succeed(eventStore.read('webhooks', { direction: 'forwards', limit: 10 }));
    const text = JSON.stringify(events.map(({ data, metadata }) => ({ data, metadata })));
    for (const one of [secret, rotated.secret]) {
      expect(text).not.to.include(one.slice('whsec_'.length));
      expect(text).not.to.include(Buffer.from(one.slice('whsec_'.length), 'base64').toString('hex'));
    }
  });

  it('make none without a key, and none past the hundredth', async () => {
    const without = start(false).webhooks;
    expect(await tagOf(without.create({ url: 'https://shop.example/' }, caller))).to.equal(
      'WebhooksNotConfigured',
    );
    const { webhooks } = start();
    for (let n = 0; n < 100; n += 1) await succeed(webhooks.create({ url: 'https://shop.example/' }, caller));
    expect(await tagOf(webhooks.create({ url: 'https://shop.example/' }, caller))).to.equal(
      'TooManyWebhooks',
    );
  });

  it('change nothing where an event cannot be read, and send nothing to the webhook that it names', async () => {
    const { eventStore, webhooks } = start();
    const { webhook } = await succeed(webhooks.create({ url: 'https://shop.example/' }, caller));
    const { webhook: other } = await succeed(webhooks.create({ url: 'https://b.example/' }, caller));
    const event = { id: v4(), type: 'WebhookPainted', data: { id: webhook.id }, metadata: {} };
    await succeed(eventStore.append('webhooks', 1, [event]));
    expect(await tagOf(webhooks.find(webhook.id))).to.equal('WebhookNotFound');
    expect(await tagOf(webhooks.update(other.id, { description: 'B' }, caller))).to.equal('UndecodableEvent');
    expect(await tagOf(webhooks.delete(other.id, caller))).to.equal('a success');
  });
});
