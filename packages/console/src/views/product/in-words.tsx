/** Differences and causes as a person would say them. */
import type { Schemas } from '../../api/client';
import { adjustmentWords, type AnyAdjustment, textOf, type Words } from '../../ui/adjustment-words';
import { signedAmountText } from '../../ui/text';

/** The difference that a step makes; binary fractions are not shown. */
export const differenceText = (from: number, to: number, currency: string): string =>
  from === to ? 'no change' : signedAmountText(Number((to - from).toPrecision(12)), currency);

/** The row of a table that gave a price. */
export const chosenWords = (chosen: Schemas['ChosenRow'] | undefined): Words =>
  chosen === undefined ? [] : [', here for ', { name: chosen.property }, ' ', { name: String(chosen.value) }];

const askedWords = (
  adjustment: AnyAdjustment,
  planned: Schemas['PlannedChange'] | undefined,
  currency: string,
): Words => {
  const words = adjustmentWords(adjustment, currency, true);
  if (planned !== undefined) return [`Planned change ${planned}: `, ...words];
  if (adjustment.type !== 'null' && adjustment.type !== 'cancel') return ['Set: ', ...words];
  // What takes something away is not set.
  const text = textOf(words);
  return [text.charAt(0).toUpperCase() + text.slice(1)];
};

/** What began a period. */
export const causeWords = (cause: Schemas['PriceCause'], currency: string): Words => {
  const { type, adjustment, planned } = cause;
  const asked = adjustment === undefined ? ['Set by hand'] : askedWords(adjustment, planned, currency);
  switch (type) {
    case 'ProductPricesSet':
      return asked;
    case 'AllProductsAdjusted':
      return [...asked, ' for all products'];
    case 'PriceBookEntriesDeleted':
      return ['The product was deleted from the book'];
    case 'PriceBookCreated':
      return ['The book was created on a base that had the price'];
    case 'PriceBookCloned':
      return ['The book was cloned from one that had the price'];
    case 'PriceBookDeleted':
      return ['The book was deleted'];
    case 'PriceBookRestored':
      return ['The book was restored'];
  }
};
