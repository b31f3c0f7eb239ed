import { expect } from 'chai';
import { caseless } from './caseless';

/** Every character that has another form in upper or lower case. */
const cased = (): readonly string[] =>
  Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
    (one) => one.toLowerCase() !== one || one.toUpperCase() !== one,
  );

const expectAlike = (...texts: readonly string[]): void => {
  expect([...new Set(texts.map(caseless))], texts.join(' ')).to.have.length(1);
};

describe('Text in any letter case', () => {
  it('is alike in upper and in lower case, whatever the character', () => {
    const different = cased().filter((one) =>
      [one.toLowerCase(), one.toUpperCase(), caseless(one)].some((form) => caseless(form) !== caseless(one)),
    );
    expect(different).to.deep.equal([]);
    expect(cased()).to.have.length.above(2_500);
  });

  it('is alike where one letter has several forms', () => {
    expectAlike('Straße', 'STRASSE', 'STRAẞE', 'strasse');
    expectAlike('ΟΔΟΣ', 'οδος', 'οδοσ');
    expectAlike('K', 'k', '\u212a');
    expectAlike('ǆ', 'ǅ', 'Ǆ');
    expectAlike('Żółć', 'ŻÓŁĆ');
    expectAlike('Цена', 'ЦЕНА');
  });

  it('is alike whether accents are composed or on their own, and different without them', () => {
    expectAlike('Café', 'cafe\u0301', 'CAFÉ');
    expect(caseless('Café')).not.to.include(caseless('cafe'));
  });

  it('finds a part wherever it stands, also where a sigma has another form there', () => {
    expect(caseless('ΟΔΟΣΑ')).to.include(caseless('οδος'));
  });
});
