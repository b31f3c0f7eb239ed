/** Selection rules: which book answers in which context. */
import type { SelectionRule } from '@pricebook/application';
import { listOf, ruleContentCodec } from '@pricebook/domain';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import {
  ruleEventBody,
  ruleEventCodec,
  ruleIdCodec,
  selectionRuleBody,
  selectionRuleCodec,
} from '../answers/selection-rule';
import { entityTagOf, ifMatch, ifNoneMatch } from '../entity-tag';
import { json } from '../openapi/operation';
import { cursorOf, limit, nextPageHeaders } from '../paging';
import { inFull } from '../parameters';
import { type ApiAnswer, type Route, ruleRoute, ruleWriteRoute, ruleWriteRouteWithBody } from '../route';
import { idInPath } from './id-in-path';
import { revisionIn } from './revision';

const collection = '/v1/selection-rules';
const one = `${collection}/:selectionRuleId`;

const ruleIdInPath = idInPath(
  'selectionRuleId',
  'The id of the selection rule.',
  ruleIdCodec,
  'selection-rule-not-found',
);

const LIST = 'events';
const cursor = cursorOf(LIST, revisionIn);

const ifMatchRule = {
  ...ifMatch,
  description: 'The write is done only if the rule is at one of these revisions, such as `"4"`. `*` is any.',
};

const answerWith =
  (status: number) =>
  (rule: SelectionRule): ApiAnswer => ({
    status,
    body: selectionRuleBody(rule),
    headers: {
      ETag: entityTagOf(rule.revision),
      // Relative to the path of the request, so that it holds behind a proxy's prefix.
      ...(status === 201 && { Location: `selection-rules/${rule.id}` }),
    },
  });

const WITHIN = 'Other instances follow within a second.';

export const selectionRuleRoutes: readonly Route[] = [
  ruleWriteRouteWithBody(
    {
      method: 'post',
      path: collection,
      scope: 'write',
      operationId: 'createSelectionRule',
      summary: 'Create Selection Rule',
      description: `Has a book answer prices by context where all conditions hold. There are at most 1,000 rules. ${WITHIN}`,
      tag: 'Selection rules',
      answers: {
        201: {
          description: 'The rule.',
          headers: ['Location', 'ETag'],
          content: json(selectionRuleCodec),
        },
      },
      problems: ['too-many-selection-rules'],
    },
    ruleContentCodec,
    (rules, { body, caller }) => pipe(rules.create(body, caller), TE.map(answerWith(201))),
  ),

  ruleRoute(
    {
      method: 'get',
      path: collection,
      scope: 'read',
      operationId: 'listSelectionRules',
      summary: 'List Selection Rules',
      description: 'All rules, in the order in which they are tried.',
      tag: 'Selection rules',
      answers: { 200: { description: 'The rules.', content: json(listOf(selectionRuleCodec)) } },
    },
    (rules) =>
      pipe(
        rules.list,
        TE.map((all) => ({ status: 200, body: all.map(selectionRuleBody) })),
      ),
  ),

  ruleRoute(
    {
      method: 'get',
      path: one,
      scope: 'read',
      operationId: 'getSelectionRule',
      summary: 'Get Selection Rule',
      description: 'What the rule says, and who changed it last.',
      tag: 'Selection rules',
      parameters: [ruleIdInPath, ifNoneMatch],
      answers: {
        200: { description: 'The rule.', headers: ['ETag'], content: json(selectionRuleCodec) },
        304: { description: 'It is still at a revision that `If-None-Match` names.', headers: ['ETag'] },
      },
    },
    (rules, { params }) =>
      pipe(TE.fromEither(ruleIdInPath.read(params)), TE.chainW(rules.find), TE.map(answerWith(200))),
  ),

  ruleWriteRouteWithBody(
    {
      method: 'put',
      path: one,
      scope: 'write',
      operationId: 'replaceSelectionRule',
      summary: 'Replace Selection Rule',
      description: `Replaces everything that the rule says; its place among rules of the same priority stays. ${WITHIN}`,
      tag: 'Selection rules',
      parameters: [ruleIdInPath, ifMatchRule],
      answers: {
        200: { description: 'The rule.', headers: ['ETag'], content: json(selectionRuleCodec) },
      },
    },
    ruleContentCodec,
    (rules, { params, body, caller }) =>
      pipe(
        TE.fromEither(ruleIdInPath.read(params)),
        TE.chainW((id) => rules.replace(id, body, caller)),
        TE.map(answerWith(200)),
      ),
  ),

  ruleWriteRoute(
    {
      method: 'delete',
      path: one,
      scope: 'write',
      operationId: 'deleteSelectionRule',
      summary: 'Delete Selection Rule',
      description: `The rule is not tried any more. Its history, and prices at an earlier time, can still be read. ${WITHIN}`,
      tag: 'Selection rules',
      parameters: [ruleIdInPath, ifMatchRule],
      answers: { 204: { description: 'The rule is deleted.' } },
    },
    (rules, { params, caller }) =>
      pipe(
        TE.fromEither(ruleIdInPath.read(params)),
        TE.chainW((id) => rules.delete(id, caller)),
        TE.map(() => ({ status: 204 })),
      ),
  ),

  ruleRoute(
    {
      method: 'get',
      path: `${one}/events`,
      scope: 'read',
      operationId: 'listSelectionRuleEvents',
      summary: 'List Selection Rule Events',
      description:
        'Every change of the rule, oldest first: what it said, when, and who asked for it. Also of a deleted rule.',
      tag: 'Selection rules',
      parameters: [ruleIdInPath, limit, cursor],
      answers: {
        200: { description: 'The changes.', headers: ['Link'], content: json(listOf(ruleEventCodec)) },
      },
    },
    (rules, { params, query }) =>
      pipe(
        TE.fromEither(
          inFull({
            id: ruleIdInPath.read(params),
            limit: limit.read(query),
            from: cursor.read(query),
          }),
        ),
        TE.chainW(rules.history),
        TE.map(({ events, next }) => ({
          status: 200,
          body: events.map(ruleEventBody),
          headers: nextPageHeaders({
            list: LIST,
            query,
            place: next === undefined ? undefined : String(next),
          }),
        })),
      ),
  ),
];
