/** How amounts, times and names are shown. */
import { CURRENCY_DIGITS } from './currency-digits';

const amounts = new Map<string, Intl.NumberFormat>();

/** An amount with the digits of its currency; a finer one shows all of its own. */
export const amountText = (amount: number, currency: string): string => {
  const known = amounts.get(currency);
  if (known !== undefined) return known.format(amount);
  const digits = CURRENCY_DIGITS[currency];
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    ...(digits !== undefined && { minimumFractionDigits: digits }),
    maximumFractionDigits: 20,
  });
  amounts.set(currency, format);
  return format.format(amount);
};

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the zone of the reader; in UTC where the pointer rests on it. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={`${at.replace('T', ' ').replace(/(\.\d+)?Z$/, '')} UTC`}>
    {times.format(new Date(at))}
  </time>
);

interface DatesProps {
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** When something holds, to stand after what it is: nothing where it has no dates. */
export const Dates = ({ validFrom, validUntil }: DatesProps) => (
  <>
    {validFrom !== undefined && (
      <>
        {' '}
        from <Time at={validFrom} />
      </>
    )}
    {validUntil !== undefined && (
      <>
        {' '}
        until <Time at={validUntil} />
      </>
    )}
  </>
);

/** What a client named: any text, which must not change the text around it. */
export const Name = ({ children }: { readonly children: string }) => <bdi class="name">{children}</bdi>;

/** A change of an amount, with its sign. */
export const changeText = (amount: number, currency: string): string =>
  `${amount > 0 ? '+' : ''}${amountText(amount, currency)}`;

/** Such as "1 row" and "50,000 rows". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

export const percentText = (percent: number): string =>
  new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 20 }).format(percent) +
  ' %';
