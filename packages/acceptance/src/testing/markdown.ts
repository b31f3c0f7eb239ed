/** Reads the project's own documents, for the tests that keep them true. */

const fence = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** The code blocks in a language, in order. */
export const codeBlocks = (markdown: string, language: string): readonly string[] =>
  [...markdown.matchAll(fence)].filter(([, found]) => found === language).map(([, , text = '']) => text);

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** All code blocks below a heading, up to the next one of its level. */
export const codeBlocksBelow = (markdown: string, heading: string): readonly CodeBlock[] => {
  const [, below = ''] = markdown.split(`\n${heading}\n`);
  const [section = ''] = below.split(`\n${heading.split(' ')[0] ?? '#'} `);
  return [...section.matchAll(fence)].map(([, language = '', text = '']) => ({ language, text }));
};

const withoutCode = (markdown: string): string => markdown.replaceAll(fence, '');

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * The rows of the one table with these headings.
 *
 * @throws Error where there is no such table, or more than one.
 */
export const tableRows = (markdown: string, headings: readonly string[]): readonly (readonly string[])[] => {
  const lines = withoutCode(markdown).split('\n');
  const starts = lines.flatMap((line, index) =>
    line.startsWith('|') && cellsOf(line).join('|') === headings.join('|') ? [index] : [],
  );
  const [start] = starts;
  if (start === undefined || starts.length > 1) {
    throw new Error(`${String(starts.length)} tables have the headings ${headings.join(', ')}`);
  }
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  // The line below the headings only draws the table.
  return lines.slice(start + 2, end === -1 ? undefined : end).map(cellsOf);
};

/** What stands between the backquotes of a cell. */
export const codeIn = (cell: string): string | undefined => /`([^`]+)`/.exec(cell)?.[1];

/** The targets of all links. */
export const linksIn = (markdown: string): readonly string[] =>
  [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** The anchors of all headings. */
export const anchorsIn = (markdown: string): readonly string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
