import type {
  ApiKeyCommandError,
  CommandError,
  FeedPlaceUnknown,
  FollowError,
  OnceError,
  DeadLetterNotFound,
  QueryError,
  SelectionRuleCommandError,
  SelectionRuleQueryError,
  WebhookCommandError,
} from '@pricebook/application';
import type { TriedRuleBody } from './answers/selection-rule';
import type { Currency, Fault, PriceError, ProductId } from '@pricebook/domain';

/** Something wrong with a body. */
export interface BodyFault extends Fault {
  /** Of a body in lines: where the row begins, and the column in which the fault is. */
  readonly line?: number;
  readonly column?: string;
}

/** What can be wrong with a request before it reaches a use case. */
export type RequestError =
  | { readonly _tag: 'Unauthorized' }
  | {
      readonly _tag: 'TooManyRequests';
      readonly secondsToWait: number;
      /** Whose requests are too many. */
      readonly of: 'key' | 'address' | 'follower';
    }
  | { readonly _tag: 'TooManyFollowers'; readonly secondsToWait: number }
  | { readonly _tag: 'UriTooLong'; readonly maxCharacters: number }
  | { readonly _tag: 'Forbidden'; readonly scope: string }
  | {
      readonly _tag: 'NoSuchRoute';
      /** Whether a slash at the end is all that is wrong with the path. */
      readonly isSlashTooMany: boolean;
      /** Whether this process has a page with the operations. */
      readonly hasDocs: boolean;
    }
  | { readonly _tag: 'MethodNotAllowed'; readonly allow: string }
  | { readonly _tag: 'NotAcceptable'; readonly offered: readonly string[] }
  | { readonly _tag: 'UnsupportedMediaType'; readonly detail: string }
  | { readonly _tag: 'BodyTooLarge'; readonly maxBytes: number }
  | { readonly _tag: 'Overloaded' }
  | { readonly _tag: 'InvalidBody'; readonly faults: readonly BodyFault[] }
  | { readonly _tag: 'InvalidParameter'; readonly detail: string }
  /** What the path has as the id of a book cannot be one. */
  | { readonly _tag: 'NoPriceBookId' };

/** There is no list price, where a time was asked about: that it was another time is easily missed. */
interface NoListPriceThen {
  readonly _tag: 'NoListPriceThen';
  readonly productId: ProductId;
  readonly currency: Currency;
  readonly at: string;
  readonly knownAt?: string | undefined;
}

/** No book that the selection rules choose has the price. */
interface NoPriceByContext {
  readonly _tag: 'NoPriceByContext';
  /** Whether any rule matches. */
  readonly isAnyMatching: boolean;
  /** Where an explanation is asked for. */
  readonly triedRules?: readonly TriedRuleBody[] | undefined;
}

/** Everything that an answer can be instead of a success. */
export type ApiError =
  | RequestError
  | CommandError
  | OnceError
  | ApiKeyCommandError
  | QueryError
  | FollowError
  | FeedPlaceUnknown
  | SelectionRuleCommandError
  | SelectionRuleQueryError
  | NoPriceByContext
  | WebhookCommandError
  | DeadLetterNotFound
  | PriceError
  | NoListPriceThen;
