/** Cuts what is imported into requests within the limits of the service, always alike for the same file. */
import { CSV_HEAD, csvLine, type HolderPrices, requestedRows } from '@pricebook/domain';

/** What a request is filled up to: large enough for few of them, small enough to be done in a moment. */
const FULL = { holders: 2_000, bytes: 256 * 1024 };
/** What the service takes. A product alone may have that much. */
const MAX_BYTES = 1024 * 1024;

/** What a product, or all products, are given. */
export type PlannedHolder = readonly [holder: string, prices: HolderPrices];

export interface PlannedRequest {
  readonly csv: string;
  /** Tells it from another one that takes its place, such as after an update of the console. */
  readonly mark: string;
  readonly holders: readonly PlannedHolder[];
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;
const ROOM = MAX_BYTES - bytesOf(CSV_HEAD);

/** FNV-1a. */
const markOf = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
};

const textOf = (holder: string, prices: HolderPrices): string =>
  requestedRows(holder, prices).map(csvLine).join('');

/** One currency by itself, each. */
const byCurrency = (prices: HolderPrices): readonly HolderPrices[] =>
  Object.entries(prices).map(([currency, adjustments]) => ({ [currency]: adjustments }));

export interface Planner {
  /** Takes all that one product, or all products, are given. Says what is wrong where no request could hold it. */
  readonly add: (holder: string, prices: HolderPrices) => string | undefined;
  readonly requests: () => readonly PlannedRequest[];
}

/** What a product is given stays in one request; only what is too large for one is cut, between currencies. */
export const createPlanner = (): Planner => {
  const requests: PlannedRequest[] = [];
  let texts: string[] = [];
  let holders: PlannedHolder[] = [];
  let bytes = 0;

  const close = (): void => {
    if (texts.length > 0) {
      const csv = CSV_HEAD + texts.join('');
      requests.push({ csv, mark: markOf(csv), holders });
    }
    [texts, holders, bytes] = [[], [], 0];
  };

  return {
    add: (holder, prices) => {
      const whole = textOf(holder, prices);
      const parts: readonly (readonly [HolderPrices, string])[] =
        bytesOf(whole) <= ROOM
          ? [[prices, whole]]
          : byCurrency(prices).map((part) => [part, textOf(holder, part)]);
      if (parts.some(([, text]) => bytesOf(text) > ROOM)) {
        return `has more rows in one currency than a request of ${MAX_BYTES.toLocaleString('en-US')} bytes can hold`;
      }
      for (const [part, text] of parts) {
        const size = bytesOf(text);
        if (bytes + size > FULL.bytes || holders.length >= FULL.holders) close();
        texts.push(text);
        holders.push([holder, part]);
        bytes += size;
      }
      return undefined;
    },
    requests: () => {
      close();
      return requests;
    },
  };
};
