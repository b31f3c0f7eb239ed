/** What an answer must be, whatever was asked. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { RawAnswer } from './answer-reader';

/** Traces of what is inside: stacks, files, drivers. */
const INTERNALS = /node_modules|\/dist\/|\.js:\d|\bat (?:async )?[\w.<>]+ \(|\bMDB_|lmdb|EISDIR|ENOENT|ECONN/;

/** The text of a body, compressed or not: a question may happen to ask for either. */
const textOf = ({ head, body }: RawAnswer): string => {
  const bytes = Buffer.from(body, 'latin1');
  if (body === '') return body;
  if (head.includes('\r\ncontent-encoding: br')) return brotliDecompressSync(bytes).toString('utf8');
  if (head.includes('\r\ncontent-encoding: gzip')) return gunzipSync(bytes).toString('utf8');
  return bytes.toString('utf8');
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** @returns what is wrong with it, in words; undefined where nothing is. */
export const faultOf = (answer: RawAnswer, isHead = false): string | undefined => {
  const { status, head } = answer;
  if (Number.isNaN(status)) return 'the answer is no HTTP';
  if (status >= 500) return `answered ${String(status)}`;
  if (!head.includes('\r\nx-content-type-options: nosniff'))
    return 'the answer lacks the headers of every answer';
  const text = isHead ? '' : textOf(answer);
  if (INTERNALS.test(text)) return 'the answer tells what is inside';
  if (status >= 400 && !head.includes('\r\ncontent-type: application/problem+json'))
    return `answered ${String(status)} without a problem document`;
  const isTyped = head.includes('\r\ncontent-type: application/');
  return isTyped && !isHead && status !== 304 && !isJson(text) ? 'the answer is no JSON' : undefined;
};
