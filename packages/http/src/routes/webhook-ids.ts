import { webhookIdCodec } from '../answers/webhook';
import { idInPath } from './id-in-path';

export const webhookId = idInPath('webhookId', 'The id of the webhook.', webhookIdCodec, 'webhook-not-found');
export const deadLetterId = idInPath(
  'deadLetterId',
  'The id of the dead letter.',
  webhookIdCodec,
  'dead-letter-not-found',
);
