/** Rows of a price sheet in a few words, for people who compare them. */
import { readHolder, type SheetCells } from '@pricebook/domain';
import { adjustmentText, type AnyAdjustment } from '../../ui/adjustment-words';

/** @param rows all that a product, or all products, have in one currency. */
export const cellInWords = (rows: readonly SheetCells[], currency: string): string => {
  const [first, ...others] = rows.map((cells) => ({ line: 0, cells }));
  if (first === undefined) return '–';
  const read = readHolder([first, ...others]);
  // What a book has was accepted once: not all of it may be accepted now.
  const adjustments = read._tag === 'Right' ? Object.values(read.right).flatMap((some) => some ?? []) : [];
  return adjustments.length === 0
    ? [...new Set(rows.map(({ type }) => type))].join(', ')
    : // The types of the API are the same, but for `readonly`.
      adjustments.map((one) => adjustmentText(one as AnyAdjustment, currency)).join(', ');
};
