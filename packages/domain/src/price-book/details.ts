/** What clients can give a book beside its name and description: a key of their own, and metadata. */
import * as E from 'fp-ts/Either';
import { described, type JsonCodec, mapOf, refine, text } from '../codecs/codecs';
import { controlCharacter } from '../identifiers';

/** Text by name. */
export type Metadata = Readonly<Record<string, string>>;

const MAX_ENTRIES = 50;

const keyPattern = /^[A-Za-z0-9_-]*$/;

/** A client's own key of a book: 1 to 256 of `A-Z a-z 0-9 _ -`; letter case counts. */
export const priceBookKeyCodec = refine(
  'PriceBookKey',
  text('PriceBookKey', { min: 1, max: 256 }),
  (key) => (keyPattern.test(key) ? E.right(key) : E.left('must hold nothing but A-Z a-z 0-9 _ -')),
  {
    pattern: keyPattern.source,
    description:
      'Your own key of the book: `key={key}` stands for its id in every path. No two books have the same; letter case counts.',
    examples: ['retail-eu'],
  },
);

const nameCodec = refine('MetadataName', text('MetadataName', { min: 1, max: 40 }), (name) => {
  if (controlCharacter.test(name)) return E.left('must not hold control characters');
  return name === '__proto__' ? E.left('cannot be a name') : E.right(name);
});

/** A JSON object as texts by name. */
export const textsByName = (
  name: JsonCodec<string>,
  value: JsonCodec<string>,
  max: number,
): JsonCodec<Metadata> => mapOf(name, value, max) as JsonCodec<Metadata>;

/** At most 50 texts of up to 500 code points, by names of up to 40. */
export const metadataCodec = described(
  textsByName(nameCodec, text('MetadataValue', { min: 0, max: 500 }), MAX_ENTRIES),
  {
    description:
      'Texts of your own by name, such as the ids that other systems have for the book. Set as a whole; the service only keeps them.',
    examples: [{ erpId: '4711', owner: 'pricing-emea' }],
  },
);
