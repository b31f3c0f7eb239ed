/** What many answers hold. */
import { boolean, described, type JsonCodec, refine, text, wholeNumber } from '@pricebook/domain';
import * as E from 'fp-ts/Either';

/** A time as answers have it: ISO 8601, UTC, with milliseconds. */
export const instantCodec: JsonCodec<string> = refine(
  'Instant',
  text('Instant', { min: 0, max: Infinity }),
  (time) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time) ? E.right(time) : E.left('must be a time'),
  {
    format: 'date-time',
    description: 'A time by ISO 8601, in UTC, with milliseconds.',
    examples: ['2026-11-21T07:20:01.471Z'],
  },
);

/** A whole number of 0 or more. */
export const countCodec = (name: string, description: string, example: number): JsonCodec<number> =>
  wholeNumber(name, { description, examples: [example] });

/** True or false. */
export const booleanCodec = (name: string, description: string): JsonCodec<boolean> =>
  described(boolean(name), { description, examples: [false] });

export const revisionCodec = countCodec(
  'Revision',
  'How many changes the price book has behind it: that of its creation is 0.',
  3,
);

export const actorCodec: JsonCodec<string> = refine(
  'Actor',
  text('Actor', { min: 0, max: Infinity }),
  (actor) => E.right(actor),
  { description: 'The id of the API key that asked for it.', examples: ['4qFy2KdM'] },
);

export const reasonCodec: JsonCodec<string> = refine(
  'Reason',
  text('Reason', { min: 0, max: Infinity }),
  (reason) => E.right(reason),
  {
    description: 'Why it was done, as `Change-Reason` said; absent where it did not.',
    examples: ['Autumn sale'],
  },
);

/** Any text. */
export const anyTextCodec: JsonCodec<string> = text('text', { min: 0, max: Infinity });
