export { percentCodec } from './amounts';
export type {
  AbsoluteAdjustment,
  Adjustment,
  RelativeAdjustment,
  Removal,
  RequestedAdjustment,
  RequestedForAll,
} from './adjustments/adjustment';
export {
  absoluteAdjustmentCodec,
  adjustmentCodec,
  adjustmentInWords,
  isAbsolute,
  isRemoval,
  relativeAdjustmentCodec,
  requestedAdjustmentCodec,
  standingAdjustmentCodec,
} from './adjustments/adjustment';
export { word } from './adjustments/words';
export {
  type Adjustments,
  adjustmentsCodec,
  type AllProductsAdjustments,
  listed,
  type OneOrMore,
} from './adjustments/adjustments';
export { type Bounds, isDated } from './adjustments/bounds';
export type { EnumTableAdjustment } from './adjustments/enum-table';
export type { ChosenRow, RowChoice } from './adjustments/kind';
export type { NullAdjustment } from './adjustments/null';
export type { OverrideAdjustment } from './adjustments/override';
export type { GraduatedAdjustment } from './adjustments/graduated';
export type { FixedAmountAdjustment } from './adjustments/fixed-amount';
export { noParameters, type PriceParameters, readQuantity, type RowError } from './adjustments/parameters';
export type { PercentAdjustment } from './adjustments/percent';
export type { RangeTableAdjustment } from './adjustments/range-table';
export type { VolumeAdjustment } from './adjustments/volume';
export {
  assignedByService,
  boolean,
  described,
  exactly,
  isJsonObject,
  type JsonCodec,
  makeCodec,
  mapOf,
  numberBetween,
  oneOf,
  orNull,
  type Reader,
  record,
  refine,
  taggedBy,
  text,
  wholeNumber,
} from './codecs/codecs';
export { dateTimeCodec, noDateTime, readTime } from './codecs/date-time';
export { didYouMean, inWords, sentenceOf } from './codecs/in-words';
export type { Json, JsonSchema } from './codecs/json-schema';
export { boundedFaults, type Fault, faultsOf, MAX_FAULTS, pointerOf } from './codecs/faults';
export { listOf, someAndNoneTwice } from './codecs/lists';
export { currentVersions, type Upcaster, type Upcasters, upcast } from './codecs/upcasting';
export { type Currency, currencyCodec, currencyCodes, minorUnitOf } from './currency';
export { type PriceBookId, priceBookIdCodec, type ProductId, productIdCodec } from './identifiers';
export type {
  AdjustAllProducts,
  BaseBook,
  ClonePriceBook,
  CreatePriceBook,
  Crowded,
  DeletePriceBook,
  DeletePriceBookEntries,
  KeyRefusal,
  PriceBookCommand,
  ProductItem,
  RestorePriceBook,
  SetPrices,
  SetPriceSheet,
  SetProductPrices,
  UpdatePriceBook,
} from './price-book/commands';
export { decide, type DecisionError } from './price-book/decide';
export {
  type AllProductsAdjusted,
  type BookAtRevision,
  priceBookEventDataCodecs,
  type PriceBookCloned,
  type PriceBookCreated,
  type PriceBookDeleted,
  type PriceBookEntriesDeleted,
  type PriceBookEvent,
  type PriceBookRestored,
  type PriceBookUpdated,
  type ProductPricesSet,
} from './price-book/events';
export { type Metadata, metadataCodec, priceBookKeyCodec } from './price-book/details';
export { priceBookEventVersions, readKeptEvent } from './price-book/kept-events';
export {
  changeReasonCodec,
  clonePriceBookCodec,
  createPriceBookCodec,
  deleteEntriesCodec,
  nameCodec,
  restorePriceBookCodec,
  setProductPricesReader,
  updatePriceBookCodec,
} from './price-book/requests';
export { absent, evolve, type LastEvent, type PriceBookState } from './price-book/state';
export { otherFormatOf } from './csv/other-format';
export { type CsvFault, type CsvRecords, readRecords } from './csv/records';
export { createSheetRows } from './csv/sheet-rows';
export { CSV_HEAD, csvLine, csvLineOf } from './csv/write-csv';
export { passedRows } from './price-sheet/passed-rows';
export { type HolderPrices, readHolder } from './price-sheet/read-holder';
export { readSheet } from './price-sheet/read-sheet';
export {
  ALL,
  holderOf,
  SHEET_COLUMNS,
  type SheetCells,
  type SheetColumn,
  type SheetFault,
  type SheetRow,
} from './price-sheet/sheet';
export { holderRows, requestedRows } from './price-sheet/write-sheet';
export {
  type Cell,
  type Held,
  type Removed,
  sinceOf,
  type Stamp,
  stampOf,
  type Standing,
} from './pricing/cell';
export {
  clonedAdjustments,
  flattening,
  type ForAllProducts,
  MAX_FLATTENED,
  plannedForAll,
} from './pricing/cloned';
export { cellAfter, heldAt, MAX_DATED, plannedAt } from './pricing/dated';
export { earlier, later } from './pricing/instants';
export {
  type BookPercent,
  bookPercentsOf,
  type Cells,
  type OwnPrices,
  ownPricesOf,
} from './pricing/own-prices';
export { comparePrices, type PriceChange } from './pricing/compare-prices';
export { lineTotalOf, roundedTotal, type Total, totalsOf } from './pricing/line-total';
export { chainAt, currentInstant, hasDated, nextBoundary, validUntilOf } from './pricing/price-at';
export { quantityOf, type QuoteLine, quoteLinesCodec, repeatedFields } from './pricing/quote-lines';
export {
  type AppliedChange,
  type BookHoldings,
  type ChainHoldings,
  explainPrice,
  type PriceError,
  type PriceStep,
  type ResolvedPrice,
  resolvePrice,
} from './pricing/resolve-price';
export { type Condition, conditionCodec } from './selection/condition';
export { contextQuoteCodec, type ContextQuote } from './selection/context-quote';
export {
  compareRules,
  type PlacedRule,
  type RuleContent,
  ruleContentCodec,
  ruleFields,
} from './selection/rule';
export { type BookOutcome, matchingRules, type TriedRule, triedRules } from './selection/select';
