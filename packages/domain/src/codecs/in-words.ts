/** How faults speak of what was given: on one line and short, whatever that is. */
import { distance } from 'fastest-levenshtein';

const MAX_QUOTED = 40;

/** What a terminal or a log would act upon, or nobody could see: all that is no character, and every space but one. */
const unseen = /(?! )[\p{C}\p{Z}]/gu;

const escaped = (found: string): string =>
  Array.from({ length: found.length }, (_, index) => found.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

/** A text in quotes, as JSON has it; a long one is cut. */
const quoted = (text: string): string => {
  const isLong = text.length > MAX_QUOTED;
  const start = isLong ? text.slice(0, MAX_QUOTED).replace(/[\ud800-\udbff]$/, '') : text;
  return JSON.stringify(start)
    .replaceAll(unseen, escaped)
    .replace(/"$/, isLong ? '…"' : '"');
};

/** A value of JSON, such as `"12"`, `null`, `an object` or `an array of 3`. */
export const inWords = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${String(value.length)}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  // No JSON says so: it is what a number such as 1e400 is read as.
  if (value === Infinity || value === -Infinity) return 'a number as large as that';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null ? 'null' : 'nothing';
};

export const WITHOUT_QUOTES = '; numbers stand without quotes, such as 49.99';

/** The same, of what stands in JSON where a number should. */
export const noNumberInWords = (value: unknown): string =>
  typeof value === 'string' && /^\s*-?\d+(?:[.,]\d+)?\s*$/.test(value)
    ? `${inWords(value)}${WITHOUT_QUOTES}`
    : inWords(value);

/** What is longer is no name of ours with a typing error in it. */
const MAX_NAME = 40;
/** A shorter part of a name says nothing. */
const MIN_PART = 4;

/** Names are taken for one another in other ways of writing as well: `unit_price` for `unitPrice`. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '');

/** Whether two neighbours stand in each other's place, which Levenshtein takes for two edits. */
const isSwapped = (a: string, b: string): boolean => {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  return (
    a !== b &&
    a.length === b.length &&
    a[i] === b[i + 1] &&
    a[i + 1] === b[i] &&
    a.slice(i + 2) === b.slice(i + 2)
  );
};

/** As many letters as were mistyped to make the one of the other. */
const editsBetween = (a: string, b: string): number => (isSwapped(a, b) ? 1 : distance(a, b));

const isPart = (part: string, whole: string): boolean =>
  part.length >= MIN_PART && (whole.startsWith(part) || whole.endsWith(part));

/** The one of these names that was most likely meant; undefined where none is near. */
const nearest = (given: string, names: readonly string[]): string | undefined => {
  if (given.length > MAX_NAME) return undefined;
  const typed = bare(given);
  const [best] = names
    .map((name) => ({ name, length: bare(name).length, edits: editsBetween(typed, bare(name)) }))
    .filter(({ length, edits }) => edits <= Math.max(1, length / 3) && edits < Math.min(length, typed.length))
    .sort((a, b) => a.edits - b.edits);
  if (best !== undefined) return best.name;
  const [whole, ...others] = names.filter((name) => isPart(typed, bare(name)) || isPart(bare(name), typed));
  return others.length === 0 ? whole : undefined;
};

/** A question after what was meant, to stand at the end of a fault; empty where there is nothing to ask after. */
export const asking = (meant: string | undefined): string =>
  meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;

/** The same, of these names. For what was not one of them; it takes its time, so only where it is told. */
export const didYouMean = (given: unknown, names: readonly string[]): string =>
  asking(typeof given === 'string' ? nearest(given, names) : undefined);

/** A fault as a sentence about something. */
export const sentenceOf = (subject: string, detail: string): string =>
  `${subject}${detail.startsWith('"') ? ':' : ''} ${detail}${detail.endsWith('?') ? '' : '.'}`;
