/**
 * The format of an API key (design section 3): `pbk_`, 8 characters of id, `_`, 32 random characters and 6 of
 * checksum, all in base62. Scanners find it, and a typing error is told without a look-up.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'pbk_';
const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

const format = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${String(ID_LENGTH)}})_[0-9A-Za-z]{${String(SECRET_LENGTH + CHECKSUM_LENGTH)}}$`,
);

const checksumOf = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
};

/** Characters that are all equally likely: bytes that would favour some are passed over. */
const randomText = (length: number, randomBytes: (count: number) => Uint8Array): string => {
  const limit = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
};

export interface NewApiKey {
  /** What logs and events call the key. */
  readonly id: string;
  /** The key itself: to be shown once and never kept. */
  readonly secret: string;
}

export const newApiKey = (randomBytes: (count: number) => Uint8Array): NewApiKey => {
  const id = randomText(ID_LENGTH, randomBytes);
  const start = `${PREFIX}${id}_${randomText(SECRET_LENGTH, randomBytes)}`;
  return { id, secret: start + checksumOf(start) };
};

/** What a text that was sent as a key is. */
type ReadApiKey =
  | { readonly _tag: 'Key'; readonly id: string }
  /** It begins as keys do, but a character is wrong or missing. */
  | { readonly _tag: 'Mistyped' }
  | { readonly _tag: 'Other' };

const MISTYPED: ReadApiKey = { _tag: 'Mistyped' };
const OTHER: ReadApiKey = { _tag: 'Other' };

export const readApiKey = (secret: string): ReadApiKey => {
  if (!secret.startsWith(PREFIX)) return OTHER;
  const id = format.exec(secret)?.[1];
  return id !== undefined && checksumOf(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH)
    ? { _tag: 'Key', id }
    : MISTYPED;
};

/** What is kept of a key. The secret has 190 random bits, so a plain hash cannot be searched for. */
export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');
