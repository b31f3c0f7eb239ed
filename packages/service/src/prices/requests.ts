/** Cuts what is imported into requests within the limits of the service, always alike for the same file. */
import { ALL, CSV_HEAD, csvLine, type HolderPrices, requestedRows } from '@pricebook/domain';

/** What a request is filled up to: large enough for few of them, small enough to be done in a moment. */
const FULL = { products: 2_000, bytes: 256 * 1024 };
/** What the service takes. A product alone may have that much. */
const MAX_BYTES = 1024 * 1024;

export interface ImportRequest {
  /** Counted from 0. */
  readonly place: number;
  readonly csv: string;
  /** Those of which it is the first to set something. */
  readonly products: number;
  /** How many revisions it takes the book on. */
  readonly events: number;
}

/** The rows of a holder as text; those of a currency are never torn apart. */
interface Parcel {
  readonly currencies: readonly string[];
  readonly text: string;
}

const parcelOf = (holder: string, prices: HolderPrices): Parcel => ({
  currencies: Object.keys(prices),
  text: requestedRows(holder, prices).map(csvLine).join(''),
});

/** One currency by itself, each. */
const byCurrency = (prices: HolderPrices): readonly HolderPrices[] =>
  Object.entries(prices).map(([currency, adjustments]) => ({ [currency]: adjustments }));

const bytesOf = (text: string): number => Buffer.byteLength(text);
const ROOM = MAX_BYTES - bytesOf(CSV_HEAD);

export interface Packer {
  /** @returns the requests that are full, and what does not fit into any. */
  readonly add: (
    holder: string,
    prices: HolderPrices,
  ) => { readonly full: readonly ImportRequest[]; readonly tooLarge: readonly string[] };
  /** @returns the last request, if anything is left. */
  readonly end: () => readonly ImportRequest[];
}

export const createPacker = (): Packer => {
  let place = 0;
  let texts: string[] = [];
  let bytes = 0;
  let products = 0;
  /** Of which kinds of events the open request has something. */
  let kinds = new Set<'items' | 'allProducts'>();

  const end = (): readonly ImportRequest[] => {
    if (texts.length === 0) return [];
    const request = { place, csv: CSV_HEAD + texts.join(''), products, events: kinds.size };
    place += 1;
    texts = [];
    bytes = 0;
    products = 0;
    kinds = new Set();
    return [request];
  };

  return {
    add: (holder, prices) => {
      const full: ImportRequest[] = [];
      const tooLarge: string[] = [];
      const whole = parcelOf(holder, prices);
      const parcels =
        bytesOf(whole.text) <= ROOM ? [whole] : byCurrency(prices).map((part) => parcelOf(holder, part));
      let isNew = holder !== ALL;
      for (const parcel of parcels) {
        const size = bytesOf(parcel.text);
        if (size > ROOM) {
          tooLarge.push(
            `has ${size.toLocaleString('en-US')} bytes of rows in ${parcel.currencies.join()}; ` +
              `the service takes ${ROOM.toLocaleString('en-US')} at once`,
          );
          continue;
        }
        if (bytes + size > FULL.bytes || products >= FULL.products) full.push(...end());
        texts.push(parcel.text);
        bytes += size;
        products += isNew ? 1 : 0;
        isNew = false;
        kinds.add(holder === ALL ? 'allProducts' : 'items');
      }
      return { full, tooLarge };
    },
    end,
  };
};
