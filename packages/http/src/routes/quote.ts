import type { Clock, CurrentPrice, QuotedLine } from '@pricebook/application';
import {
  boundedFaults,
  lineTotalOf,
  roundedTotal,
  listOf,
  pointerOf,
  quantityOf,
  type QuoteLine,
  quoteLinesCodec,
  totalsOf,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { ApiError, BodyFault } from '../api-error';
import {
  type QuotedLineBody,
  quotedLineCodec,
  type QuoteWithTotalsBody,
  quoteWithTotalsCodec,
} from '../answers/quoted-line';
import { afterNow } from '../known-at';
import { json } from '../openapi/operation';
import { explain, inFull, priceBookIdInPath } from '../parameters';
import { type ApiRequest, type Route, routeWithBody } from '../route';
import { listedPriceOf } from './product-price';

/** An explanation holds whole tables: of so many lines an answer is still of a size that clients read. */
export const MAX_EXPLAINED = 100;

/** Whether lines are explained, which is refused where there are more of them than `max`. */
export const explainedLines =
  (lines: readonly QuoteLine[], max: number) =>
  (isExplained: boolean): E.Either<ApiError, boolean> =>
    isExplained && lines.length > max
      ? E.left({
          _tag: 'InvalidParameter',
          detail: `With explain=true a quote has at most ${String(max)} lines.`,
        })
      : E.right(isExplained);

/**
 * What will be planned is not known yet: lines that ask about it are refused.
 *
 * @param place the path to the lines in the body.
 */
export const knownLines = (
  lines: readonly QuoteLine[],
  place: readonly string[],
  clock: Clock,
): E.Either<ApiError, void> => {
  const faults = lines.flatMap(({ knownAt }, line): readonly BodyFault[] => {
    const detail = knownAt === undefined ? undefined : afterNow(knownAt, clock);
    return detail === undefined ? [] : [{ pointer: pointerOf([...place, line, 'knownAt']), detail }];
  });
  return faults.length === 0
    ? E.right(undefined)
    : E.left({ _tag: 'InvalidBody', faults: boundedFaults(faults, (fault) => fault) });
};

const questionIn = ({ params, query, body }: ApiRequest<readonly QuoteLine[]>, clock: Clock) =>
  pipe(
    inFull({
      explain: pipe(explain.read(query), E.chain(explainedLines(body, MAX_EXPLAINED))),
      priceBookId: priceBookIdInPath.read(params),
    }),
    E.chainFirst(() => knownLines(body, [], clock)),
  );

/** What is answered to a line, with what that repeats of it; most lines say nothing that is repeated. */
export const withRepeated = <A extends object>({ id, quantity, properties }: QuoteLine, answer: A) =>
  id === undefined && quantity === undefined && properties === undefined
    ? answer
    : {
        ...(id !== undefined && { id }),
        ...(quantity !== undefined && { quantity }),
        ...(properties !== undefined && { properties }),
        ...answer,
      };

/** What is answered to a line that has a price, with its total, where it has one. */
export const withTotal = <A extends object>(line: QuoteLine, { price, total }: CurrentPrice, answer: A) => {
  const { currency } = line;
  const lineTotal =
    total === undefined ? lineTotalOf(price, quantityOf(line), currency) : roundedTotal(total, currency);
  return lineTotal === undefined ? answer : { ...answer, lineTotal };
};

const bodyOf = (line: QuoteLine, quoted: QuotedLine, isExplained: boolean): QuotedLineBody => {
  const listed = withRepeated(line, listedPriceOf(line, quoted, isExplained));
  return E.isRight(quoted) ? withTotal(line, quoted.right, listed) : listed;
};

type Answer<A> = (lines: readonly QuotedLineBody[]) => A;

/** Quotes the lines of a body, and answers what is made of them. */
const quoteAs =
  <A>(answer: Answer<A>): Parameters<typeof routeWithBody<readonly QuoteLine[]>>[2] =>
  (priceBooks, request, { clock }) =>
    pipe(
      TE.fromEither(questionIn(request, clock)),
      TE.chainW(({ priceBookId, explain: isExplained }) =>
        priceBooks.quote(priceBookId, request.body, (line, quoted) => bodyOf(line, quoted, isExplained)),
      ),
      TE.map((lines) => ({ status: 200, body: answer(lines) })),
    );

const withTotals: Answer<QuoteWithTotalsBody> = (lines) => ({ lines, totals: totalsOf(lines) });

const target = {
  method: 'post',
  scope: 'read',
  tag: 'Prices',
  parameters: [priceBookIdInPath, explain],
} as const;

const bounds = `It changes nothing. With \`explain=true\` there are at most ${String(MAX_EXPLAINED)} lines.`;

export const quoteRoutes: readonly Route[] = [
  routeWithBody(
    {
      ...target,
      path: '/v1/pricebooks/:priceBookId/quote',
      operationId: 'quote',
      summary: 'Quote',
      description: `Many prices of one book in one request, such as those of an order. ${bounds}`,
      answers: {
        200: {
          description: 'In the order of the lines: each the price, or why there is none.',
          content: json(listOf(quotedLineCodec)),
        },
      },
    },
    quoteLinesCodec,
    quoteAs((lines) => lines),
  ),

  routeWithBody(
    {
      ...target,
      path: '/v1/pricebooks/:priceBookId/quote-with-totals',
      operationId: 'quoteWithTotals',
      summary: 'Quote with Totals',
      description: `The same as Quote, and what the lines add up to in each currency. ${bounds}`,
      answers: {
        200: { description: 'The lines and their totals.', content: json(quoteWithTotalsCodec) },
      },
    },
    quoteLinesCodec,
    quoteAs(withTotals),
  ),
];
