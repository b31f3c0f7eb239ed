/** A list of own prices as CSV: made while it is sent, however long it is. */
import type { OwnPricesPage } from '@pricebook/application';
import { holderRows } from '@pricebook/domain';
import type { StreamedBody } from '../streams';
import { CSV_HEAD, csvLine } from './write-csv';

/** A piece of the answer has about so many characters. */
const PIECE = 64 * 1024;

const CONTENT_TYPE = 'text/csv; charset=utf-8; header=present';

/** The rows of a product, or of all products. */
export const rowsAsCsv = (...of: Parameters<typeof holderRows>): string =>
  holderRows(...of)
    .map(csvLine)
    .join('');

/**
 * @param first the rows that come before those of the products.
 * @param page the first page of products.
 * @param next reads the page after another one; undefined after the last. What it throws breaks the answer off.
 */
export const csvAnswer = (
  first: string,
  page: OwnPricesPage,
  next: (page: OwnPricesPage) => Promise<OwnPricesPage | undefined>,
): StreamedBody => ({
  contentType: CONTENT_TYPE,
  pieces: async function* (over) {
    let text = CSV_HEAD + first;
    for (let now: OwnPricesPage | undefined = page; now !== undefined; now = await next(now)) {
      for (const { productId, ...own } of now.products) {
        text += rowsAsCsv(productId, own);
        if (text.length < PIECE) continue;
        yield text;
        text = '';
      }
      if (over.aborted) return;
    }
    yield text;
  },
});
