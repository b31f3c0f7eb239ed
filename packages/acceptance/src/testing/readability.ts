/** What a page lacks for people who read it in their own way, as far as a program can tell. */
import type { Page } from 'playwright-core';

/** As much of the DOM as is looked at; this package is compiled without it. */
interface SeenElement {
  readonly tagName: string;
  readonly lang: string;
  readonly innerText: string;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly parentElement: SeenElement | null;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>;
}
declare const document: {
  readonly title: string;
  readonly documentElement: SeenElement;
  readonly querySelectorAll: (selector: string) => Iterable<SeenElement>;
};
declare const getComputedStyle: (element: SeenElement) => {
  readonly color: string;
  readonly backgroundColor: string;
};

interface Look {
  readonly title: string;
  readonly lang: string;
  readonly mains: number;
  readonly headings: readonly (readonly [level: number, text: string])[];
  readonly links: readonly string[];
  readonly tooWide: boolean;
  /** Texts with their colour, and the backgrounds below them from the inside out. */
  readonly texts: readonly {
    readonly text: string;
    readonly color: string;
    readonly backgrounds: readonly string[];
  }[];
}

/** Runs in the page, so it can use nothing of this file but types. */
const look = (): Look => {
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  const around = (element: SeenElement | null): readonly SeenElement[] =>
    element === null ? [] : [element, ...around(element.parentElement)];
  const root = document.documentElement;
  return {
    title: document.title,
    lang: root.lang,
    mains: all('main').length,
    headings: all('h1, h2, h3, h4, h5, h6').map((one) => [Number(one.tagName[1]), one.innerText]),
    links: all('a').map((one) => one.innerText),
    tooWide: root.scrollWidth > root.clientWidth,
    texts: all('body *').flatMap((element) => {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3);
      const text = own.map(({ textContent }) => textContent?.trim() ?? '').join('');
      if (text === '') return [];
      const backgrounds = around(element).map((one) => getComputedStyle(one).backgroundColor);
      return [{ text, color: getComputedStyle(element).color, backgrounds }];
    }),
  };
};

const channelsOf = (color: string): readonly number[] => [...color.matchAll(/[\d.]+/g)].map(Number);

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channelsOf(color)
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
const contrastOf = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

/** For text of any size, level AA. */
const LEAST_CONTRAST = 4.5;
const isTransparent = (color: string): boolean => channelsOf(color)[3] === 0;

/** @returns a sentence for each fault. */
export const readingFaults = async (page: Page): Promise<readonly string[]> => {
  const { title, lang, mains, headings, links, tooWide, texts } = await page.evaluate(look);
  const levels = headings.map(([level]) => level);
  return [
    ...(title === '' ? ['it has no title'] : []),
    ...(lang === '' ? ['it has no language'] : []),
    ...(mains === 1 ? [] : [`it has ${String(mains)} main parts`]),
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ['it has not one heading of level 1']),
    ...(levels.some((level, index) => level > (levels[index - 1] ?? 0) + 1)
      ? [`its headings leave out levels: ${levels.join(', ')}`]
      : []),
    ...(headings.some(([, text]) => text === '') ? ['a heading is empty'] : []),
    ...(links.includes('') ? ['a link has no text'] : []),
    ...(tooWide ? ['it is wider than the window'] : []),
    ...texts.flatMap(({ text, color, backgrounds }) => {
      const contrast = contrastOf(
        color,
        backgrounds.find((one) => !isTransparent(one)) ?? 'rgb(255, 255, 255)',
      );
      return contrast < LEAST_CONTRAST ? [`"${text}" has a contrast of ${contrast.toFixed(2)}`] : [];
    }),
  ];
};
