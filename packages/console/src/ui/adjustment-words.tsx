/** Adjustments in words: each kind is worded here, and nowhere else in the console. */
import type { Schemas } from '../api/client';
import { amountText, counted, Name, percentText, signedAmountText, Time, timeText } from './text';

export type AnyAdjustment = Schemas['RequestedAdjustment'];

/** Words, in which what clients named and times are kept apart from the text around them. */
export type Words = readonly (string | { readonly name: string } | { readonly at: string })[];

export const InWords = ({ words }: { readonly words: Words }) => (
  <>
    {words.map((part) => {
      if (typeof part === 'string') return part;
      return 'at' in part ? <Time at={part.at} /> : <Name>{part.name}</Name>;
    })}
  </>
);

/** The same where only text can be: isolates keep each name's direction to itself. */
export const textOf = (words: Words): string =>
  words
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'at' in part ? timeText(part.at) : `\u2068${part.name}\u2069`;
    })
    .join('');

export type TableRow = Schemas['EnumRow'] | Schemas['RangeRow'] | Schemas['Tier'];

interface Table {
  /** What the price depends on. */
  readonly property: string;
  readonly rows: readonly TableRow[];
  /** What a row is called. */
  readonly rowName: 'value' | 'range' | 'tier';
}

/** The table that an adjustment is, where it is one. */
export const tableOf = (adjustment: AnyAdjustment): Table | undefined => {
  switch (adjustment.type) {
    case 'enum':
      return { property: adjustment.property, rows: adjustment.values, rowName: 'value' };
    case 'range':
      return { property: adjustment.property, rows: adjustment.values, rowName: 'range' };
    case 'volume':
    case 'graduated':
      return { property: 'quantity', rows: adjustment.tiers, rowName: 'tier' };
    case 'override':
    case 'percent':
    case 'fixedAmount':
    case 'null':
    case 'cancel':
      return undefined;
  }
};

/** What a row of a table is for: a value, or units from the first to the last. */
export const rowWords = (row: TableRow): Words => {
  if ('value' in row) return [{ name: row.value }];
  const { firstUnit, lastUnit } = row;
  return typeof lastUnit === 'number'
    ? [`${firstUnit.toLocaleString()} to ${lastUnit.toLocaleString()}`]
    : [`${firstUnit.toLocaleString()} and more`];
};

/** A change, without how it is rounded. */
export const changeText = (change: Schemas['RelativeAdjustment'], currency: string): string =>
  change.type === 'percent' ? percentText(change.amount) : signedAmountText(change.amount, currency);

const roundingText = (
  { roundTo, ending }: { readonly roundTo?: number; readonly ending?: number },
  currency: string,
): string => {
  if (roundTo === undefined) return '';
  const plus = ending === undefined ? '' : ` plus ${amountText(ending, currency)}`;
  return ` (to multiples of ${amountText(roundTo, currency)}${plus})`;
};

const kindWords = (adjustment: AnyAdjustment, currency: string): Words => {
  switch (adjustment.type) {
    case 'override':
      return [amountText(adjustment.amount, currency)];
    case 'percent':
    case 'fixedAmount':
      return [changeText(adjustment, currency), roundingText(adjustment, currency)];
    case 'enum':
    case 'range':
      return ['prices by ', { name: adjustment.property }];
    case 'volume':
      return ['volume prices'];
    case 'graduated':
      return ['graduated prices'];
    case 'null':
      return ['removed'];
    case 'cancel':
      return ['cancelled: planned change'];
  }
};

/** So many rows of a table are said. */
const SAID_ROWS = 4;

/** @param isBrief for rows to be counted, where there is no room to say the first ones. */
export const adjustmentWords = (adjustment: AnyAdjustment, currency: string, isBrief = false): Words => {
  const words = kindWords(adjustment, currency);
  const table = tableOf(adjustment);
  if (table === undefined) return words;
  const { rows, rowName } = table;
  if (isBrief) return [...words, ` (${counted(rows.length, rowName)})`];
  const first = rows
    .slice(0, SAID_ROWS)
    .flatMap((row, place) => [
      place === 0 ? '' : ', ',
      ...rowWords(row),
      `: ${amountText(row.unitPrice, currency)}`,
    ]);
  const rest = rows.length - SAID_ROWS;
  return [...words, ' (', ...first, rest > 0 ? ` and ${rest.toLocaleString()} more)` : ')'];
};

type Bounds = Pick<AnyAdjustment, 'validFrom' | 'validUntil'>;

const datesWords = ({ validFrom, validUntil }: Bounds): Words => [
  ...(validFrom === undefined ? [] : [' from ', { at: validFrom }]),
  ...(validUntil === undefined ? [] : [' until ', { at: validUntil }]),
];

/** When something holds, to stand after what it is: nothing where it has no dates. */
export const Dates = (bounds: Bounds) => <InWords words={datesWords(bounds)} />;

/** With its dates, where it has some. */
export const datedWords = (adjustment: AnyAdjustment, currency: string): Words => [
  ...adjustmentWords(adjustment, currency),
  ...datesWords(adjustment),
];

/** The same as text. */
export const adjustmentText = (adjustment: AnyAdjustment, currency: string): string =>
  textOf(datedWords(adjustment, currency));
