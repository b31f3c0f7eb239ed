import { amountText, changeText, percentText } from '../../ui/text';
import type { Adjustment } from './draft';

const SHOWN_ROWS = 6;

const listed = <A>(rows: readonly A[], text: (row: A) => string): string =>
  rows.slice(0, SHOWN_ROWS).map(text).join(', ') +
  (rows.length > SHOWN_ROWS ? ` and ${String(rows.length - SHOWN_ROWS)} more` : '');

interface UnitRow {
  readonly firstUnit: number;
  readonly lastUnit?: number | null;
  readonly unitPrice: number;
}

const datesText = ({ validFrom, validUntil }: Adjustment): string => {
  const text = (at: string) =>
    new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    (validFrom === undefined ? '' : ` from ${text(validFrom)}`) +
    (validUntil === undefined ? '' : ` until ${text(validUntil)}`)
  );
};

const undatedText = (adjustment: Adjustment, currency: string): string => {
  const amount = (number: number) => amountText(number, currency);
  const units = (rows: readonly UnitRow[]) =>
    listed(
      rows,
      ({ firstUnit, lastUnit, unitPrice }) =>
        `${String(firstUnit)}${typeof lastUnit === 'number' ? `–${String(lastUnit)}` : ' and more'}: ${amount(unitPrice)}`,
    );
  switch (adjustment.type) {
    case 'override':
      return amount(adjustment.amount);
    case 'percent':
      return percentText(adjustment.amount);
    case 'fixedAmount':
      return changeText(adjustment.amount, currency);
    case 'enum':
      return `by ${adjustment.property} (${listed(adjustment.values, ({ value, unitPrice }) => `${value}: ${amount(unitPrice)}`)})`;
    case 'range':
      return `by ${adjustment.property} (${units(adjustment.values)})`;
    case 'volume':
      return `volume tiers (${units(adjustment.tiers)})`;
    case 'graduated':
      return `graduated tiers (${units(adjustment.tiers)})`;
    case 'null':
      return 'removed';
  }
};

/** What an adjustment says, on a line: it may hold what clients named. */
export const adjustmentText = (adjustment: Adjustment, currency: string): string =>
  undatedText(adjustment, currency) + datesText(adjustment);
