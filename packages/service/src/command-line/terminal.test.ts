import { expect } from 'chai';
import * as fc from 'fast-check';
import { cutTo, printable } from './terminal';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('text for a terminal', () => {
  it('holds nothing that a terminal obeys, hides or turns round', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['\u001b[31mred', '\\u001b[31mred'],
      ['\u009b31m', '\\u009b31m'],
      ['a\nb\r\tc\u0007\u007f\u0085', 'a\\u000ab\\u000d\\u0009c\\u0007\\u007f\\u0085'],
      ['\u202edrowssap\u2066', '\\u202edrowssap\\u2066'],
      ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
      ['\u2028\u2029\ud800', '\\u2028\\u2029\\ud800'],
      ['Grüße 🎈 日本 👩\u200d🔧 می\u200cخواهم', 'Grüße 🎈 日本 👩\u200d🔧 می\u200cخواهم'],
      ['\u{e0001}', '\\udb40\\udc01'],
    ];
    for (const [text, expected] of cases) expect(printable(text)).to.equal(expected);
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (text) => {
        expect(printable(text)).not.to.match(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  it('leaves JSON the same JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText, { noNullPrototype: true }), (value) => {
        expect(JSON.parse(printable(JSON.stringify(value)))).to.deep.equal(value);
      }),
    );
  });

  it('is cut where it is too wide, between letters, with a sign that it is', () => {
    expect(cutTo('short', 5)).to.equal('short');
    expect(cutTo('longer', 5)).to.equal('long…');
    expect(cutTo('日本語', 6)).to.equal('日本語');
    expect(cutTo('日本語', 5)).to.equal('日本…');
    expect(cutTo('日本語', 4)).to.equal('日…');
    expect(cutTo('👩\u200d🔧👩\u200d🔧', 3)).to.equal('👩\u200d🔧…');
    expect(cutTo('e\u0301'.repeat(9), 9)).to.equal('e\u0301'.repeat(9));
    expect(cutTo('x'.repeat(1_000_000), 9)).to.equal('xxxxxxxx…');
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const cut = cutTo(text, columns);
        expect(cut === text || (cut.endsWith('…') && text.startsWith(cut.slice(0, -1)))).to.equal(true);
        expect(cutTo(cut, columns)).to.equal(cut);
      }),
    );
  });
});
