/** What the page of each problem says (design section 2). A problem of problem.ts without a text does not compile. */
import type { Currency, PriceBookId, ProductId } from '@pricebook/domain';
import type { ApiError } from './api-error';

/** `Code` in backquotes is shown as code. */
export interface ProblemText {
  /** What has happened, a paragraph each. */
  readonly meaning: readonly string[];
  /** What can be done about it, a point each. */
  readonly whatToDo: readonly string[];
  /** Errors that have it as their answer, as examples. */
  readonly examples: readonly [ApiError, ...ApiError[]];
}

const RETRY =
  'Wait as many seconds as the header `Retry-After` says, then send the same request again; wait longer each time that it fails.';
const LOOK_FIRST =
  'After a write, look whether it was done before you send it again: what got lost may have been the answer of a store, not the write. One with an `Idempotency-Key` can just be sent again.';
const TELL_OPERATOR = 'Give the `requestId` to the operator of the service: the log has the reason under it.';

const BOOK = '01a1fcf9-f7af-76ce-a6a1-d11b0487fa60' as PriceBookId;
const PRODUCT = 'lamp' as ProductId;
const USD = 'USD' as Currency;

export const PROBLEM_TEXTS = {
  'invalid-request': {
    meaning: [
      'Something in the body, the path or the query breaks a rule of the operation, or the request is not HTTP that can be read. Nothing was changed.',
      'For a body, `errors` lists every fault at once, at most 50: `pointer` is a JSON Pointer to the place, and `""` is the body itself; in CSV `line` and `column` name the place. A body that is not JSON is told of that alone.',
      'The status is 408 where the request did not come in time, and 431 where its line and headers are too long.',
    ],
    whatToDo: [
      'Correct what `detail` and `errors` name. The same request would be refused again.',
      'Fields and query parameters that an operation does not know are refused: `detail` says which ones it knows, and what may have been meant.',
    ],
    examples: [
      {
        _tag: 'InvalidBody',
        faults: [
          { pointer: '/name', detail: 'must be a text, not 5' },
          {
            pointer: '/descripton',
            detail:
              'is not a known field; known are: name, description, basePriceBookId; did you mean "description"?',
          },
        ],
      },
      { _tag: 'ParameterMissing', name: 'region', allowed: ['EU', 'US'] },
    ],
  },
  unauthorized: {
    meaning: [
      'The request has no API key, or one that is not valid: it was never issued, has a typing error, has expired or was revoked.',
    ],
    whatToDo: [
      'Send a key in the header `x-api-key` with every request under `/v1`.',
      'Check that the key came through whole. A key begins with `pbk_` and has 51 characters.',
      'A key that is lost or has expired cannot be had again: ask for a new one.',
    ],
    examples: [{ _tag: 'Unauthorized' }],
  },
  forbidden: {
    meaning: [
      'The key is valid, but its scope does not include this operation. `read` may read, `write` may also change books and prices, `admin` may also manage keys.',
    ],
    whatToDo: ['Use a key of the scope that `detail` names, or ask for one.'],
    examples: [{ _tag: 'Forbidden', scope: 'write' }],
  },
  'no-such-route': {
    meaning: ['No operation has this path. What the request asked for was not looked at.'],
    whatToDo: [
      'Compare the path with the description of the API. Paths are case-sensitive, begin with `/v1` and take no slash at the end.',
      'Percent-encode product ids: `a/b` is `a%2Fb` in a path.',
    ],
    examples: [{ _tag: 'NoSuchRoute', isSlashTooMany: false, hasDocs: true }],
  },
  'method-not-allowed': {
    meaning: ['The path is right, but it does not take this method.'],
    whatToDo: ['Use one of the methods that the header `Allow` names.'],
    examples: [{ _tag: 'MethodNotAllowed', allow: 'POST, HEAD, GET' }],
  },
  'not-acceptable': {
    meaning: ['The header `Accept` leaves out all types that the operation answers with.'],
    whatToDo: ['Leave `Accept` away, or let it take a type that `detail` names.'],
    examples: [{ _tag: 'NotAcceptable', offered: ['application/json'] }],
  },
  'price-book-not-found': {
    meaning: [
      'No price book has the id in the path: there has never been one, or it was deleted. An id that cannot be one is answered in the same way.',
    ],
    whatToDo: [
      'Compare the id with those that List Price Books answers.',
      'The history of a deleted book and its prices at an earlier time can still be read, and the book can be restored.',
    ],
    examples: [{ _tag: 'PriceBookNotFound' }],
  },
  'no-price': {
    meaning: [
      'The book is there, but does not say what the product costs in this currency: neither it nor its bases have a list price, or no row of the price table is for the value that was asked for, or there is no price at the time `at`. It does not mean that the product is free: then the price is 0.',
      'For a price by context, no selection rule matches, or no book of those that match has a list price.',
    ],
    whatToDo: [
      'For a price by context, ask with `explain=true`: `triedRules` says of each selection rule why it did not answer.',
      'Check the product id, which is compared exactly, and the currency. Where `detail` names a time, the price may have been set after it.',
      'Where `detail` names rows, ask for a value that one of them is for.',
      'Set a list price: a percent alone changes a price and makes none.',
    ],
    examples: [
      { _tag: 'NoListPrice' },
      { _tag: 'NoPriceByContext', isAnyMatching: false },
      { _tag: 'NoMatchingRow', name: 'quantity', value: '250', rows: ['1 to 9', '10 to 100'] },
      { _tag: 'NoListPriceThen', productId: PRODUCT, currency: USD, at: '2026-11-01T00:00:00.000Z' },
    ],
  },
  'api-key-not-found': {
    meaning: ['No key has this id, or it was revoked already.'],
    whatToDo: [
      'Compare the id with those that List API Keys answers. It is the 8 characters after `pbk_`, not the whole key.',
    ],
    examples: [{ _tag: 'ApiKeyNotFound' }],
  },
  'price-book-in-use': {
    meaning: [
      'The price book cannot be deleted while others have it as their base: they would be left without prices. Nothing was changed.',
    ],
    whatToDo: ['Delete the books that `detail` names first; it names at most 20.'],
    examples: [{ _tag: 'PriceBookInUse', derivedPriceBookIds: [BOOK] }],
  },
  'price-book-not-deleted': {
    meaning: ['Only a deleted price book can be restored, and this one is there. Nothing was changed.'],
    whatToDo: ['Read the book. Its history shows who restored it, and when, if it was deleted before.'],
    examples: [{ _tag: 'PriceBookNotDeleted' }],
  },
  'base-price-book-deleted': {
    meaning: [
      'The price book cannot be restored while its base is deleted: it would have no list prices. Nothing was changed.',
    ],
    whatToDo: ['Restore the book that `detail` names first.'],
    examples: [{ _tag: 'BasePriceBookDeleted', basePriceBookId: BOOK }],
  },
  'price-book-key-taken': {
    meaning: ['Another price book has the key, and no two can have the same. Nothing was changed.'],
    whatToDo: [
      'Read the other book with the key in the path, as `key={key}`: it may be the one that you were about to create.',
      'Give the book another key; or take the key from the other one first, with `{"key": null}`, or delete that book.',
      'Where the other book is only being given the key, and does not get it, the key is free after half a minute.',
    ],
    examples: [
      { _tag: 'PriceBookKeyTaken', key: 'retail-eu', priceBookId: BOOK, isPending: false },
      { _tag: 'PriceBookKeyTaken', key: 'retail-eu', priceBookId: BOOK, isPending: true },
    ],
  },
  'too-many-dated-adjustments': {
    meaning: [
      'A product, or the book for all products, would have more planned and temporary adjustments in a currency than it can: those that are still to begin or end are counted. Nothing was changed.',
      'Clone Price Book with `flattenBase` is refused alike where the book and its bases plan more than 100 beginnings and ends in a currency for all products: each product would have them all.',
    ],
    whatToDo: [
      'Cancel dated adjustments that are no longer needed, with `{"type": "cancel"}` and their dates; List Product Prices has them under `dated`.',
      'Give an adjustment the same dates as one that is there: it replaces that one.',
      'Plan less far ahead. What has ended is no longer counted.',
      'Clone the book without `flattenBase`.',
    ],
    examples: [{ _tag: 'TooManyDatedAdjustments', holder: PRODUCT, currency: USD, max: 1_000 }],
  },
  'last-admin-key': {
    meaning: [
      'The key is the last one of the scope `admin`. Without it nobody could create keys, so it was not revoked.',
    ],
    whatToDo: ['Create another key of the scope `admin`, and revoke this one with it.'],
    examples: [{ _tag: 'LastAdminKey' }],
  },
  'selection-rule-not-found': {
    meaning: ['No selection rule has this id: it was deleted, or never created.'],
    whatToDo: ['List the selection rules to see which ones there are.'],
    examples: [{ _tag: 'SelectionRuleNotFound' }],
  },
  'too-many-selection-rules': {
    meaning: ['There are as many selection rules as there may be. No rule was created.'],
    whatToDo: [
      'Delete rules that are no longer needed.',
      'Join rules that choose the same book: a condition with the operator `in` takes many values.',
    ],
    examples: [{ _tag: 'TooManySelectionRules', max: 1_000 }],
  },
  'webhook-not-found': {
    meaning: ['No webhook has this id: it was deleted, or never created.'],
    whatToDo: ['List the webhooks to see which ones there are.'],
    examples: [{ _tag: 'WebhookNotFound' }],
  },
  'dead-letter-not-found': {
    meaning: [
      'The webhook has no dead letter with this id. It may have been delivered since. Or its event is gone, as after a restore from an older backup.',
    ],
    whatToDo: ['List the dead letters of the webhook to see which ones there are.'],
    examples: [{ _tag: 'DeadLetterNotFound' }],
  },
  'too-many-webhooks': {
    meaning: ['There are as many webhooks as there may be. No webhook was created.'],
    whatToDo: [
      'Delete webhooks that are no longer needed.',
      'Have one receiver hand on what several systems need, or have them read the feed of events.',
    ],
    examples: [{ _tag: 'TooManyWebhooks', max: 100 }],
  },
  'webhooks-not-configured': {
    meaning: ['The service was started without the key that the secrets of webhooks are derived from.'],
    whatToDo: [
      'Ask the operator of the service to set `PRICEBOOK_WEBHOOK_KEY`, the same on all instances, and to start it again.',
    ],
    examples: [{ _tag: 'WebhooksNotConfigured' }],
  },
  'revision-mismatch': {
    meaning: [
      'The price book, or the selection rule, has changed since it was read: it is not at a revision that the header `If-Match` names. Nothing was changed, so the work of others is not lost.',
    ],
    whatToDo: [
      'Read it again, see whether your change still makes sense, and send it with the new `ETag` in `If-Match`.',
      'Leave `If-Match` away if the change is right whatever others have done.',
      'Send the `ETag` as you received it, such as `"7"`, `"7-gzip"` or `W/"7"`: the revision is what counts. A tag without quotes never matches.',
    ],
    examples: [{ _tag: 'RevisionMismatch', actual: 7 }],
  },
  'too-large': {
    meaning: [
      'The body, after any compression is undone, or the event that it would make, is larger than is taken. Nothing was changed, and the connection closes.',
    ],
    whatToDo: ['Send fewer products in each request. Each request is all or nothing by itself.'],
    examples: [{ _tag: 'BodyTooLarge', maxBytes: 1_048_576 }],
  },
  'uri-too-long': {
    meaning: ['Path and query together are longer than any request that makes sense.'],
    whatToDo: ['Shorten the query. For many prices in one request there is Quote, which takes a body.'],
    examples: [{ _tag: 'UriTooLong', maxCharacters: 8_192 }],
  },
  'unsupported-media-type': {
    meaning: ['The body has a type, a charset or an encoding that is not read here.'],
    whatToDo: [
      'Send the type that `detail` names, in UTF-8. Many clients send another type unless they are told.',
    ],
    examples: [
      {
        _tag: 'UnsupportedMediaType',
        detail: 'Send the body as Content-Type: application/json. It was sent as "text/plain".',
      },
    ],
  },
  'idempotency-key-reused': {
    meaning: [
      'Another request was done with this `Idempotency-Key` in the last 24 hours: one with another method, path, body or type of the body. So this one is not looked at any further. Nothing was changed.',
    ],
    whatToDo: [
      'Use a new key for each request, best a random UUID, and the same one only to send the very same request again.',
      'Send a retry byte for byte as it was first sent: a body that is put together anew may differ in the order of its fields.',
    ],
    examples: [{ _tag: 'IdempotencyKeyReused' }],
  },
  'too-many-requests': {
    meaning: [
      'The key has made more requests than it may in this time, or follows more streams than it may, or too many requests without a valid key have come from this address. The request was not carried out.',
    ],
    whatToDo: [
      RETRY,
      'Watch the header `RateLimit`, which says how many requests are left to the key.',
      'Ask for many prices in one request with Quote, which counts once.',
      'Follow a book once, and hand on what comes to those who need it.',
    ],
    examples: [
      { _tag: 'TooManyRequests', secondsToWait: 1, of: 'key' },
      { _tag: 'TooManyRequests', secondsToWait: 10, of: 'follower' },
    ],
  },
  internal: {
    meaning: [
      'The service failed. It is not the fault of the request, and the answer says nothing of the reason on purpose.',
    ],
    whatToDo: [TELL_OPERATOR, LOOK_FIRST],
    examples: [{ _tag: 'StoreDamaged', where: '', reason: '' }],
  },
  unavailable: {
    meaning: [
      'The service cannot answer at this moment: a store does not answer, the read side is behind, too many write to the same place, a request with the same `Idempotency-Key` is still being carried out, too much is asked at once, or too many follow books. It mostly passes by itself.',
    ],
    whatToDo: [RETRY, LOOK_FIRST, 'Operators see in `/health/ready` what is away.'],
    examples: [{ _tag: 'StoreUnavailable', reason: '' }, { _tag: 'ReadSideBehind' }],
  },
  'insufficient-storage': {
    meaning: [
      'The disk of the service is full. Writes wait until there is room; reads go on. The write was not done.',
    ],
    whatToDo: [
      'Tell the operator of the service to make room.',
      'Send the same request again later, after the seconds in `Retry-After` at the earliest.',
    ],
    examples: [{ _tag: 'StoreReadsOnly', why: 'full', reason: '' }],
  },
} satisfies Readonly<Record<string, ProblemText>>;

/** The last part of the type of a problem, and the name of its page. */
export type ProblemSlug = keyof typeof PROBLEM_TEXTS;
