/**
 * JSON as this API takes it: UTF-8 without BOM, no duplicate keys, no halves of surrogate pairs, nesting to 32.
 * `JSON.parse` alone lets all of these through, and each can make another price of the one that was meant.
 */
import { type Fault, MAX_FAULTS, pointerOf } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { visit } from 'jsonc-parser';

/** Design section 2. */
const MAX_DEPTH = 32;

const fault = (detail: string): E.Either<readonly Fault[], never> => E.left([{ pointer: '', detail }]);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BOM = '\ufeff';

interface Shape {
  readonly depth: number;
  readonly members: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** How deep a text nests and how many members its objects have, before anything recurses into it. */
const shapeOf = (text: string): Shape => {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i += 1;
      while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
    } else if (unit === BRACE || unit === BRACKET) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (unit === BRACE_END || unit === BRACKET_END) depth -= 1;
    else if (unit === COLON) members += 1;
  }
  return { depth: deepest, members };
};

/** Only an escape can make half of a surrogate pair: UTF-8 has none. */
const hasHalfPair = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => hasHalfPair(key) || hasHalfPair(item));
};

/** The members that objects have after parsing. */
const countMembers = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : items.length;
  for (const item of items) count += countMembers(item);
  return count;
};

/** Every key that its object has already. */
const findDuplicates = (text: string): readonly Fault[] => {
  const faults: Fault[] = [];
  const open: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, _offset, _length, _line, _character, pathOfObject) => {
      const keys = open.at(-1);
      if (keys?.has(key) === true && faults.length < MAX_FAULTS) {
        faults.push({ pointer: pointerOf([...pathOfObject(), key]), detail: 'is in its object twice' });
      }
      keys?.add(key);
    },
  });
  return faults;
};

/** Where JSON ends being JSON. V8 does not always name the place, and its message may quote the body. */
const describeSyntaxError = (text: string): string => {
  let end: number | undefined;
  visit(text, { onError: (_error, offset) => void (end ??= offset) }, { disallowComments: true });
  const lines = text.slice(0, end).split('\n');
  return `is not JSON: it goes wrong at line ${String(lines.length)}, column ${String((lines.at(-1)?.length ?? 0) + 1)}`;
};

/** The value of a body. A fault of the body as a whole has the pointer ''. */
export const parseStrictJson = (bytes: Uint8Array): E.Either<readonly Fault[], unknown> => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return fault('is not UTF-8');
  }
  if (text.startsWith(BOM)) return fault('begins with a byte order mark, which JSON must not have');
  if (text.trim() === '') return fault('is missing: the request has no body');
  const shape = shapeOf(text);
  if (shape.depth > MAX_DEPTH) {
    return fault(`nests ${String(shape.depth)} levels deep; at most ${String(MAX_DEPTH)} are allowed`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault(describeSyntaxError(text));
  }
  if (text.includes('\\') && hasHalfPair(value)) {
    return fault('holds half of a surrogate pair, which is not a character');
  }
  return countMembers(value) === shape.members ? E.right(value) : E.left(findDuplicates(text));
};
