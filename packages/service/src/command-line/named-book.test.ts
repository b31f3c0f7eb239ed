import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { bookNamed } from './named-book';

const BOOKS = [
  { id: '01a20307-609c-7754-8a3a-1e7884d78686', name: 'Retail', key: 'shop_1' },
  { id: '01a20307-60b3-730e-bcd4-26df5b5bda11', name: 'Wholesale' },
  { id: '01a20400-60c7-7617-9cba-ef69e78e6fc8', name: 'Wholesale' },
];

const named = (words: string): string => E.toUnion(bookNamed(words, BOOKS));

describe('a price book named on the command line', () => {
  it('is named by its name or a beginning of its id, in any letter case', () => {
    for (const words of ['Retail', 'retail', '01a20307-609C', BOOKS[0]?.id ?? '']) {
      expect(named(words), words).to.equal(BOOKS[0]?.id);
    }
    expect(named('01a204')).to.equal(BOOKS[2]?.id);
  });

  it('is named by its key as it is, alone or as in paths', () => {
    for (const words of ['shop_1', 'key=shop_1']) expect(named(words), words).to.equal(BOOKS[0]?.id);
    for (const words of ['Shop_1', 'key=Retail', 'key=']) {
      expect(named(words), words).to.match(/^No price book has/);
    }
  });

  it('is the only one that the words name', () => {
    expect(named('wholesale').split('\n')).to.deep.equal([
      '"wholesale" names 2 price books. Name one by its id:',
      `  ${BOOKS[1]?.id ?? ''}  Wholesale`,
      `  ${BOOKS[2]?.id ?? ''}  Wholesale`,
    ]);
    expect(named('01a20307'))
      .to.include('names 2 price books')
      .and.not.to.include(BOOKS[2]?.id ?? '');
  });

  it('is never a part of a name, and never what an empty variable names', () => {
    for (const words of ['tail', 'Ret', '', '2']) expect(named(words), words).to.match(/^No price book has/);
    expect(E.toUnion(bookNamed('', BOOKS.slice(0, 1)))).to.match(/^No price book has/);
  });

  it('does nothing to the terminal', () => {
    expect(named('\u001b[31m')).not.to.include('\u001b');
  });
});
