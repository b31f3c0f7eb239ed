/** Adjustments and causes as a person would say them. */
import type { Schemas } from '../../api/client';
import { amountText, counted, Name, percentText } from '../../ui/text';

export type AnyAdjustment = Schemas['RequestedAdjustment'];

/** A sentence, in which what clients named is kept apart from the text around it. */
export type Words = readonly (string | { readonly name: string })[];

export const InWords = ({ words }: { readonly words: Words }) => (
  <>{words.map((part) => (typeof part === 'string' ? part : <Name>{part.name}</Name>))}</>
);

/** The same where only text can be: isolates keep each name's direction to itself. */
export const textOf = (words: Words): string =>
  words.map((part) => (typeof part === 'string' ? part : `\u2068${part.name}\u2069`)).join('');

const signedAmount = (amount: number, currency: string): string =>
  `${amount < 0 ? '−' : '+'}${amountText(Math.abs(amount), currency)}`;

/** The difference that a step makes; binary fractions are not shown. */
export const differenceText = (from: number, to: number, currency: string): string =>
  from === to ? 'no change' : signedAmount(Number((to - from).toPrecision(12)), currency);

interface Rounding {
  readonly roundTo?: number;
  readonly ending?: number;
}

const roundingText = ({ roundTo, ending }: Rounding, currency: string): string => {
  if (roundTo === undefined) return '';
  const multiple = `, rounded to multiples of ${amountText(roundTo, currency)}`;
  return ending === undefined ? multiple : `${multiple} plus ${amountText(ending, currency)}`;
};

/** @param chosen the row of a table that gave a price. */
export const adjustmentWords = (
  adjustment: AnyAdjustment,
  currency: string,
  chosen?: Schemas['ChosenRow'],
): Words => {
  const choice: Words =
    chosen === undefined
      ? []
      : [', here for ', { name: chosen.property }, ' ', { name: String(chosen.value) }];
  switch (adjustment.type) {
    case 'override':
      return [amountText(adjustment.amount, currency)];
    case 'percent':
      return [percentText(adjustment.amount) + roundingText(adjustment, currency)];
    case 'fixedAmount':
      return [signedAmount(adjustment.amount, currency) + roundingText(adjustment, currency)];
    case 'enum':
      return [
        'a price for each ',
        { name: adjustment.property },
        ` (${counted(adjustment.values.length, 'value')})`,
        ...choice,
      ];
    case 'range':
      return [
        'prices by ',
        { name: adjustment.property },
        ` (${counted(adjustment.values.length, 'range')})`,
        ...choice,
      ];
    case 'volume':
      return [`volume prices (${counted(adjustment.tiers.length, 'tier')})`, ...choice];
    case 'graduated':
      return [`graduated prices (${counted(adjustment.tiers.length, 'tier')})`, ...choice];
    case 'null':
      return ['no price of its own'];
    case 'cancel':
      return ['a planned change is cancelled'];
  }
};

const SET: Readonly<Record<'begins' | 'ends' | 'set', string>> = {
  begins: 'Planned change begins: ',
  ends: 'Planned change ends: ',
  set: 'Set: ',
};

/** What began a period. */
export const causeWords = (cause: Schemas['PriceCause'], currency: string): Words => {
  const { type, adjustment, planned } = cause;
  const asked = adjustment === undefined ? ['by hand'] : adjustmentWords(adjustment, currency);
  switch (type) {
    case 'ProductPricesSet':
      return [SET[planned ?? 'set'], ...asked];
    case 'AllProductsAdjusted':
      return [SET[planned ?? 'set'], ...asked, ' for all products'];
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
