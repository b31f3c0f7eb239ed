/**
 * Headers of every answer, refusals of what is no HTTP included. Answers are JSON for programs: nothing in them is to
 * be run, framed, guessed at or kept. What may be kept otherwise says so itself.
 */
export const ANSWER_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
];

/** For an answer with an ETag: it may be kept, and is asked about each time. */
export const REVALIDATE = 'no-cache';
