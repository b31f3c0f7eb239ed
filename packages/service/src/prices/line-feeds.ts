/** The byte of a line feed, in UTF-8 part of nothing else. */
export const LINE_FEED = 0x0a;

export const lineFeedsIn = (bytes: Uint8Array): number => {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
};
