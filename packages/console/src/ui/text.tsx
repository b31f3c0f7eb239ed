/** How amounts, times and names are shown. */

const amounts = new Map<string, Intl.NumberFormat>();

/** An amount with the digits of its currency; a finer one shows all of its own. */
export const amountText = (amount: number, currency: string): string => {
  const known = amounts.get(currency);
  if (known !== undefined) return known.format(amount);
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 20 });
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

/** What a client named: any text, which must not change the text around it. */
export const Name = ({ children }: { readonly children: string }) => <bdi class="name">{children}</bdi>;

export const percentText = (percent: number): string =>
  new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 20 }).format(percent) +
  ' %';
