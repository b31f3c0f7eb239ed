/** The bound on what is dated: the one rule about a command that has to know prices. */
import {
  cellAfter,
  type Crowded,
  type Currency,
  isDated,
  listed,
  MAX_DATED,
  type OneOrMore,
  plannedAt,
  type PriceBookId,
  type RequestedAdjustment,
  type SetPrices,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { CellOf, ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { ALL_PRODUCTS, type Holder } from '../projection/changes';

/** What a command asks for a holder in a currency. */
interface Asked extends CellOf {
  readonly asked: OneOrMore<RequestedAdjustment>;
}

/** What of a command adds something dated: mostly nothing. */
export const datedIn = (command: SetPrices): readonly Asked[] => {
  const found: Asked[] = [];
  const look = (holder: Holder, adjustments: Readonly<Partial<Record<Currency, Asked['asked']>>>): void => {
    for (const currency of Object.keys(adjustments) as Currency[]) {
      const asked = adjustments[currency];
      if (asked === undefined) continue;
      const addsDated = listed(asked).some(
        (adjustment) => adjustment.type !== 'cancel' && isDated(adjustment),
      );
      if (addsDated) found.push({ holder, currency, asked });
    }
  };
  if (command._tag !== 'AdjustAllProducts') {
    for (const { productId, adjustments } of command.items) look(productId, adjustments);
  }
  if (command._tag !== 'SetProductPrices') {
    look(ALL_PRODUCTS, command._tag === 'AdjustAllProducts' ? command.adjustments : command.allProducts);
  }
  return found;
};

/**
 * The first of what is asked that leaves its holder with more that is dated than the bound, by what the read side
 * knows. Writers at the same instant do not see each other: together they may pass the bound by what they add.
 *
 * @param now ISO 8601, UTC.
 */
export const findCrowded =
  (
    readModel: Pick<ReadModel, 'findCells'>,
    priceBookId: PriceBookId,
    dated: readonly Asked[],
    now: string,
  ): TaskEither<StoreError, Crowded | undefined> =>
  async () => {
    const cells = await readModel.findCells(priceBookId, dated)();
    if (E.isLeft(cells)) return cells;
    const crowded = dated.find(({ asked }, index) => {
      const after = cellAfter(cells.right[index], asked, { revision: 0, occurredAt: now, actor: '' });
      return after !== undefined && plannedAt(after, now).length > MAX_DATED;
    });
    return E.right(crowded && { holder: crowded.holder, currency: crowded.currency });
  };
