/** Cuts what is imported into requests within the limits of the service, always alike for the same file. */
import { ALL, CSV_HEAD, csvLine, type HolderPrices, requestedRows } from '@pricebook/domain';

/** What a request is filled up to: large enough for few of them, small enough to be done in a moment. */
const FULL = { products: 2_000, bytes: 256 * 1024 };
/** What the service takes. A product alone may have that much. */
const MAX_BYTES = 1024 * 1024;

export interface PlannedRequest {
  readonly csv: string;
  /** Those of which it is the first to set something. */
  readonly products: number;
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;
const ROOM = MAX_BYTES - bytesOf(CSV_HEAD);

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
  let bytes = 0;
  let products = 0;

  const close = (): void => {
    if (texts.length > 0) requests.push({ csv: CSV_HEAD + texts.join(''), products });
    [texts, bytes, products] = [[], 0, 0];
  };

  return {
    add: (holder, prices) => {
      const whole = textOf(holder, prices);
      const parts = bytesOf(whole) <= ROOM ? [whole] : byCurrency(prices).map((part) => textOf(holder, part));
      if (parts.some((part) => bytesOf(part) > ROOM)) {
        return `has more rows in one currency than a request of ${MAX_BYTES.toLocaleString('en-US')} bytes can hold`;
      }
      parts.forEach((part, index) => {
        const size = bytesOf(part);
        if (bytes + size > FULL.bytes || products >= FULL.products) close();
        texts.push(part);
        bytes += size;
        products += index === 0 && holder !== ALL ? 1 : 0;
      });
      return undefined;
    },
    requests: () => {
      close();
      return requests;
    },
  };
};
