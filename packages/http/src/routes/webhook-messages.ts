/** The messages of webhooks that administrators ask for: a test, and dead letters. */
import type { Attempt, DeadLetter } from '@pricebook/application';
import { listOf } from '@pricebook/domain';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { type AttemptBody, attemptCodec, type DeadLetterBody, deadLetterCodec } from '../answers/webhook';
import { json } from '../openapi/operation';
import { cursorOf, limit, nextPageHeaders } from '../paging';
import { inFull } from '../parameters';
import { type Route, webhookRoute } from '../route';
import { deadLetterId, webhookId } from './webhook-ids';

const LETTERS = 'dead-letters';
const webhook = '/v1/webhooks/:webhookId';

const attemptBody = ({ milliseconds, status, failure }: Attempt): AttemptBody => ({
  delivered: failure === undefined,
  milliseconds,
  ...(status !== undefined && { status }),
  ...(failure !== undefined && { reason: failure.reason }),
});

const deadLetterBody = ({ place, buriedAt, ...letter }: DeadLetter): DeadLetterBody => ({
  ...letter,
  revision: place.revision,
  givenUpAt: buriedAt,
});

const cursor = cursorOf(LETTERS, (text) => text);

export const webhookMessageRoutes: readonly Route[] = [
  webhookRoute(
    {
      method: 'post',
      path: `${webhook}/test`,
      scope: 'admin',
      operationId: 'testWebhook',
      summary: 'Test Webhook',
      description:
        'Sends a message of the type `WebhookTest` once, and answers what came of it, within 15 s. Also to a webhook that is paused.',
      tag: 'Webhooks',
      parameters: [webhookId],
      answers: { 200: { description: 'What came of it.', content: json(attemptCodec) } },
      problems: ['webhooks-not-configured'],
    },
    (webhooks, request) =>
      pipe(
        TE.fromEither(webhookId.read(request.params)),
        TE.chainW(webhooks.test),
        TE.map((attempt) => ({ status: 200, body: attemptBody(attempt) })),
      ),
  ),

  webhookRoute(
    {
      method: 'get',
      path: `${webhook}/${LETTERS}`,
      scope: 'admin',
      operationId: 'listDeadLetters',
      summary: 'List Dead Letters',
      description: 'The messages that were given up after about a day, by id.',
      tag: 'Webhooks',
      parameters: [webhookId, limit, cursor],
      answers: {
        200: {
          description: 'A page of dead letters.',
          headers: ['Link'],
          content: json(listOf(deadLetterCodec)),
        },
      },
    },
    (webhooks, request) =>
      pipe(
        TE.fromEither(
          inFull({
            id: webhookId.read(request.params),
            after: cursor.read(request.query),
            limit: limit.read(request.query),
          }),
        ),
        TE.chainW(({ id, after, limit: max }) => webhooks.deadLetters(id, after, max)),
        TE.map(({ letters, hasMore }) => ({
          status: 200,
          body: letters.map(deadLetterBody),
          headers: nextPageHeaders({
            list: LETTERS,
            query: request.query,
            place: hasMore ? letters.at(-1)?.id : undefined,
          }),
        })),
      ),
  ),

  webhookRoute(
    {
      method: 'post',
      path: `${webhook}/${LETTERS}/:deadLetterId/redeliver`,
      scope: 'admin',
      operationId: 'redeliverDeadLetter',
      summary: 'Redeliver Dead Letter',
      description:
        'Sends the message once more, with the id that it had, and answers what came of it, within 15 s. A message that is ' +
        'delivered is no dead letter any more.',
      tag: 'Webhooks',
      parameters: [webhookId, deadLetterId],
      answers: { 200: { description: 'What came of it.', content: json(attemptCodec) } },
      problems: ['webhooks-not-configured'],
    },
    (webhooks, request) =>
      pipe(
        TE.fromEither(
          inFull({ id: webhookId.read(request.params), letterId: deadLetterId.read(request.params) }),
        ),
        TE.chainW(({ id, letterId }) => webhooks.redeliver(id, letterId)),
        TE.map((attempt) => ({ status: 200, body: attemptBody(attempt) })),
      ),
  ),
];
