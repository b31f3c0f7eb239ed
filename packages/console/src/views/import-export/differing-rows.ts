/** Which rows of a table an import changes, in words: long tables read the same. */
import type { Adjustment } from '@pricebook/domain';
import { type AnyAdjustment, rowWords, tableOf, textOf } from '../../ui/adjustment-words';
import { amountText, counted } from '../../ui/text';

/** The prices of a table by what its rows are for; none where an adjustment is no table. */
const pricesOf = (adjustment: Adjustment): ReadonlyMap<string, number> =>
  new Map(
    // The types of the API are the same, but for `readonly`.
    tableOf(adjustment as AnyAdjustment)?.rows.map((row) => [textOf(rowWords(row)), row.unitPrice]),
  );

/** What distinguishes an adjustment from the others of its product. */
const placeOf = ({ type, validFrom, validUntil }: Adjustment): string =>
  `${type} ${String(validFrom)} ${String(validUntil)}`;

const inWords = (before: Adjustment, after: Adjustment, currency: string): readonly string[] => {
  const [was, is] = [pricesOf(before), pricesOf(after)];
  const priceText = (price: number | undefined): string =>
    price === undefined ? '–' : amountText(price, currency);
  const rows = [...new Set([...was.keys(), ...is.keys()])];
  const differing = rows.filter((row) => was.get(row) !== is.get(row));
  const [first] = differing;
  if (first === undefined) return [];
  const many = `${differing.length.toLocaleString()} of ${counted(rows.length, 'row')}`;
  const change = `${first}: ${priceText(was.get(first))} → ${priceText(is.get(first))}`;
  return [differing.length === 1 ? `${many} differs, ${change}` : `${many} differ, first ${change}`];
};

/** @returns undefined where no table is there both before and after. */
export const differingRows = (
  before: readonly Adjustment[],
  after: readonly Adjustment[],
  currency: string,
): string | undefined => {
  const texts = after.flatMap((adjustment) => {
    const old = before.find((other) => placeOf(other) === placeOf(adjustment));
    return old === undefined ? [] : inWords(old, adjustment, currency);
  });
  return texts.length === 0 ? undefined : texts.join('; ');
};
