/** Rows of a price sheet in a few words, for people who compare them. */
import type { SheetCells } from '@pricebook/domain';
import { amountText, changeText, percentText } from '../../ui/text';

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dateText = (cell: string): string => dates.format(new Date(cell));

const saidOf = ({ type, amount, currency, property }: SheetCells, rows: number): string => {
  const size = `${String(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  switch (type) {
    case 'override':
      return amountText(Number(amount), currency);
    case 'percent':
      return percentText(Number(amount));
    case 'fixedAmount':
      return changeText(Number(amount), currency);
    case 'null':
      return 'no price';
    case 'enum':
    case 'range':
      return `${type} by ${property}, ${size}`;
    default:
      return `${type}, ${size}`;
  }
};

const adjustmentInWords = (rows: readonly SheetCells[]): string => {
  const [first] = rows;
  if (first === undefined) return '';
  const { validFrom, validUntil, roundTo, ending } = first;
  return [
    saidOf(first, rows.length),
    roundTo === '' ? '' : `to ${roundTo}${ending === '' ? '' : ` + ${ending}`}`,
    validFrom === '' ? '' : `from ${dateText(validFrom)}`,
    validUntil === '' ? '' : `until ${dateText(validUntil)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

/** @param adjustments each as its rows. */
export const cellInWords = (adjustments: Iterable<readonly SheetCells[]>): string =>
  [...adjustments].map(adjustmentInWords).join(', ') || '–';
