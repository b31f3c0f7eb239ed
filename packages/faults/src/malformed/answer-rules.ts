/** What an answer must be, whatever was asked. */
import type { RawAnswer } from './answer-reader';

/** Traces of what is inside: stacks, files, drivers. */
const INTERNALS = /node_modules|\/dist\/|\.js:\d|\bat (?:async )?[\w.<>]+ \(|\bMDB_|lmdb|EISDIR|ENOENT|ECONN/;

const text = (body: string): string => Buffer.from(body, 'latin1').toString('utf8');

const isJson = (body: string): boolean => {
  try {
    JSON.parse(text(body));
    return true;
  } catch {
    return false;
  }
};

/** @returns what is wrong with it, in words; undefined where nothing is. */
export const faultOf = ({ status, head, body }: RawAnswer, isHead = false): string | undefined => {
  if (Number.isNaN(status)) return 'the answer is no HTTP';
  if (status >= 500) return `answered ${String(status)}`;
  if (!head.includes('\r\nx-content-type-options: nosniff'))
    return 'the answer lacks the headers of every answer';
  if (INTERNALS.test(body)) return 'the answer tells what is inside';
  if (status >= 400 && !head.includes('\r\ncontent-type: application/problem+json'))
    return `answered ${String(status)} without a problem document`;
  const isTyped = head.includes('\r\ncontent-type: application/');
  return isTyped && !isHead && status !== 304 && !isJson(body) ? 'the answer is no JSON' : undefined;
};
