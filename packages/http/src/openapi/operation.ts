/** What an operation says of itself for the OpenAPI document, beside what it does. */
import type { Scope } from '@pricebook/application';
import type { JsonSchema } from '@pricebook/domain';
import type { ProblemSlug } from '../problem-texts';
import type { HeaderName } from './headers';
import type { Tag } from './tags';

/** What a request says beside its body. The objects that read parameters are parameters themselves. */
export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** Whether a request without it is refused; those in paths are never absent. */
  readonly isRequired?: boolean;
  /** Where it stands for any number of parameters: those of an object, each under its own name. */
  readonly isMany?: boolean;
  /** The media type of the answer that it is for, where it is not for all. */
  readonly mediaType?: string;
  /** What an operation can answer because of it, beside a request that is not valid. */
  readonly problems?: readonly ProblemSlug[];
}

/** The schema of a body, by media type. */
export type Content = Readonly<Record<string, JsonSchema>>;

/** A success. */
export interface Answer {
  readonly description: string;
  /** Beside those of every answer. */
  readonly headers?: readonly HeaderName[];
  /** Absent where it has no body. */
  readonly content?: Content;
}

/** That an operation is going to be removed: docs/versioning.md. */
export interface Deprecation {
  /** ISO 8601, UTC: since when it is not to be used in new clients. */
  readonly since: string;
  /** ISO 8601, UTC: when it may stop working; absent while that is not decided. */
  readonly sunset?: string;
  /** What to use instead, a sentence. */
  readonly instead: string;
}

interface Operation {
  /** The name of a method for it in a client. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: Tag;
  /** Beside `x-request-id`, which every operation takes. */
  readonly parameters?: readonly Parameter[];
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Absent while no removal is planned. */
  readonly deprecation?: Deprecation;
  /** Beside those of its parameters and those that every operation can answer. */
  readonly problems?: readonly ProblemSlug[];
}

/** An operation with where it is, what it takes and who may use it: all that a document says of it. */
export interface DescribedRoute extends Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In the form of @koa/router. */
  readonly path: string;
  /** What it takes as its body, which it needs then unless that is optional. */
  readonly body?: Content;
  /** A request without a body is one with an empty object. */
  readonly isBodyOptional?: true;
  /** The least scope of a key; absent where it needs none. */
  readonly scope?: Scope;
}

/** Whether a success of the operation has a body: otherwise there is nothing in it that a client could not take. */
export const answersWithBody = ({ answers }: Pick<Operation, 'answers'>): boolean =>
  Object.keys(answers).join() !== '204';

/** A body of JSON. */
export const json = ({ schema }: { readonly schema: JsonSchema }): Content => ({
  'application/json': schema,
});
