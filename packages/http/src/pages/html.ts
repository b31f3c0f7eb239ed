/** The frame around every page that people read, and what makes HTML of text. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** As the text of an element, or the value of an attribute in double quotes. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** Text in which backquotes mark code. */
export const prose = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

export interface Page {
  readonly title: string;
  /** Addresses, relative to the page: it may be served below the path of a proxy. */
  readonly icon: string;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** HTML. */
  readonly body: string;
}

export const htmlOf = ({ title, icon, styles, scripts, body }: Page): string => {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escaped(title)}</title>`,
    `<link rel="icon" href="${escaped(icon)}">`,
    ...styles.map((address) => `<link rel="stylesheet" href="${escaped(address)}">`),
    ...scripts.map((address) => `<script defer src="${escaped(address)}"></script>`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
${head.join('\n')}
</head>
<body>
${body}
</body>
</html>
`;
};
