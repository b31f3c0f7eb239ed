/** Prices whose book the selection rules choose by the context of the request. */
import type { ChosenLine, ChosenPrice, Clock, NoRuleAnswers } from '@pricebook/application';
import { contextQuoteCodec, type QuoteLine, totalsOf } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import {
  type ChosenPriceBody,
  chosenPriceCodec,
  type QuoteByContextBody,
  quoteByContextCodec,
  type QuotedChoiceBody,
} from '../answers/chosen-price';
import { triedRuleBody } from '../answers/selection-rule';
import type { ApiError } from '../api-error';
import { knownAt, knownAtIn } from '../known-at';
import { json } from '../openapi/operation';
import {
  at,
  currencyInPath,
  explain,
  inFull,
  priceParametersIn,
  productIdInPath,
  tableParameters,
} from '../parameters';
import { problemOf } from '../problem';
import { type ApiRequest, type Route, ruleRoute, ruleRouteWithBody } from '../route';
import { noPriceOf, productPriceOf } from './product-price';
import { explainedLines, knownLines, withRepeated, withTotal } from './quote';

/** Each line is explained with every rule that was tried. */
const MAX_EXPLAINED = 20;

type Asked = Pick<QuoteLine, 'productId' | 'currency' | 'at' | 'knownAt'>;

const chosenPriceOf = (
  asked: Asked,
  { price, rule, isFirstAsked, tried }: ChosenPrice,
  isExplained: boolean,
): ChosenPriceBody => {
  const { validUntil, ...body } = productPriceOf(asked, price, isExplained);
  return {
    ...body,
    ...(validUntil !== undefined && isFirstAsked && { validUntil }),
    priceBookId: rule.priceBookId,
    selectionRuleId: rule.id,
    ...(isExplained && { triedRules: tried().map(triedRuleBody) }),
  };
};

const isNoRule = (error: ApiError | NoRuleAnswers): error is NoRuleAnswers => error._tag === 'NoRuleAnswers';

/** Why there is no price, with the rules that were tried where an explanation is asked for. */
const noChoiceOf = (error: ApiError | NoRuleAnswers, asked: Asked, isExplained: boolean): ApiError =>
  isNoRule(error)
    ? {
        _tag: 'NoPriceByContext',
        isAnyMatching: error.isAnyMatching,
        triedRules: isExplained ? error.tried().map(triedRuleBody) : undefined,
      }
    : noPriceOf(error, asked);

const questionIn = ({ params, query }: ApiRequest<undefined>, clock: Clock) =>
  inFull({
    productId: productIdInPath.read(params),
    currency: currencyInPath.read(params),
    at: at.read(query),
    knownAt: knownAtIn(query, clock),
    explain: explain.read(query),
    parameters: priceParametersIn(query),
  });

const lineBody = (line: QuoteLine, answer: ChosenLine, isExplained: boolean): QuotedChoiceBody => {
  const { productId, currency } = line;
  if (E.isLeft(answer)) {
    const { triedRules, ...problem } = problemOf(noChoiceOf(answer.left, line, isExplained)).problem;
    const tried = triedRules !== undefined && { triedRules };
    return withRepeated(line, { productId, currency, problem, ...tried });
  }
  const chosen = chosenPriceOf(line, answer.right, isExplained);
  return withTotal(line, answer.right.price, withRepeated(line, chosen));
};

const context = tableParameters.map((parameter) =>
  parameter.isMany === true
    ? {
        ...parameter,
        name: 'context',
        description:
          'What is known of the request, each attribute under its own name, such as `customerGroup=gold`: selection rules choose ' +
          'the book by it, and tables of that book read it as well. An attribute may be given several times for rules, not for tables.',
        schema: {
          type: 'object' as const,
          additionalProperties: { type: 'string' as const },
          examples: [{ customerGroup: 'gold', country: 'DE' }],
        },
      }
    : parameter,
);

export const contextPriceRoutes: readonly Route[] = [
  ruleRoute(
    {
      method: 'get',
      path: '/v1/prices/:productId/:currency',
      scope: 'read',
      operationId: 'getPriceByContext',
      summary: 'Get Price by Context',
      description:
        'What the product costs in the book that the selection rules choose: that of the first matching rule whose book has the ' +
        'price. With `at` in the past, the rules are those of then. With `explain=true` the answer says of each rule that was ' +
        'tried why it did not answer, also where there is no price.',
      tag: 'Selection rules',
      parameters: [productIdInPath, currencyInPath, at, knownAt, explain, ...context],
      answers: {
        200: { description: 'The price, and which book answered.', content: json(chosenPriceCodec) },
      },
      problems: ['no-price'],
    },
    (rules, request, { clock }) =>
      async () => {
        const question = questionIn(request, clock);
        if (E.isLeft(question)) return question;
        const isExplained = question.right.explain;
        const chosen = await rules.price(question.right)();
        return E.isLeft(chosen)
          ? E.left(noChoiceOf(chosen.left, question.right, isExplained))
          : E.right({ status: 200, body: chosenPriceOf(question.right, chosen.right, isExplained) });
      },
  ),

  ruleRouteWithBody(
    {
      method: 'post',
      path: '/v1/quote',
      scope: 'read',
      operationId: 'quoteByContext',
      summary: 'Quote by Context',
      description:
        'Many prices in one request: the selection rules choose a book for each line by the context, the properties and the quantity of ' +
        `the line. It changes nothing. With \`explain=true\` there are at most ${String(MAX_EXPLAINED)} lines.`,
      tag: 'Selection rules',
      parameters: [explain],
      answers: {
        200: { description: 'The lines and their totals.', content: json(quoteByContextCodec) },
      },
    },
    contextQuoteCodec,
    (rules, { query, body: { lines } }, { clock }) =>
      pipe(
        explain.read(query),
        E.chain(explainedLines(lines, MAX_EXPLAINED)),
        E.chainFirst(() => knownLines(lines, ['lines'], clock)),
        TE.fromEither,
        TE.chainW((isExplained) => rules.quote(lines, (line, answer) => lineBody(line, answer, isExplained))),
        TE.map((answers) => {
          const body: QuoteByContextBody = { lines: answers, totals: totalsOf(answers) };
          return { status: 200, body };
        }),
      ),
  ),
];
