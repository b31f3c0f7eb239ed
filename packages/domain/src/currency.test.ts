import { expect } from 'chai';
import { currencyCodec, currencyCodes, minorUnitOf } from './currency';
import { currency, faultsIn } from './testing/reading';

const isAccepted = (code: unknown): boolean => faultsIn(currencyCodec, code).length === 0;

/** ISO 4217, all codes whose minor unit is not 2. */
const otherThanTwo: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

describe('Currencies', () => {
  it('have the minor units of ISO 4217', () => {
    const found = Object.fromEntries(
      currencyCodes.map((code) => [code, minorUnitOf(code)] as const).filter(([, digits]) => digits !== 2),
    );
    expect(found).to.deep.equal(otherThanTwo);
  });

  const digits: readonly (readonly [string, number])[] = [
    ['USD', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['BHD', 3],
    ['UYW', 4],
    ['HUF', 2],
    ['IDR', 2],
    ['IQD', 3],
    ['MGA', 2],
    ['MRU', 2],
    ['XCG', 2],
    ['ZWG', 2],
    ['SLE', 2],
    ['VED', 2],
  ];
  for (const [code, count] of digits) {
    it(`include ${code} with ${String(count)} digits`, () => {
      expect(minorUnitOf(currency(code))).to.equal(count);
    });
  }

  for (const code of ['XAU', 'XAG', 'XPD', 'XPT', 'XDR', 'XXX', 'XTS', 'XSU', 'XUA', 'XBA']) {
    it(`leave out ${code}, which has no minor unit`, () => {
      expect(isAccepted(code)).to.equal(false);
    });
  }

  it('leave out codes that ISO has withdrawn', () => {
    for (const code of ['DEM', 'HRK', 'ZWL', 'ANG', 'SLL', 'CUC', 'VEF', 'MRO']) {
      expect(isAccepted(code), code).to.equal(false);
    }
  });

  it('are read in any letter case and answered in upper case', () => {
    for (const code of ['usd', 'Usd', 'uSD', 'USD']) expect(currency(code)).to.equal('USD');
  });

  it('are no other text or value', () => {
    for (const value of [
      '',
      ' USD',
      'USD ',
      'US',
      'USDX',
      '840',
      'US\u0000',
      '$',
      '__proto__',
      null,
      840,
      ['USD'],
    ]) {
      expect(isAccepted(value), JSON.stringify(value)).to.equal(false);
    }
  });

  it('are not written with other letters that have the same upper case', () => {
    for (const code of ['u\u017fd', '\u0131qd', '\uff35SD']) expect(isAccepted(code), code).to.equal(false);
  });

  const detailOf = (code: unknown): string =>
    faultsIn(currencyCodec, code)
      .map(({ detail }) => detail)
      .join();

  it('refuse an unknown code by quoting it', () => {
    expect(detailOf('XAU')).to.equal(
      '"XAU" is not an ISO 4217 code of a currency with a minor unit, such as USD',
    );
    expect(detailOf('EURO')).to.equal(
      '"EURO" is not an ISO 4217 code of a currency with a minor unit; did you mean "EUR"?',
    );
  });

  const meant: readonly (readonly [string, string])[] = [
    ['usd ', '"USD"'],
    ['\u00a0Eur', '"EUR"'],
    ['US', '"USD"'],
    ['UDS', '"USD"'],
    ['SUD', '"USD"'],
    ['GPB', '"GBP"'],
    ['ZWL', '"ZWG"'],
    ['SLL', '"SLE"'],
    ['hrk', '"EUR"'],
    ['$', '"USD"'],
    ['us$', '"USD"'],
    ['Dollars', '"USD"'],
    ['€', '"EUR"'],
    [' Euros ', '"EUR"'],
    ['UK', '"GBP"'],
    ['rmb', '"CNY"'],
    ['SFr', '"CHF"'],
    ['₹', '"INR"'],
    ['AUS', '"AUD"'],
    ['yen', '"JPY"'],
  ];
  for (const [code, codes] of meant) {
    it(`ask after ${codes} where ${JSON.stringify(code)} is given`, () => {
      expect(detailOf(code)).to.match(new RegExp(`; did you mean ${codes}[?]$`));
    });
  }

  it('ask after nothing where nothing is near', () => {
    for (const code of [
      '',
      'U',
      'CU',
      'BYR',
      'MRO',
      'KR',
      'GBR',
      'XAU',
      'QQQ',
      '840',
      '__proto__',
      'x'.repeat(256),
    ]) {
      expect(detailOf(code), code).to.match(/, such as USD$/);
    }
  });

  it('are not asked after by names that are codes themselves', () => {
    for (const [code, codes] of meant) {
      expect(isAccepted(code), code).to.equal(false);
      expect(isAccepted(codes.slice(1, -1)), codes).to.equal(true);
    }
  });

  it('are listed in the order of the alphabet, each once', () => {
    expect(currencyCodes).to.deep.equal([...new Set(currencyCodes)].sort());
    expect(currencyCodes).to.have.length.above(150);
    for (const code of currencyCodes) expect(code).to.match(/^[A-Z]{3}$/);
  });
});
