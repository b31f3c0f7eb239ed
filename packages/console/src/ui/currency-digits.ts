/**
 * Digits after the point where ISO 4217, by which the service rounds, has others than browsers, whose data (CLDR) says
 * how many people write.
 */
export const CURRENCY_DIGITS: Readonly<Record<string, number>> = {
  AFN: 2,
  ALL: 2,
  COP: 2,
  HUF: 2,
  IDR: 2,
  IQD: 3,
  IRR: 2,
  KPW: 2,
  LAK: 2,
  LBP: 2,
  MGA: 2,
  MMK: 2,
  PKR: 2,
  SOS: 2,
  SYP: 2,
  YER: 2,
};
