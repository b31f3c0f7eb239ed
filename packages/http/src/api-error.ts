import type { ApiKeyCommandError, CommandError, QueryError } from '@pricebook/application';
import type { Fault, PriceError } from '@pricebook/domain';

/** What can be wrong with a request before it reaches a use case. */
export type RequestError =
  | { readonly _tag: 'Unauthorized' }
  | { readonly _tag: 'Forbidden'; readonly scope: string }
  | { readonly _tag: 'NoSuchRoute' }
  | { readonly _tag: 'MethodNotAllowed'; readonly allow: string }
  | { readonly _tag: 'NotAcceptable' }
  | { readonly _tag: 'UnsupportedMediaType'; readonly detail: string }
  | { readonly _tag: 'BodyTooLarge'; readonly maxBytes: number }
  | { readonly _tag: 'Overloaded' }
  | { readonly _tag: 'InvalidBody'; readonly faults: readonly Fault[] }
  | { readonly _tag: 'InvalidParameter'; readonly detail: string };

/** Everything that an answer can be instead of a success. */
export type ApiError = RequestError | CommandError | ApiKeyCommandError | QueryError | PriceError;
