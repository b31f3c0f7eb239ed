import * as E from 'fp-ts/Either';
import { webhookIdCodec } from '../answers/webhook';
import type { PathParameter } from '../parameters';

const inPath = (
  name: string,
  description: string,
  problem: 'webhook-not-found' | 'dead-letter-not-found',
): PathParameter<string> => ({
  in: 'path',
  name,
  description,
  schema: webhookIdCodec.schema,
  problems: [problem],
  read: (params) => E.right(params[name] ?? ''),
});

export const webhookId = inPath('webhookId', 'The id of the webhook.', 'webhook-not-found');
export const deadLetterId = inPath('deadLetterId', 'The id of the dead letter.', 'dead-letter-not-found');
