/**
 * A digest: where each stream ends, as lines of JSON, and a hash over these lines in the last one. Kept elsewhere, it
 * shows later what the hash chains cannot: that the end of a stream, or a whole stream, was removed or written again.
 */
import { hash as hashOf } from 'node:crypto';
import type { ChainHead } from '@pricebook/application';

/** What a digest says of a stream. */
type KeptHead = Pick<ChainHead, 'revision' | 'hash'>;

export interface Digest {
  /** By stream. */
  readonly heads: ReadonlyMap<string, KeptHead>;
  readonly events: number;
  /** SHA-256, as base64url, of all lines but the last. */
  readonly hash: string;
}

type Heads = Digest['heads'];

const linesOf = (heads: Heads): string =>
  [...heads.keys()]
    .sort()
    .map((stream) => {
      const { revision, hash } = heads.get(stream) ?? {};
      return `${JSON.stringify({ stream, revision, hash })}\n`;
    })
    .join('');

export const digestOf = (heads: Heads): Digest => ({
  heads,
  events: [...heads.values()].reduce((sum, { revision }) => sum + revision + 1, 0),
  hash: hashOf('sha256', linesOf(heads), 'base64url'),
});

/** The lines of a digest. The same events give the same lines, on every store. */
export const encodeDigest = ({ heads, events, hash }: Digest): string =>
  `${linesOf(heads)}${JSON.stringify({ streams: heads.size, events, hash })}\n`;

/**
 * @param text the lines of a digest; line ends may have been changed.
 * @returns undefined where the text is not a whole digest, as it was printed.
 */
export const decodeDigest = (text: string): Digest | undefined => {
  const lines = text.replaceAll('\r\n', '\n');
  try {
    const heads = lines
      .split('\n')
      .slice(0, -2)
      .map((line): [string, KeptHead] => {
        const { stream, revision, hash } = JSON.parse(line) as KeptHead & { readonly stream: string };
        return [stream, { revision, hash }];
      });
    const digest = digestOf(new Map(heads));
    return encodeDigest(digest) === lines ? digest : undefined;
  } catch {
    return undefined;
  }
};

/** What is not there any more of the events of a digest: sentences. */
export const missingFrom = (digest: Digest, heads: Heads): readonly string[] =>
  [...digest.heads].flatMap(([stream, { revision }]) => {
    const found = heads.get(stream);
    if (found === undefined)
      return [`gone: ${stream}, which the digest has up to revision ${String(revision)}`];
    return found.revision < revision
      ? [
          `cut off: ${stream} ends at revision ${String(found.revision)}, and the digest has it up to ${String(revision)}`,
        ]
      : [];
  });
