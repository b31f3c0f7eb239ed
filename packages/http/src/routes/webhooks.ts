/** Webhooks: who is told of changes. */
import {
  createWebhookCodec,
  updateWebhookCodec,
  type WebhookView,
  type WebhookWithSecret,
} from '@pricebook/application';
import { listOf } from '@pricebook/domain';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import {
  webhookBody,
  webhookCodec,
  webhookWithSecretCodec,
  type WebhookWithSecretBody,
} from '../answers/webhook';
import type { ApiError } from '../api-error';
import { json } from '../openapi/operation';
import { type ApiRequest, type Reception, type Route, webhookRoute, webhookRouteWithBody } from '../route';
import { webhookId } from './webhook-ids';

const collection = '/v1/webhooks';

const callerOf = ({ caller: { actor, requestId } }: ApiRequest<unknown>) => ({ actor, requestId });

const answerWith =
  (status: number, { clock }: Reception) =>
  (view: WebhookView) => ({ status, body: webhookBody(view, clock.now()) });

const withSecret = ({ secret, ...view }: WebhookWithSecret, { clock }: Reception): WebhookWithSecretBody => ({
  ...webhookBody(view, clock.now()),
  secret,
});

const idIn = ({ params }: ApiRequest<unknown>): TE.TaskEither<ApiError, string> =>
  TE.fromEither(webhookId.read(params));

export const webhookRoutes: readonly Route[] = [
  webhookRouteWithBody(
    {
      method: 'post',
      path: collection,
      scope: 'admin',
      operationId: 'createWebhook',
      summary: 'Create Webhook',
      description:
        'Has every event from now on sent to a URL, signed as https://www.standardwebhooks.com says. The secret is in the ' +
        'answer, this once.',
      tag: 'Webhooks',
      answers: {
        201: { description: 'The webhook.', headers: ['Location'], content: json(webhookWithSecretCodec) },
      },
      problems: ['webhooks-not-configured', 'too-many-webhooks'],
    },
    createWebhookCodec,
    (webhooks, request, reception) =>
      pipe(
        webhooks.create(request.body, callerOf(request)),
        TE.map((created) => ({
          status: 201,
          body: withSecret(created, reception),
          headers: { Location: `webhooks/${created.webhook.id}` },
        })),
      ),
  ),

  webhookRoute(
    {
      method: 'get',
      path: collection,
      scope: 'admin',
      operationId: 'listWebhooks',
      summary: 'List Webhooks',
      description: 'All webhooks, oldest first, and how deliveries to them go.',
      tag: 'Webhooks',
      answers: {
        200: { description: 'The webhooks, without secrets.', content: json(listOf(webhookCodec)) },
      },
    },
    (webhooks, _request, { clock }) =>
      pipe(
        webhooks.list,
        TE.map((views) => ({ status: 200, body: views.map((view) => webhookBody(view, clock.now())) })),
      ),
  ),

  webhookRoute(
    {
      method: 'get',
      path: `${collection}/:webhookId`,
      scope: 'admin',
      operationId: 'getWebhook',
      summary: 'Get Webhook',
      description: 'A webhook, and how deliveries to it go.',
      tag: 'Webhooks',
      parameters: [webhookId],
      answers: { 200: { description: 'The webhook, without its secret.', content: json(webhookCodec) } },
    },
    (webhooks, request, reception) =>
      pipe(idIn(request), TE.chainW(webhooks.find), TE.map(answerWith(200, reception))),
  ),

  webhookRouteWithBody(
    {
      method: 'patch',
      path: `${collection}/:webhookId`,
      scope: 'admin',
      operationId: 'updateWebhook',
      summary: 'Update Webhook',
      description:
        'Changes what the body names, for all messages that are not delivered yet; null takes a filter away. One that is ' +
        'paused keeps its place, and goes on there when its `status` is `active` again.',
      tag: 'Webhooks',
      parameters: [webhookId],
      answers: { 200: { description: 'The webhook.', content: json(webhookCodec) } },
      problems: ['webhooks-not-configured'],
    },
    updateWebhookCodec,
    (webhooks, request, reception) => {
      const { status, eventTypes, ...changes } = request.body;
      return pipe(
        idIn(request),
        TE.chainW((id) =>
          webhooks.update(
            id,
            {
              ...changes,
              ...(eventTypes !== undefined && { eventTypes: eventTypes === null ? null : [...eventTypes] }),
              ...(status !== undefined && { pausedReason: status === 'paused' ? 'requested' : null }),
            },
            callerOf(request),
          ),
        ),
        TE.map(answerWith(200, reception)),
      );
    },
  ),

  webhookRoute(
    {
      method: 'delete',
      path: `${collection}/:webhookId`,
      scope: 'admin',
      operationId: 'deleteWebhook',
      summary: 'Delete Webhook',
      description: 'Nothing more is sent to it; its dead letters are gone.',
      tag: 'Webhooks',
      parameters: [webhookId],
      answers: { 204: { description: 'The webhook is deleted.' } },
    },
    (webhooks, request) =>
      pipe(
        idIn(request),
        TE.chainW((id) => webhooks.delete(id, callerOf(request))),
        TE.map(() => ({ status: 204 })),
      ),
  ),

  webhookRoute(
    {
      method: 'post',
      path: `${collection}/:webhookId/rotate-secret`,
      scope: 'admin',
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate Webhook Secret',
      description:
        'Gives the webhook another secret, which is in the answer, this once. For 24 hours messages have two signatures, one ' +
        'by each secret.',
      tag: 'Webhooks',
      parameters: [webhookId],
      answers: { 200: { description: 'The webhook.', content: json(webhookWithSecretCodec) } },
      problems: ['webhooks-not-configured'],
    },
    (webhooks, request, reception) =>
      pipe(
        idIn(request),
        TE.chainW((id) => webhooks.rotateSecret(id, callerOf(request))),
        TE.map((rotated) => ({ status: 200, body: withSecret(rotated, reception) })),
      ),
  ),
];
