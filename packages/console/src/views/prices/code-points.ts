const surrogate = /[\ud800-\udfff]/;

/** Orders texts as the lists of the service are: by code points, which are not JavaScript's own units. */
export const byCodePoints = (a: string, b: string): number => {
  if (a === b) return 0;
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1;
  const [of, others] = [Array.from(a), Array.from(b)];
  const place = of.findIndex((point, index) => point !== others[index]);
  if (place === -1) return -1;
  const other = others[place]?.codePointAt(0);
  return other === undefined || (of[place]?.codePointAt(0) ?? 0) > other ? 1 : -1;
};
