import { expect } from 'chai';
import * as fc from 'fast-check';
import { didYouMean, inWords, sentenceOf } from './in-words';

describe('A value in words', () => {
  const values: readonly (readonly [unknown, string])[] = [
    ['12', '"12"'],
    ['', '""'],
    ['usd ', '"usd "'],
    [12.5, '12.5'],
    [-1e21, '-1e+21'],
    [NaN, 'NaN'],
    [1e400, 'a number as large as that'],
    [-1e400, 'a number as large as that'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'nothing'],
    [{}, 'an object'],
    [{ key: 'value' }, 'an object'],
    [[], 'an empty array'],
    [[1, [2], 3], 'an array of 3'],
    ['say "\\n"', '"say \\"\\\\n\\""'],
    ['a\tb\u0000\u001b[31m', '"a\\tb\\u0000\\u001b[31m"'],
    ['\u009b31m\u007f', '"\\u009b31m\\u007f"'],
    ['12\u00a0000', '"12\\u00a0000"'],
    ['a\u202eb\u2028\ufeff\u200d', '"a\\u202eb\\u2028\\ufeff\\u200d"'],
    ['\ud800', '"\\ud800"'],
    ['\u{e0041}', '"\\udb40\\udc41"'],
    ['größe 😀', '"größe 😀"'],
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
    [`${'x'.repeat(39)}😀`, `"${'x'.repeat(39)}…"`],
    ['"'.repeat(50), `"${'\\"'.repeat(40)}…"`],
  ];
  for (const [value, words] of values) {
    it(words, () => {
      expect(inWords(value)).to.equal(words);
    });
  }

  it('are few, on one line, and show each character', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((json): unknown => JSON.parse(json)),
          fc.string({ unit: 'binary' }),
        ),
        (value) => {
          expect(inWords(value)).to.match(/^[^\p{C}]{1,250}$/u);
        },
      ),
    );
  });

  it('are the text itself where that is short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        expect(JSON.parse(inWords(text))).to.equal(text);
      }),
    );
  });
});

describe('A question after the name that was meant', () => {
  const fields = [
    'type',
    'amount',
    'property',
    'values',
    'tiers',
    'firstUnit',
    'lastUnit',
    'unitPrice',
    'name',
  ];
  const near: readonly (readonly [string, string])[] = [
    ['nmae', 'name'],
    ['Name', 'name'],
    ['NAME', 'name'],
    ['nam', 'name'],
    ['names', 'name'],
    ['tpye', 'type'],
    ['unit_price', 'unitPrice'],
    ['unit price', 'unitPrice'],
    ['unitprice', 'unitPrice'],
    ['unitPirce', 'unitPrice'],
    ['price', 'unitPrice'],
    ['first', 'firstUnit'],
    ['firstUnits', 'firstUnit'],
    ['tier', 'tiers'],
    ['value', 'values'],
    ['ammount', 'amount'],
    ['propperti', 'property'],
    ['amountOfMoneyInTheCurrency', 'amount'],
  ];
  for (const [given, name] of near) {
    it(`${given} is near to ${name}`, () => {
      expect(didYouMean(given, fields)).to.equal(`; did you mean "${name}"?`);
    });
  }

  const far = [
    '',
    'n',
    'colour',
    'id',
    'ean',
    'toString',
    '__proto__',
    'unit',
    `${'x'.repeat(40)}name`,
    5,
    null,
    ['name'],
  ];
  for (const given of far) {
    it(`${JSON.stringify(given)} is near to none`, () => {
      expect(didYouMean(given, fields)).to.equal('');
    });
  }

  it('is after the nearest of several', () => {
    expect(didYouMean('lastUnti', ['firstUnit', 'lastUnits', 'lastUnit'])).to.equal(
      '; did you mean "lastUnit"?',
    );
    expect(didYouMean('unit_price', ['unitPirce', 'unitPrice'])).to.equal('; did you mean "unitPrice"?');
  });

  it('is not asked where there are no names', () => {
    expect(didYouMean('name', [])).to.equal('');
  });
});

describe('A fault as a sentence', () => {
  it('ends as it has to', () => {
    expect(sentenceOf('The name', '"x" is none')).to.equal('The name: "x" is none.');
    expect(sentenceOf('The name', 'is empty')).to.equal('The name is empty.');
    expect(sentenceOf('The name', 'is "x"; did you mean "y"?')).to.equal(
      'The name is "x"; did you mean "y"?',
    );
  });
});
