import * as currencies from 'dinero.js/currencies';
import * as E from 'fp-ts/Either';
import { type JsonCodec, refine, text } from './codecs/codecs';
import { asking, inWords } from './codecs/in-words';

/** An ISO 4217 code in upper case, of a currency that has a minor unit. */
export type Currency = string & { readonly Currency: unique symbol };

/**
 * Digits after the decimal point, by code. From the data of dinero.js, which follows the amendments of
 * ISO 4217 and leaves out codes without a minor unit (XAU, XDR, XXX). The ariary and the ouguiya have fifths
 * as subunits, which the package gives as base 5, exponent 1; ISO 4217 lists both with two digits.
 */
const minorUnitDigits: ReadonlyMap<string, number> = new Map(
  Object.entries(currencies)
    // As CommonJS imports an ES module, all of it stands there once more as `default`.
    .filter(([name]) => name !== 'default')
    .map(([, { code, base, exponent }]) => [code, base === 10 ? exponent : 2]),
);

/** All accepted codes, in the order of the alphabet. */
export const currencyCodes: readonly Currency[] = [...minorUnitDigits.keys()].sort() as Currency[];

/** What people write for currencies, and codes that others have taken the place of. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    USD: ['$', 'US', 'US$', 'DOLLAR', 'DOLLARS'],
    EUR: ['€', 'EU', 'EURO', 'EUROS', 'HRK'],
    GBP: ['£', 'UK', 'STG', 'POUND', 'POUNDS'],
    JPY: ['¥', 'YEN'],
    CNY: ['RMB', 'YUAN'],
    TWD: ['NTD'],
    ILS: ['NIS'],
    CHF: ['SFR', 'FR'],
    INR: ['₹', 'RUPEE'],
    CAD: ['CAN'],
    AUD: ['AUS'],
    SLE: ['SLL'],
    ZWG: ['ZWL'],
  }).flatMap(([code, names]) => names.map((name) => [name, code] as const)),
);

/** The code that may have been meant: another name of it; the one in the text; one with two neighbours exchanged. */
const meantBy = (text: string): string | undefined => {
  const upper = text.trim().toUpperCase();
  const other = otherNames.get(upper);
  if (other !== undefined || upper.length !== 3) return other;
  const [a = '', b = '', c = ''] = upper;
  return [upper, b + a + c, a + c + b].find((code) => minorUnitDigits.has(code));
};

const noCurrency = (text: string): string => {
  const meant = meantBy(text);
  const more = meant === undefined ? ', such as USD' : asking(meant);
  return `${inWords(text)} is not an ISO 4217 code of a currency with a minor unit${more}`;
};

/** Any letter case in, upper case out. */
export const currencyCodec: JsonCodec<Currency> = refine(
  'Currency',
  text('Currency', { min: 0, max: 256 }),
  (code) => {
    if (minorUnitDigits.has(code)) return E.right(code as Currency);
    // Only the letters of ASCII: others, such as the long s, have some of them as their upper case.
    const upper = /^[A-Za-z]{3}$/.test(code) ? code.toUpperCase() : code;
    return minorUnitDigits.has(upper) ? E.right(upper as Currency) : E.left(() => noCurrency(code));
  },
  {
    pattern: '^[A-Za-z]{3}$',
    description:
      'An ISO 4217 code of a currency that has a minor unit. Any letter case is understood; answers have upper case.',
    examples: ['USD'],
  },
);

/** The digits after the decimal point of the currency's minor unit by ISO 4217: JPY 0, USD 2, BHD 3. */
export const minorUnitOf = (currency: Currency): number => {
  const digits = minorUnitDigits.get(currency);
  // A Currency is only made by the codec above: anything else is a mistake in the caller's types.
  if (digits === undefined) throw new TypeError(`${currency} is not a Currency`);
  return digits;
};
