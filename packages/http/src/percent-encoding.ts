/**
 * Paths and queries are percent-encoded UTF-8. What is not would be read as other characters, or as they stand: as a
 * value that nobody has meant.
 */
import { inWords } from '@pricebook/domain';

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** What of a request is not percent-encoded UTF-8, such as `path`; undefined where all of it is. */
export const undecodableIn = (path: string, query: string): string | undefined => {
  if (!isDecodable(path)) return 'path';
  // Nearly all queries: what is encoded in none of its parts need not be cut into them.
  if (isDecodable(query)) return undefined;
  const faulty = query.split('&').find((part) => !isDecodable(part)) ?? '';
  const [name = ''] = faulty.split('=', 1);
  return `query parameter ${inWords(isDecodable(name) ? decodeURIComponent(name) : name)}`;
};
