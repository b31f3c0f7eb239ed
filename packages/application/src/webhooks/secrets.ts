/**
 * Secrets of webhooks and the signatures they make: https://www.standardwebhooks.com. A secret is kept nowhere. It is
 * derived from the key of the configuration and a salt in the events: docs/decisions/0037-webhooks.md.
 */
import { createHmac, hash } from 'node:crypto';
import type { KeptSecret } from './events';
import type { Webhook } from './state';

const PREFIX = 'whsec_';
const SALT_BYTES = 16;

export interface NewWebhookSecret {
  readonly kept: KeptSecret;
  /** The secret itself: to be shown once and never kept. */
  readonly secret: string;
}

export interface WebhookSecrets {
  readonly make: (randomBytes: (count: number) => Uint8Array) => NewWebhookSecret;
  /**
   * The headers of a message.
   *
   * @param now ISO 8601, UTC.
   * @returns undefined where the key of the configuration is not the one that made the secret.
   */
  readonly sign: (
    webhook: Pick<Webhook, 'secret' | 'previousSecret'>,
    message: { readonly id: string; readonly body: string },
    now: string,
  ) => Readonly<Record<string, string>> | undefined;
}

/** @param key that of the configuration. */
export const createWebhookSecrets = (key: string): WebhookSecrets => {
  const derive = (salt: string): Buffer => createHmac('sha256', key).update(`webhook ${salt}`).digest();

  /** Undefined where another key has made it. */
  const signatureOf = ({ salt, hash: expected }: KeptSecret, signed: string): string | undefined => {
    const secret = derive(salt);
    if (hash('sha256', secret) !== expected) return undefined;
    return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
  };

  return {
    make: (randomBytes) => {
      const salt = Buffer.from(randomBytes(SALT_BYTES)).toString('hex');
      const secret = derive(salt);
      return {
        kept: { salt, hash: hash('sha256', secret) },
        secret: `${PREFIX}${secret.toString('base64')}`,
      };
    },
    sign: ({ secret, previousSecret }, { id, body }, now) => {
      const timestamp = String(Math.floor(Date.parse(now) / 1_000));
      const signed = `${id}.${timestamp}.${body}`;
      const current = signatureOf(secret, signed);
      if (current === undefined) return undefined;
      const isPreviousValid = previousSecret !== undefined && now < previousSecret.validUntil;
      const previous = isPreviousValid ? signatureOf(previousSecret, signed) : undefined;
      return {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': previous === undefined ? current : `${current} ${previous}`,
      };
    },
  };
};
