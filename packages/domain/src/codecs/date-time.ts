import * as E from 'fp-ts/Either';
import { type JsonCodec, refine, text } from './codecs';
import { inWords } from './in-words';

/* eslint-disable no-restricted-globals -- Date reckons with the times it is given; no clock is read. */

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i;

const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

const isCalendarDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** Whether it is just as times are written here, as most are: that is quicker to see than to read it part by part. */
const isWritten = (given: string): boolean => {
  const time = Date.parse(given);
  return time >= FIRST_TIME && time <= LAST_TIME && new Date(time).toISOString() === given;
};

/**
 * An ISO 8601 date-time with offset as one in UTC with milliseconds, further digits cut off: events have none.
 *
 * @returns undefined where the text is none.
 */
export const readTime = (given: string): string | undefined => {
  if (isWritten(given)) return given;
  const parts = dateTime.exec(given);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0] = parts.slice(1, 4).map(Number);
  // Clients that are generated for Python write the offset without its colon.
  const time = Date.parse(given.toUpperCase().replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  if (!isCalendarDay(year, month, day) || Number.isNaN(time)) return undefined;
  // An offset can lead out of the years of four digits, within which times compare as text.
  return new Date(Math.min(Math.max(time, FIRST_TIME), LAST_TIME)).toISOString();
};

/** What is to be said of a text that is none. */
export const noDateTime = (given: string): string =>
  `must be an ISO 8601 date-time with offset, such as 2026-01-31T12:00:00Z, not ${inWords(given)}`;

/** An ISO 8601 date-time with offset in; the same time in UTC with milliseconds out. */
export const dateTimeCodec: JsonCodec<string> = refine(
  'DateTime',
  text('DateTime', { min: 0, max: Infinity }),
  (given) => {
    const time = readTime(given);
    return time === undefined ? E.left(() => noDateTime(given)) : E.right(time);
  },
  {
    format: 'date-time',
    description:
      'An ISO 8601 date-time with offset. Seconds may be left out, and the colon of the offset; digits past the milliseconds are cut off.',
    examples: ['2026-01-31T12:00:00Z'],
  },
);
