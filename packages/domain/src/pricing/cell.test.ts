import { expect } from 'chai';
import { instant } from '../testing/reading';
import type { Cell } from './cell';
import { cellAfter } from './dated';

const stamp = (revision: number) => ({ revision, occurredAt: instant(revision), actor: 'tester' });
const override = (amount: number) => ({ type: 'override', amount }) as const;
const percent = (amount: number) => ({ type: 'percent', amount }) as const;
const removal = { type: 'null', amount: null } as const;

/** The cell after these adjustments, at the revisions 0, 1, 2 and so on. */
const after = (...adjustments: readonly Parameters<typeof cellAfter>[1][]): Cell | undefined =>
  adjustments.reduce<Cell | undefined>(
    (cell, adjustment, revision) => cellAfter(cell, adjustment, stamp(revision)),
    undefined,
  );

describe('A cell', () => {
  it('holds an absolute adjustment alone: it drops the percent before it', () => {
    expect(after(percent(5), override(1))).to.deep.equal({
      absolute: { adjustment: override(1), ...stamp(1) },
    });
    expect(after(override(1), percent(5), override(2))).to.deep.equal({
      absolute: { adjustment: override(2), ...stamp(2) },
    });
  });

  it('holds the latest percent beside the absolute adjustment before it', () => {
    expect(after(override(1), percent(5), percent(6))).to.deep.equal({
      absolute: { adjustment: override(1), ...stamp(0) },
      relative: { adjustment: percent(6), ...stamp(2) },
    });
  });

  it('holds a removal until a price is set after it', () => {
    expect(after(override(1), percent(5), removal)).to.deep.equal({ removed: stamp(2) });
    expect(after(percent(5), removal)).to.deep.equal({ removed: stamp(1) });
    expect(after(percent(5), removal, percent(6))).to.deep.equal({
      relative: { adjustment: percent(6), ...stamp(2) },
      removed: stamp(1),
    });
    expect(after(percent(5), removal, override(1))).to.deep.equal({
      absolute: { adjustment: override(1), ...stamp(2) },
    });
  });

  it('stays as it is when nothing is removed', () => {
    expect(after(removal)).to.equal(undefined);
    expect(after(override(1), removal, removal)).to.deep.equal({ removed: stamp(1) });
  });
});
