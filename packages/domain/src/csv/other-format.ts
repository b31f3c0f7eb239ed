/** Files that are sent in place of CSV, as spreadsheets save them. */

const SAVE_AS = 'save it as UTF-8, which spreadsheets call "CSV UTF-8"';

/** By the bytes with which they begin. */
const FORMATS: readonly (readonly [start: readonly number[], detail: string])[] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'is a ZIP file, such as an Excel workbook (.xlsx); save the sheet as "CSV UTF-8"',
  ],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is an Excel workbook (.xls); save the sheet as "CSV UTF-8"'],
  [[0xff, 0xfe], `is UTF-16; ${SAVE_AS}`],
  [[0xfe, 0xff], `is UTF-16; ${SAVE_AS}`],
];

/** So many bytes tell UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 16;

/** Whether the even or the odd bytes are all zero, and no others: ASCII characters as UTF-16. */
const isLikeUtf16 = (start: Uint8Array): boolean => {
  const sample = [...start.subarray(0, SAMPLE_BYTES)];
  const isAlternating = (zeros: number): boolean =>
    sample.every((byte, place) => (byte === 0) === (place % 2 === zeros));
  return sample.length >= 4 && (isAlternating(0) || isAlternating(1));
};

/** What bytes are instead of text in UTF-8 and what to do, in words that follow their name; undefined where they may be. */
export const otherFormatOf = (start: Uint8Array): string | undefined =>
  FORMATS.find(([bytes]) => bytes.every((byte, place) => start[place] === byte))?.[1] ??
  (isLikeUtf16(start) ? `is UTF-16; ${SAVE_AS}` : undefined);
