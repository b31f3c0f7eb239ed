/** How amounts, times and names are shown. */
import { CURRENCY_DIGITS } from './currency-digits';

/** By unit and sign, as they are slow to make. */
const formats = new Map<string, Intl.NumberFormat>();

/** With all of the number's own digits. */
const numberText = (
  number: number,
  /** A currency, or percent. */
  unit: string,
  signDisplay: 'auto' | 'exceptZero',
): string => {
  const name = `${unit} ${signDisplay}`;
  const digits = CURRENCY_DIGITS[unit];
  const format =
    formats.get(name) ??
    new Intl.NumberFormat(undefined, {
      ...(unit === 'percent' ? { style: 'unit', unit } : { style: 'currency', currency: unit }),
      ...(digits !== undefined && { minimumFractionDigits: digits }),
      signDisplay,
      maximumFractionDigits: 20,
    });
  formats.set(name, format);
  return format.format(number);
};

/** An amount with the digits of its currency; a finer one shows all of its own. */
export const amountText = (amount: number, currency: string): string => numberText(amount, currency, 'auto');

/** A change of an amount. */
export const signedAmountText = (amount: number, currency: string): string =>
  numberText(amount, currency, 'exceptZero');

/** A change in percent. */
export const percentText = (percent: number): string => numberText(percent, 'percent', 'exceptZero');

/** Such as "1 row" and "50,000 rows". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the zone of the reader. */
export const timeText = (at: string): string => times.format(new Date(at));

/** The same; in UTC where the pointer rests on it. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={`${at.replace('T', ' ').replace(/(\.\d+)?Z$/, '')} UTC`}>
    {timeText(at)}
  </time>
);

/** What a client named: any text, which must not change the text around it. */
export const Name = ({ children }: { readonly children: string }) => <bdi class="name">{children}</bdi>;
