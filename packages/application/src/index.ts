export {
  type ApiKeyCommandError,
  type ApiKeys,
  type ApiKeyView,
  createApiKeys,
  type IssuedApiKey,
  type OwnApiKey,
} from './api-keys/api-keys';
export { newApiKey } from './api-keys/api-key';
export { API_KEYS_STREAM, type Scope, SCOPES } from './api-keys/events';
export { issueFirstKey } from './api-keys/first-key';
export { followRegister, type RegisterFollower, type RegisterStatus } from './follow-register';
export { createKeyUseRecorder, latestOf } from './api-keys/key-use-recorder';
export { decodeKeyEvent } from './api-keys/kept-events';
export { createKeyring, type Keyring, type Principal } from './api-keys/keyring';
export { type ApiKeyRegister, createApiKeyRegister } from './api-keys/register';
export { issueApiKeyCodec, renameApiKeyCodec, scopeCodec } from './api-keys/requests';
export { hasLiveAdmin } from './api-keys/state';
export { BOOK_KEYS_PREFIX } from './book-keys/events';
export { decodeBookKeyEvent } from './book-keys/kept-events';
export type { BaseGone, BrokenChain, Difference, Finding, KeyShared } from './audit/differences';
export type { LiveReadModel, ScratchReadModel, Verified, VerifyError } from './audit/verification';
export { verify } from './audit/verify';
export { createSignal, type Signal } from './change-signal';
export {
  type ChainCheck,
  type ChainedEvent,
  type ChainFault,
  type ChainHead,
  createChainCheck,
  hashIn,
} from './hash-chain';
export { RESERVATIONS_PREFIX } from './idempotency/events';
export {
  type DoneRequest,
  type IdempotentRequest,
  laterRequest,
  rememberedName,
} from './idempotency/idempotent-request';
export { decodeReservation } from './idempotency/reservations';
export type { FollowedPage, Following } from './following/follow';
export type {
  FollowError,
  FollowingPriceBook,
  FollowPriceBook,
  FollowQuestion,
} from './following/follow-price-book';
export type { FeedEntry, FeedPage, FeedPlaceUnknown, FeedQuestion, Reached } from './queries/event-feed';
export type { Preview, PreviewedChange } from './commands/preview';
export type { Clock } from './ports/clock';
export type {
  AppendError,
  Appended,
  EventBatch,
  EventStore,
  ExpectedRevision,
  FeedPlace,
  NewEvent,
  Position,
  ReadOptions,
  RecordedEvent,
} from './ports/event-store';
export type { Ids } from './ports/ids';
export type { KeyUses, LastUses } from './ports/key-uses';
export type { ClaimToken, DeadLetter, WebhookProgress, WebhookProgressStore } from './ports/webhook-progress';
export { SEND_LIMIT_MS, type SendOutcome, type WebhookSender } from './ports/webhook-sender';
export type {
  AllProductsHoldings,
  BookHistory,
  BookOrder,
  BookPlace,
  BookSort,
  Boundary,
  BoundaryPlace,
  CellOf,
  ChainHistory,
  HoldingsQuestion,
  HoldingsSeries,
  Part,
  PriceBookView,
  ProductHoldings,
  ReadModel,
} from './ports/read-model';
export { OLDEST_FIRST } from './ports/read-model';
export {
  bookKey,
  byName,
  type CellEntry,
  type EntriesByName,
  type EntryKey,
  entryName,
  type KnownEntry,
  type PriceBookEntry,
  type ReadModelEntries,
  type ReadModelEntry,
  type RowEntry,
} from './ports/read-model-entries';
export {
  isStoreError,
  type StoreDamaged,
  type StoreError,
  type StoreReadsOnly,
  type StoreUnavailable,
} from './ports/store-error';
export {
  type BookPercents,
  type Caller,
  type CommandError,
  createPriceBooks,
  type NewClone,
  type NewPriceBook,
  type OnceError,
  type PriceBookOutcome,
  type PreviewOutcome,
  type PriceBooks,
  type QueryError,
  type WriteOutcome,
} from './price-books';
export {
  ALL_PRODUCTS,
  boundariesIn,
  changesOf,
  type Holder,
  type HoldingsChange,
  type PriceBookChange,
  type ReadModelChange,
  rememberedIn,
} from './projection/changes';
export {
  EVERY_CURRENCY,
  firstRowOf,
  type HistoryRow,
  type HoldingsDocument,
  type KeptRows,
  placeChange,
  type RowId,
} from './projection/holdings-document';
export {
  deletedViewOf,
  existsAt,
  foldPriceBook,
  isKnownAt,
  type PriceBookDocument,
  viewOf,
} from './projection/price-book-document';
export { INDEXED_SORTS, type IndexedSort, keyOf, placeValueOf } from './projection/price-book-places';
export { type Projector, type ProjectorStatus, startProjector } from './projection/projector';
export type { EffectivePricesPage, EffectivePricesQuestion } from './queries/effective-prices';
export type { PriceBooksPage } from './queries/price-book-list';
export type { OwnPricesPage, OwnPricesQuestion, ProductOwnPrices } from './queries/own-prices';
export {
  type HistoryEntry,
  type HistoryQuestion,
  readHistoryItems,
  type UnreadableEntry,
} from './queries/price-book-history';
export { replay, type ReplayedInto, type ReplayError, type ReplayProgress } from './projection/replay';
export { followReadSide, type ReadSide } from './projection/read-side';
export type { ProductBook, ProductInBook } from './queries/products';
export type { CurrentPrice, PriceQuestion } from './queries/price';
export type { PriceCause } from './queries/price-changes';
export type { PricePeriod } from './queries/price-timeline';
export type { UpcomingChange, UpcomingPage, UpcomingPlace, UpcomingQuestion } from './queries/upcoming';
export type { QuotedLine } from './queries/quote';
export { decodeRecorded, priceBookOf, STREAM_PREFIXES, type UndecodableEvent } from './recorded-event';
export type { KeptReadModel, NewReadModel, ReadModelStore } from './ports/read-model-store';
export { rebuild, type RebuildError, type Rebuilt } from './projection/rebuild';
export { checkReadiness, type Lag, type Readiness } from './readiness';
export type { RegisterCaller } from './register-writer';
export { SELECTION_RULES_STREAM } from './selection/events';
export { decodeSelectionRuleEvent, type DecodedRuleEvent } from './selection/kept-events';
export type { ChosenLine, ChosenPrice, ContextQuestion, NoRuleAnswers } from './selection/price-by-rules';
export { createSelectionRuleRegister, type SelectionRuleRegister } from './selection/register';
export {
  createSelectionRules,
  type SelectionRuleCommandError,
  type SelectionRuleQueryError,
  type SelectionRules,
} from './selection/selection-rules';
export type { SelectionRule } from './selection/state';
export type { StreamRegister } from './stream-register';
export { type Attempt, createSendOnce } from './webhooks/attempt';
export type { DeliveryNews } from './webhooks/deliver';
export { startDispatcher } from './webhooks/dispatcher';
export { WEBHOOKS_STREAM } from './webhooks/events';
export { decodeWebhookEvent } from './webhooks/kept-events';
export { createLocalClaims } from './webhooks/local-claims';
export { createWebhookRegister } from './webhooks/register';
export {
  createWebhookCodec,
  feedEventTypeCodec,
  updateWebhookCodec,
  webhookStatusCodec,
} from './webhooks/requests';
export { createWebhookSecrets } from './webhooks/secrets';
export type { Webhook } from './webhooks/state';
export type { DeadLetterNotFound } from './webhooks/messages';
export {
  createWebhooks,
  type WebhookCommandError,
  type Webhooks,
  type WebhookView,
  type WebhookWithSecret,
} from './webhooks/webhooks';
export { createAtMost } from './at-most';
export { createOneAtATime } from './one-at-a-time';
export { createWaitingTime } from './waiting-time';
