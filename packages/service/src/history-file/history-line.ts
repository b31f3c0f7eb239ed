/** A line of a history file: an event as JSON, without its position, which belongs to a store. */
import { isUtf8 } from 'node:buffer';
import { type RecordedEvent, STREAM_PREFIXES } from '@pricebook/application';
import * as E from 'fp-ts/Either';

export type HistoryEvent = Omit<RecordedEvent, 'position'>;

/** Far more than an event has; what is longer is no history file. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** As much as fits into a key of the embedded store. */
const MAX_STREAM_BYTES = 1_000;

export const encodeLine = ({ stream, revision, id, type, data, metadata }: HistoryEvent): string =>
  `${JSON.stringify({ stream, revision, id, type, data, metadata } satisfies HistoryEvent)}\n`;

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object in a line, whatever its fields; or what is wrong with the line. */
export const parseLine = (bytes: Buffer): E.Either<string, JsonObject> => {
  if (bytes.length > MAX_LINE_BYTES) return E.left(`it has more than ${String(MAX_LINE_BYTES)} bytes`);
  if (!isUtf8(bytes)) return E.left('it is not UTF-8');
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? E.right(value) : E.left('it is no JSON object');
  } catch (failure) {
    return E.left(`it is not JSON: ${failure instanceof Error ? failure.message : ''}`);
  }
};

const lowerCaseUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
// A NUL ends the name of a stream in the keys of the embedded store; the others only hide.
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

const isStream = (value: unknown): value is string =>
  typeof value === 'string' &&
  STREAM_PREFIXES.some((prefix) => value.startsWith(prefix)) &&
  value.isWellFormed() &&
  !controlCharacter.test(value) &&
  Buffer.byteLength(value) <= MAX_STREAM_BYTES;

const isRevision = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

interface Rule {
  readonly isMet: (value: unknown) => boolean;
  readonly expected: string;
}

const rules: Readonly<Record<keyof HistoryEvent, Rule>> = {
  stream: {
    isMet: isStream,
    expected: `the name of a stream that begins with ${STREAM_PREFIXES.join(' or ')}`,
  },
  revision: { isMet: isRevision, expected: 'a whole number from 0 up' },
  // EventStoreDB gives ids back in lower case, and then they would be others.
  id: {
    isMet: (value) => typeof value === 'string' && lowerCaseUuid.test(value),
    expected: 'a UUID in lower case',
  },
  // EventStoreDB's own events begin with $, and are not read.
  type: {
    isMet: (value) => typeof value === 'string' && value !== '' && !value.startsWith('$'),
    expected: 'a text that is not empty and does not begin with $',
  },
  data: { isMet: isObject, expected: 'an object' },
  metadata: { isMet: isObject, expected: 'an object' },
};

/** Where the event of a line belongs; undefined where the line does not say. */
export const placeOf = ({
  stream,
  revision,
}: JsonObject): Pick<HistoryEvent, 'stream' | 'revision'> | undefined =>
  isStream(stream) && isRevision(revision) ? { stream, revision } : undefined;

/** The event that the object of a line stands for; or the first thing that is wrong with it. */
export const toEvent = (line: JsonObject): E.Either<string, HistoryEvent> => {
  for (const [name, { isMet, expected }] of Object.entries(rules)) {
    if (!Object.hasOwn(line, name)) return E.left(`${name} is missing`);
    if (!isMet(line[name])) return E.left(`${name} must be ${expected}`);
  }
  const unknown = Object.keys(line).find((name) => !Object.hasOwn(rules, name));
  return unknown === undefined
    ? E.right(line as unknown as HistoryEvent)
    : E.left(`${unknown} is not a field of an event`);
};
