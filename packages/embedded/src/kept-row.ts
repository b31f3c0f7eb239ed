import type { HistoryRow } from '@pricebook/application';
import {
  type AbsoluteAdjustment,
  type Cell,
  type RelativeAdjustment,
  stampOf,
  type Standing,
} from '@pricebook/domain';

/**
 * A history row as it is kept. Its key names the currency, and its cell mostly says all the rest: what was asked,
 * when and by whom is written beside it only where it does not, as in rows of removals.
 */
export type KeptRow = Pick<HistoryRow, 'cell'> & Partial<Pick<HistoryRow, 'stamp' | 'adjustment'>>;

/** What was set last in a cell: a relative adjustment is always newer than the absolute one beside it. */
const lastSetIn = (cell: Cell | undefined): Standing<RelativeAdjustment | AbsoluteAdjustment> | undefined =>
  cell?.relative ?? cell?.absolute;

export const toKeptRow = ({ stamp, adjustment, cell }: HistoryRow): KeptRow => {
  const last = lastSetIn(cell);
  const isSaid = last?.revision === stamp.revision && last.adjustment === adjustment;
  if (cell !== undefined && isSaid) return { cell };
  return {
    stamp,
    ...(adjustment !== undefined && { adjustment }),
    ...(cell !== undefined && { cell }),
  };
};

/** @throws where it says neither when it was nor who asked. */
export const fromKeptRow = (currency: HistoryRow['currency'], kept: KeptRow): HistoryRow => {
  const { stamp, adjustment, cell } = kept;
  if (stamp !== undefined) return { currency, ...kept, stamp };
  const last = lastSetIn(cell);
  if (last === undefined) throw new Error('A history row says neither when it was nor who asked.');
  return {
    currency,
    stamp: stampOf(last),
    adjustment: adjustment ?? last.adjustment,
    ...(cell !== undefined && { cell }),
  };
};
