/** The list of effective prices as CSV: all of it, unless the request says how much. */
import type { EffectivePricesPage } from '@pricebook/application';
import { csvLineOf, type ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { ListedPriceBody } from '../answers/listed-price';
import type { ApiError } from '../api-error';
import type { Content } from '../openapi/operation';
import type { StreamedBody } from '../streams';
import { csvAnswer, pagesAfter } from './csv-answer';
import { csvFormat } from './read-csv';

/** Products that are read at once where all are sent. */
const PAGE = 1_000;

const HEAD = csvLineOf(['productId', 'currency', 'price', 'effectiveDate', 'validUntil', 'problem']);

export const effectivePricesCsv: Content = {
  [csvFormat.mediaType]: {
    title: 'EffectivePricesSheet',
    type: 'string',
    description:
      'CSV by RFC 4180. The first row names the columns; a row for each product. Where `problem` says why there is no price, ' +
      '`price` and the dates are empty.',
    examples: [`${HEAD}lamp,USD,54.99,2026-11-21T07:20:01.486Z,,\r\n`],
  },
};

type Page = EffectivePricesPage<ListedPriceBody>;

const lineOf = ({
  productId,
  currency,
  price,
  effectiveDate,
  validUntil,
  problem,
}: ListedPriceBody): string =>
  csvLineOf([
    productId,
    currency,
    price === undefined ? '' : String(price),
    effectiveDate ?? '',
    validUntil ?? '',
    problem?.detail ?? '',
  ]);

const linesOf = function* ({ prices }: Page): Iterable<string> {
  for (const line of prices) yield lineOf(line);
};

/**
 * It begins when the first products are read, so that what fails until then has its status.
 *
 * @param limit undefined for all.
 */
export const effectivePricesAsCsv =
  (
    read: (limit: number, from: ProductId | undefined) => TaskEither<ApiError, Page>,
    limit: number | undefined,
    from: ProductId | undefined,
  ): TaskEither<ApiError, { readonly stream: StreamedBody; readonly next: ProductId | undefined }> =>
  async () => {
    const page = await read(limit ?? PAGE, from)();
    if (E.isLeft(page)) return page;
    return E.right({
      stream: csvAnswer({
        head: HEAD,
        first: page.right,
        linesOf,
        next: pagesAfter(limit, (place: ProductId) => read(PAGE, place)()),
      }),
      next: limit === undefined ? undefined : page.right.next,
    });
  };
