import { expect } from 'chai';
import * as fc from 'fast-check';
import { priceBookIdCodec, productIdCodec } from './identifiers';
import { faultsIn, product, read } from './testing/reading';

const isProduct = (id: unknown): boolean => faultsIn(productIdCodec, id).length === 0;
const isBook = (id: unknown): boolean => faultsIn(priceBookIdCodec, id).length === 0;

describe('A product id', () => {
  for (const id of [
    'a',
    'a/b',
    'SKU 1',
    ' ',
    'é',
    '😀',
    '...',
    '.a',
    'allx',
    'al',
    '%2F',
    '?',
    '#',
    '\\',
    '__proto__',
    '\u00a0',
  ]) {
    it(`may be ${JSON.stringify(id)}, which stays as it is`, () => {
      expect(product(id)).to.equal(id);
    });
  }

  for (const id of ['', 'all', 'ALL', 'All', 'aLL', '.', '..']) {
    it(`must not be ${JSON.stringify(id)}`, () => {
      expect(isProduct(id)).to.equal(false);
    });
  }

  it('has up to 256 characters, by code points', () => {
    expect(isProduct('x'.repeat(256))).to.equal(true);
    expect(isProduct('x'.repeat(257))).to.equal(false);
    expect(isProduct('😀'.repeat(256))).to.equal(true);
    expect(isProduct('😀'.repeat(257))).to.equal(false);
    expect(isProduct(`${'😀'.repeat(255)}x`)).to.equal(true);
    // Seven code points each, shown as one.
    expect(isProduct('👨‍👩‍👧‍👦'.repeat(36))).to.equal(true);
    expect(isProduct('👨‍👩‍👧‍👦'.repeat(37))).to.equal(false);
  });

  it('holds no control characters', () => {
    for (let unit = 0; unit <= 0xff; unit += 1) {
      const isControl = unit < 0x20 || (unit >= 0x7f && unit < 0xa0);
      expect(isProduct(`a${String.fromCharCode(unit)}b`), `U+00${unit.toString(16)}`).to.equal(!isControl);
    }
  });

  it('holds no half of a surrogate pair', () => {
    for (const id of ['\ud800', '\udfff', 'a\ud83d', '\ude00b', '\ude00\ud83d', '\ud83d\ud83d\ude00']) {
      expect(isProduct(id), JSON.stringify(id)).to.equal(false);
    }
  });

  it('is a text', () => {
    for (const value of [null, 5, {}, ['a'], true, undefined]) expect(isProduct(value)).to.equal(false);
  });

  it('is accepted exactly if the rules say so, whatever the text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({
        unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
        maxLength: 5,
      }),
      fc.mixedCase(fc.constantFrom('all', 'all ', 'alls')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
        const isFine = points.every(
          (point) =>
            point >= 0x20 && !(point >= 0x7f && point <= 0x9f) && !(point >= 0xd800 && point <= 0xdfff),
        );
        const isReserved = ['all', '.', '..'].includes(text.toLowerCase());
        expect(isProduct(text)).to.equal(points.length >= 1 && points.length <= 256 && isFine && !isReserved);
      }),
      { numRuns: 500 },
    );
  });
});

describe('A price book id', () => {
  const id = '019a9b3c-1d2e-7f30-8a4b-5c6d7e8f9a0b';

  it('is a UUID of version 7', () => {
    expect(isBook(id)).to.equal(true);
  });

  it('is read in any letter case and answered in lower case', () => {
    expect(read(priceBookIdCodec, id.toUpperCase())).to.equal(id);
  });

  const others: readonly (readonly [string, unknown])[] = [
    ['of version 4', '019a9b3c-1d2e-4f30-8a4b-5c6d7e8f9a0b'],
    ['of another variant', '019a9b3c-1d2e-7f30-ca4b-5c6d7e8f9a0b'],
    ['without hyphens', id.replaceAll('-', '')],
    ['in braces', `{${id}}`],
    ['with a line feed after it', `${id}\n`],
    ['with more after it', `${id}0`],
    ['with a letter that is no digit', '019a9b3c-1d2e-7f30-8a4b-5c6d7e8f9a0g'],
    ['of zeros', '00000000-0000-0000-0000-000000000000'],
    ['without a character', ''],
    ['of 10,000 characters', id.repeat(278)],
    ['that is a number', 7],
    ['that is null', null],
  ];
  for (const [title, value] of others) {
    it(`is none ${title}`, () => {
      expect(isBook(value)).to.equal(false);
    });
  }
});
