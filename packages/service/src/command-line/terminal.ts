/** Text for a terminal, where some characters are commands and others take no room, or twice as much. */

// Escapes begin with a control character; marks of direction make a line read as another one. What joins letters
// and emoji stays.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => {
    const unit = character.charCodeAt(i).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');

/** A line without what a terminal would obey or hide. JSON stays the same JSON: there it can only be in texts. */
export const printable = (line: string): string => line.replaceAll(unsafe, escaped);

/** The same line by line, for text of files and services. */
export const linesForTerminal = (text: string): string => text.split('\n').map(printable).join('\n');

// East Asian letters and emoji; a letter more or less at the end of a line does no harm.
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}])/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The beginning of a line that has room in so many columns, and a sign that there is more. */
export const cutTo = (line: string, columns: number): string => {
  let used = 0;
  let fits = 0;
  // A line can be far longer than what is shown of it.
  for (const { segment, index } of graphemes.segment(line.slice(0, columns * 20))) {
    used += wide.test(segment) ? 2 : 1;
    if (used > columns) return `${line.slice(0, fits)}…`;
    // So that the sign has room, should it be needed.
    if (used < columns) fits = index + segment.length;
  }
  return line.length > columns * 20 ? `${line.slice(0, fits)}…` : line;
};
