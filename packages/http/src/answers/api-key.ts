import { scopeCodec } from '@pricebook/application';
import { described, type JsonCodec, listOf, record, text } from '@pricebook/domain';
import type * as t from 'io-ts';
import { anyTextCodec, instantCodec } from './values';

const ID: JsonCodec<string> = described(text('ApiKeyId', { min: 1, max: Infinity }), {
  description: 'What logs and events call the key.',
  examples: ['4qFy2KdM'],
});

const always = { id: ID, name: anyTextCodec, scopes: listOf(scopeCodec) };
const required = { ...always, createdAt: instantCodec };
const optional = { expiresAt: instantCodec };

const example = {
  id: '4qFy2KdM',
  name: 'Web shop',
  scopes: ['read'],
  createdAt: '2026-11-21T07:20:02.735Z',
  expiresAt: '2027-11-21T00:00:00.000Z',
};

export const apiKeyIdCodec = ID;

export const apiKeyCodec = described(record('ApiKey', required, { ...optional, lastUsedAt: instantCodec }), {
  description:
    '`expiresAt` is there only in a key that has one, `lastUsedAt`, to the minute, in one that was used.',
  examples: [{ ...example, lastUsedAt: '2026-11-22T09:30:00.000Z' }],
});

export const ownKeyCodec = described(
  record('OwnApiKey', always, { ...optional, createdAt: instantCodec, lastUsedAt: instantCodec }),
  {
    description: 'As in the list of keys. The bootstrap key has neither `createdAt` nor `lastUsedAt`.',
    examples: [{ ...example, lastUsedAt: '2026-11-22T09:30:00.000Z' }],
  },
);

export const issuedKeyCodec = described(
  record('IssuedApiKey', { ...required, key: anyTextCodec }, optional),
  {
    description: '`key` is the key itself: it is shown this once and kept only as a hash.',
    examples: [{ ...example, key: 'pbk_4qFy2KdM_Vq0hT8nZ3xLw7Rb2Yc5Kd9Jf4Gs6Pa1M0eUj2X' }],
  },
);

export type OwnKeyBody = t.TypeOf<typeof ownKeyCodec>;
export type ApiKeyBody = t.TypeOf<typeof apiKeyCodec>;
export type IssuedKeyBody = t.TypeOf<typeof issuedKeyCodec>;
