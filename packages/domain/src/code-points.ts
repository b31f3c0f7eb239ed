const surrogate = /[\ud800-\udfff]/;

/** UTF-16 has code points above U+FFFF as surrogates, which are units below U+E000. */
const orderOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** Orders texts by code points, as stores do: JavaScript's own units order those above U+FFFF before some below. */
export const byCodePoints = (a: string, b: string): number => {
  if (a === b) return 0;
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1;
  for (let place = 0; place < a.length && place < b.length; place += 1) {
    const difference = orderOf(a.charCodeAt(place)) - orderOf(b.charCodeAt(place));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};
