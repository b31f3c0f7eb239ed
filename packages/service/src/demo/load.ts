/** Loads a price list into a book, a part at a time, and says how far it is. */
import fs from 'node:fs';
import path from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import type { Client } from './client';

/** An item of Set Product Prices. What the adjustments hold is for the service to judge. */
export interface Item {
  readonly productId: string;
  readonly adjustments: Readonly<Record<string, unknown>>;
}

/** Is told how many products are loaded. */
export interface Progress {
  readonly start: (title: string, total: number) => void;
  readonly loaded: (count: number) => void;
  /** Comes once after each start, also where loading failed. */
  readonly end: () => void;
}

/** Products in one request: enough for few round trips, few enough for the bar to move. */
const PART_SIZE = 50;

const SAMPLE_FOLDER = path.join(__dirname, '..', '..', 'sample');

/** The items of a file beside the sources, such as `sample-price-list.json`. */
export const readSample = (fileName: string): readonly Item[] =>
  JSON.parse(fs.readFileSync(path.join(SAMPLE_FOLDER, fileName), 'utf8')) as readonly Item[];

const partsOf = (items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / PART_SIZE) }, (_, part) =>
    items.slice(part * PART_SIZE, (part + 1) * PART_SIZE),
  );

/** Sets the prices in the book, in order, in requests of 50 products. */
export const load = async (
  client: Client,
  bookId: string,
  title: string,
  items: readonly Item[],
  progress: Progress,
): Promise<void> => {
  progress.start(title, items.length);
  let count = 0;
  try {
    for (const part of partsOf(items)) {
      await client.setPrices(bookId, part);
      count += part.length;
      progress.loaded(count);
    }
  } finally {
    progress.end();
  }
};

/** For a terminal: one bar that grows, on standard output. */
export const progressBar = (): Progress => {
  const bar = new SingleBar(
    { format: '  {title} {bar} {value}/{total} products', barsize: 24, stream: process.stdout },
    Presets.shades_classic,
  );
  return {
    start: (title, total) => {
      bar.start(total, 0, { title });
    },
    loaded: (count) => {
      bar.update(count);
    },
    end: () => {
      bar.stop();
    },
  };
};

/** For a file or a pipe: a line for each request. */
export const progressLines = (print: (text: string) => void): Progress => {
  let current = { title: '', total: 0 };
  return {
    start: (title, total) => {
      current = { title, total };
    },
    loaded: (count) => {
      print(`  ${current.title} ${String(count)}/${String(current.total)} products`);
    },
    end: () => undefined,
  };
};
