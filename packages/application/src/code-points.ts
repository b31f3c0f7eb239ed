const surrogate = /[\ud800-\udfff]/;

/** Orders texts by code points, as stores do: JavaScript's own units order those above U+FFFF before some below. */
export const byCodePoints = (a: string, b: string): number => {
  if (a === b) return 0;
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
};
