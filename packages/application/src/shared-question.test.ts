import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { createSharedQuestion } from './shared-question';

describe('a question that many ask', () => {
  /** Questions that are answered when the test says so. */
  const create = () => {
    const asked: ((answer: E.Either<string, number>) => void)[] = [];
    const ask = createSharedQuestion<string, number>(() => new Promise((resolve) => asked.push(resolve)));
    return { ask, asked };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('is begun at once, and the next one when it is answered, for all who have asked meanwhile', async () => {
    const { ask, asked } = create();
    const first = ask();
    const others = [ask(), ask(), ask()];
    expect(asked).to.have.length(1);
    asked[0]?.(E.right(1));
    expect(await first).to.deep.equal(E.right(1));
    await turn();
    expect(asked).to.have.length(2);
    const last = ask();
    asked[1]?.(E.right(2));
    expect(await Promise.all(others)).to.deep.equal([2, 2, 2].map(E.right));
    await turn();
    asked[2]?.(E.right(3));
    expect(await last).to.deep.equal(E.right(3));
    await turn();
    void ask();
    expect(asked).to.have.length(4);
  });

  it('that has no answer is not asked again for those who waited, only for those who ask then', async () => {
    const { ask, asked } = create();
    const answers = [ask(), ask()];
    asked[0]?.(E.left('silent'));
    expect(await Promise.all(answers)).to.deep.equal([E.left('silent'), E.left('silent')]);
    await turn();
    const again = [ask(), ask()];
    expect(asked).to.have.length(2);
    asked[1]?.(E.right(1));
    await turn();
    asked[2]?.(E.right(2));
    expect(await Promise.all(again)).to.deep.equal([E.right(1), E.right(2)]);
  });
});
