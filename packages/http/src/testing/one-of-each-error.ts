import type { Currency, PriceBookId, ProductId } from '@pricebook/domain';
import type { ApiError } from '../api-error';

type OfTag<Tag extends ApiError['_tag']> = Extract<ApiError, { readonly _tag: Tag }>;

const BOOK = '01a1fced-c116-737b-90d3-d0ce7dc012dc' as PriceBookId;

/** Everything that the service can answer instead of a success. Without a new error this does not compile. */
export const ONE_OF_EACH_ERROR: { readonly [Tag in ApiError['_tag']]: OfTag<Tag> } = {
  ApiKeyNotFound: { _tag: 'ApiKeyNotFound' },
  AppendTooLarge: { _tag: 'AppendTooLarge', bytes: 2, maxBytes: 1 },
  BaseChainTooLong: { _tag: 'BaseChainTooLong', basePriceBookId: BOOK, max: 5 },
  BasePriceBookNotFound: { _tag: 'BasePriceBookNotFound', basePriceBookId: BOOK },
  BodyTooLarge: { _tag: 'BodyTooLarge', maxBytes: 1 },
  ExpiryInThePast: { _tag: 'ExpiryInThePast' },
  Forbidden: { _tag: 'Forbidden', scope: 'write' },
  IdempotencyKeyReused: { _tag: 'IdempotencyKeyReused' },
  InvalidBody: { _tag: 'InvalidBody', faults: [] },
  InvalidParameter: { _tag: 'InvalidParameter', detail: '' },
  LastAdminKey: { _tag: 'LastAdminKey' },
  MethodNotAllowed: { _tag: 'MethodNotAllowed', allow: 'GET' },
  NoListPrice: { _tag: 'NoListPrice' },
  NoListPriceThen: {
    _tag: 'NoListPriceThen',
    productId: 'P' as ProductId,
    currency: 'USD' as Currency,
    at: '2026-01-01T00:00:00.000Z',
  },
  NoMatchingRow: { _tag: 'NoMatchingRow', name: '', value: '', rows: [] },
  NoPriceBookId: { _tag: 'NoPriceBookId' },
  NoSuchRoute: { _tag: 'NoSuchRoute', isSlashTooMany: false, hasDocs: true },
  NotAcceptable: { _tag: 'NotAcceptable', offered: [] },
  Overloaded: { _tag: 'Overloaded' },
  ParameterMalformed: { _tag: 'ParameterMalformed', name: '', expected: '', given: '' },
  ParameterMissing: { _tag: 'ParameterMissing', name: '', allowed: [] },
  ParameterRepeated: { _tag: 'ParameterRepeated', name: '' },
  PriceBookExists: { _tag: 'PriceBookExists' },
  PriceBookInUse: { _tag: 'PriceBookInUse', derivedPriceBookIds: [BOOK] },
  PriceBookNotFound: { _tag: 'PriceBookNotFound' },
  ReadSideBehind: { _tag: 'ReadSideBehind' },
  RequestUnderWay: { _tag: 'RequestUnderWay' },
  FeedPlaceUnknown: { _tag: 'FeedPlaceUnknown' },
  RevisionAhead: { _tag: 'RevisionAhead', after: 2, revision: 1 },
  RevisionMismatch: { _tag: 'RevisionMismatch', actual: 1 },
  StoreDamaged: { _tag: 'StoreDamaged', where: '', reason: '' },
  StoreReadsOnly: { _tag: 'StoreReadsOnly', why: 'full', reason: '' },
  StoreUnavailable: { _tag: 'StoreUnavailable', reason: '' },
  TooManyConflicts: { _tag: 'TooManyConflicts' },
  TooManyDatedAdjustments: {
    _tag: 'TooManyDatedAdjustments',
    holder: 'P',
    currency: 'USD' as Currency,
    max: 1,
  },
  TooManyFollowers: { _tag: 'TooManyFollowers', secondsToWait: 1 },
  TooManyRequests: { _tag: 'TooManyRequests', secondsToWait: 1, of: 'key' },
  Unauthorized: { _tag: 'Unauthorized' },
  UndecodableEvent: { _tag: 'UndecodableEvent', stream: '', revision: 0, reason: '' },
  UnsupportedMediaType: { _tag: 'UnsupportedMediaType', detail: '' },
  UriTooLong: { _tag: 'UriTooLong', maxCharacters: 1 },
};
