/** The one table from errors to RFC 9457 problem details. */
import { ALL, inWords, type RowError } from '@pricebook/domain';
import type { TriedRuleBody } from './answers/selection-rule';
import type { ApiError, BodyFault } from './api-error';
import type { ProblemSlug } from './problem-texts';

/** The body of an answer that is not a success, but for the id of the request. */
interface Problem {
  /** A path of this service, which has a page there. */
  readonly type: `/problems/${ProblemSlug}`;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly BodyFault[];
  readonly triedRules?: readonly TriedRuleBody[];
}

export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/** Seconds after which a client may try again. */
const RETRY_AFTER = { 'Retry-After': '1' };
/** Room has to be made by somebody first. */
const FULL_RETRY_AFTER = { 'Retry-After': '30' };
/** A body that was refused is not read to its end. */
const CLOSE = { Connection: 'close' };

const answer = (
  status: number,
  slug: ProblemSlug,
  title: string,
  detail: string,
  extra: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly errors?: readonly BodyFault[];
    readonly triedRules?: readonly TriedRuleBody[] | undefined;
  } = {},
): ProblemAnswer => ({
  problem: {
    type: `/problems/${slug}`,
    title,
    status,
    detail,
    ...(extra.errors !== undefined && { errors: extra.errors }),
    ...(extra.triedRules !== undefined && { triedRules: extra.triedRules }),
  },
  headers: extra.headers ?? {},
});

const invalid = (detail: string, errors?: readonly BodyFault[]): ProblemAnswer =>
  answer(400, 'invalid-request', 'The request is not valid', detail, errors === undefined ? {} : { errors });

const noBook = (detail: string): ProblemAnswer =>
  answer(404, 'price-book-not-found', 'There is no such price book', detail);

const noPrice = (detail: string, triedRules?: readonly TriedRuleBody[]): ProblemAnswer =>
  answer(404, 'no-price', 'There is no such price', detail, { triedRules });

const movedOn = (what: string, revision: number): ProblemAnswer =>
  answer(
    412,
    'revision-mismatch',
    'The revision has moved on',
    `The ${what} is at revision ${String(revision)}, which If-Match does not name. Read it again. Send the ETag as you received it, such as "3".`,
  );

const unavailable = (detail: string, headers: Readonly<Record<string, string>> = {}): ProblemAnswer =>
  answer(503, 'unavailable', 'The service cannot answer now', detail, {
    headers: { ...RETRY_AFTER, ...headers },
  });

const internal = answer(
  500,
  'internal',
  'Something went wrong here',
  'The service failed. The request id finds the reason in its log.',
);

const quoted = (texts: readonly string[]): string => texts.map(inWords).join(', ');

const rowProblem = (error: RowError): ProblemAnswer => {
  switch (error._tag) {
    case 'ParameterMissing': {
      const allowed = error.allowed.length === 0 ? 'a number' : `one of ${quoted(error.allowed)}`;
      return invalid(
        `The price needs ${inWords(error.name)}, as a query parameter or among the properties of a line of Quote: ${allowed}.`,
      );
    }
    case 'ParameterRepeated':
      return invalid(`The query parameter ${inWords(error.name)} is given more than once.`);
    case 'ParameterMalformed':
      return invalid(
        `The value of ${inWords(error.name)} must be ${error.expected}, not ${inWords(error.given)}.`,
      );
    case 'NoMatchingRow':
      return noPrice(
        `No row of the table is for ${inWords(error.name)} ${inWords(error.value)}. ` +
          `There are: ${error.rows.join(', ')}.`,
      );
  }
};

const noSuchRoute = ({ isSlashTooMany, hasDocs }: Extract<ApiError, { _tag: 'NoSuchRoute' }>): string =>
  [
    isSlashTooMany
      ? 'No operation has this path with a slash at its end; without the slash there is one.'
      : 'No operation has this path.',
    ...(hasDocs ? ['The page /docs shows all that there are.'] : []),
  ].join(' ');

const tooMany = {
  key: 'The key has asked more often than it may. Try again.',
  address: 'Too many requests without a valid key have come from this address. Try again.',
  follower: 'The key follows as many streams as it may. Close some of them.',
} as const;

/** The answer to an error, and the headers that go with it. */
export const problemOf = (error: ApiError): ProblemAnswer => {
  switch (error._tag) {
    case 'Unauthorized':
      return answer(
        401,
        'unauthorized',
        'A valid API key is needed',
        'Send a valid key in the header x-api-key.',
        {
          headers: { 'WWW-Authenticate': 'ApiKey' },
        },
      );
    case 'TooManyRequests':
      return answer(429, 'too-many-requests', 'Too many requests', tooMany[error.of], {
        headers: { 'Retry-After': String(Math.max(1, error.secondsToWait)) },
      });
    case 'UriTooLong':
      return answer(
        414,
        'uri-too-long',
        'The path is too long',
        `Path and query may have ${String(error.maxCharacters)} characters together.`,
      );
    case 'Forbidden':
      return answer(
        403,
        'forbidden',
        'The key may not do this',
        `This needs a key of the scope ${error.scope}.`,
      );
    case 'NoSuchRoute':
      return answer(404, 'no-such-route', 'There is nothing here', noSuchRoute(error));
    case 'MethodNotAllowed':
      return answer(
        405,
        'method-not-allowed',
        'The path does not take this method',
        `It takes ${error.allow}.`,
        {
          headers: { Allow: error.allow },
        },
      );
    case 'NotAcceptable':
      return answer(
        406,
        'not-acceptable',
        'There is no such representation',
        `The answer can be ${error.offered.join(' or ')}.`,
      );
    case 'UnsupportedMediaType':
      return answer(415, 'unsupported-media-type', 'The body is of a type that is not read', error.detail);
    case 'BodyTooLarge':
    case 'AppendTooLarge':
      return answer(
        413,
        'too-large',
        'The request is too large',
        `At most ${String(error.maxBytes)} bytes are taken.`,
        { headers: CLOSE },
      );
    case 'InvalidBody':
      return invalid('The body is not as this operation takes it: see errors.', error.faults);
    case 'InvalidParameter':
      return invalid(error.detail);
    case 'PriceBookNotFound':
      return noBook('No price book has this id.');
    case 'NoPriceBookId':
      return noBook(
        'No price book has this id or key: an id is a UUID of version 7, and a key follows "key=".',
      );
    case 'BasePriceBookNotFound':
      return invalid('The base cannot be used.', [
        { pointer: '/basePriceBookId', detail: 'is not the id of an existing price book' },
      ]);
    case 'BaseChainTooLong':
      return invalid('The base cannot be used.', [
        {
          pointer: '/basePriceBookId',
          detail: `already is the last of a chain of ${String(error.max)} books, the most there may be`,
        },
      ]);
    case 'ApiKeyNotFound':
      return answer(
        404,
        'api-key-not-found',
        'There is no such key',
        'No key that is not revoked has this id.',
      );
    case 'ExpiryInThePast':
      return invalid('The key would have expired already.', [
        { pointer: '/expiresAt', detail: 'must be in the future' },
      ]);
    case 'LastAdminKey':
      return answer(
        409,
        'last-admin-key',
        'The key is the last one that may do everything',
        'Without it nobody could create keys. Create another key of the scope admin first.',
      );
    case 'SelectionRuleNotFound':
      return answer(
        404,
        'selection-rule-not-found',
        'There is no such selection rule',
        'No selection rule has this id.',
      );
    case 'TooManySelectionRules':
      return answer(
        409,
        'too-many-selection-rules',
        'There are too many selection rules',
        `There are ${error.max.toLocaleString('en-US')} selection rules, the most there may be. Delete one first.`,
      );
    case 'RulePriceBookNotFound':
      return invalid('The price book cannot be used.', [
        { pointer: '/priceBookId', detail: 'is not the id of an existing price book' },
      ]);
    case 'NoPriceByContext':
      return noPrice(
        error.isAnyMatching
          ? 'Selection rules match, but none of their books has a list price for the product in this currency.'
          : 'No selection rule matches.',
        error.triedRules,
      );
    case 'WebhookNotFound':
      return answer(404, 'webhook-not-found', 'There is no such webhook', 'No webhook has this id.');
    case 'DeadLetterNotFound':
      return answer(
        404,
        'dead-letter-not-found',
        'There is no such dead letter',
        'The webhook has no dead letter with this id, or its event is not in the store any more.',
      );
    case 'TooManyWebhooks':
      return answer(
        409,
        'too-many-webhooks',
        'There are too many webhooks',
        `There are ${String(error.max)} webhooks, the most there may be. Delete one first.`,
      );
    case 'WebhooksNotConfigured':
      return answer(
        409,
        'webhooks-not-configured',
        'Webhooks are not configured',
        'The service was started without PRICEBOOK_WEBHOOK_KEY, so it can sign no messages.',
      );
    case 'WebhookUrlRefused':
      return invalid('Nothing can be sent to the URL.', [{ pointer: '/url', detail: error.reason }]);
    case 'WebhookPriceBookNotFound':
      return invalid('The price book cannot be used.', [
        { pointer: '/priceBookId', detail: 'is not the id of an existing price book' },
      ]);
    case 'NoListPrice':
      return noPrice('The product has no list price in this currency, in this book or in its bases.');
    case 'NoListPriceThen':
      return noPrice(
        `At ${error.at}, the product ${inWords(error.productId)} has no list price in ${error.currency}, ` +
          `in this book or in its bases${error.knownAt === undefined ? '' : `, as known at ${error.knownAt}`}.`,
      );
    case 'ParameterMissing':
    case 'ParameterRepeated':
    case 'ParameterMalformed':
    case 'NoMatchingRow':
      return rowProblem(error);
    case 'RevisionMismatch':
      return movedOn('price book', error.actual);
    case 'SelectionRuleRevisionMismatch':
      return movedOn('selection rule', error.actual);
    case 'PriceBookInUse':
      return answer(
        409,
        'price-book-in-use',
        'The price book is the base of others',
        `Delete these first: ${error.derivedPriceBookIds.join(', ')}.`,
      );
    case 'PriceBookNotDeleted':
      return answer(
        409,
        'price-book-not-deleted',
        'The price book is not deleted',
        'Only a deleted price book can be restored.',
      );
    case 'BasePriceBookDeleted':
      return answer(
        409,
        'base-price-book-deleted',
        'The base of the price book is deleted',
        `Restore this one first: ${error.basePriceBookId}.`,
      );
    case 'PriceBookKeyTaken':
      return answer(
        409,
        'price-book-key-taken',
        'Another price book has the key',
        error.isPending
          ? `The price book ${error.priceBookId} is being given the key ${inWords(error.key)} at this moment. Look at it, or try again in half a minute.`
          : `The price book ${error.priceBookId} has the key ${inWords(error.key)}.`,
      );
    case 'TooManyDatedAdjustments':
      return answer(
        409,
        'too-many-dated-adjustments',
        'There are too many dated adjustments',
        `${error.holder === ALL ? 'The price book' : `The product ${inWords(error.holder)}`} would have more than ` +
          `${error.max.toLocaleString('en-US')} adjustments in ${error.currency} that are still to begin or end` +
          `${error.holder === ALL ? ', for all products' : ''}.`,
      );
    case 'IdempotencyKeyReused':
      return answer(
        422,
        'idempotency-key-reused',
        'The idempotency key is that of another request',
        'Another request was done under this Idempotency-Key in the last 24 hours. Each request needs a key of its own.',
      );
    case 'RequestUnderWay':
      return unavailable('Another request with this Idempotency-Key is still being carried out. Try again.');
    case 'TooManyFollowers':
      return unavailable('Too many streams are followed. Try again.', {
        'Retry-After': String(error.secondsToWait),
      });
    case 'RevisionAhead':
      return invalid(
        `Last-Event-ID is ${String(error.after)}, but the last event of the book has the id ${String(error.revision)}.`,
      );
    case 'FeedPlaceUnknown':
      return invalid(
        'There is no such event: the store was restored from a backup that is older than it. Read the events again ' +
          'from one that you know to be older, or from the beginning.',
      );
    case 'ReadSideBehind':
      return unavailable('The read side is behind. Try again.');
    case 'Overloaded':
      return unavailable('Too many large requests at once. Try again.', CLOSE);
    case 'TooManyConflicts':
      return unavailable('Too many others write to the same place. Try again.');
    case 'StoreReadsOnly':
      return error.why === 'full'
        ? answer(
            507,
            'insufficient-storage',
            'There is no room for more',
            'The store is full. Reads go on; writes do when there is room again.',
            { headers: FULL_RETRY_AFTER },
          )
        : unavailable('The store takes no writes for now. Reads go on.');
    case 'StoreUnavailable':
      return unavailable('A store does not answer. Try again.');
    case 'PriceBookExists':
    case 'StoreDamaged':
    case 'UndecodableEvent':
      return internal;
  }
};

/** The answer where the program itself is wrong. */
export const internalProblem = internal;
