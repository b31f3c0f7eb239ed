/** The price of one product in one currency. */
import {
  chainAt,
  type Currency,
  currentInstant,
  earlier,
  hasDated,
  type PriceBookId,
  type PriceError,
  type PriceParameters,
  type ProductId,
  type ResolvedPrice,
  resolvePrice,
  validUntilOf,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';

export interface PriceQuestion {
  readonly priceBookId: PriceBookId;
  readonly productId: ProductId;
  readonly currency: Currency;
  readonly parameters: PriceParameters;
  /** ISO 8601, UTC: the price as it was then, or as it is planned for then; absent for now. */
  readonly at?: string | undefined;
  /** ISO 8601, UTC, with `at`: the price as it was known then; absent for all that is known. */
  readonly knownAt?: string | undefined;
}

/** A price, and how long it holds. */
export interface CurrentPrice extends ResolvedPrice {
  /**
   * The next instant at which what is planned makes it another price; null where it stays as it is. Absent where
   * nothing that decides it is dated.
   */
  readonly validUntil?: string | null;
}

/** Where nothing is dated, the time is not looked at. */
export const readPrice =
  (
    readModel: Pick<ReadModel, 'findHoldings'>,
    clock: Clock,
    { priceBookId, productId, currency, parameters, at, knownAt }: PriceQuestion,
  ): TaskEither<StoreError | PriceError | { readonly _tag: 'PriceBookNotFound' }, CurrentPrice> =>
  async () => {
    // What was planned after an instant was not known at that instant.
    const found = await readModel.findHoldings(priceBookId, productId, currency, earlier(at, knownAt))();
    if (E.isLeft(found)) return found;
    const chain = found.right;
    if (chain === undefined) return E.left({ _tag: 'PriceBookNotFound' });
    if (!hasDated(chain)) return resolvePrice(chain, currency, parameters);
    const instant = at ?? currentInstant(chain, clock.now());
    const answer = resolvePrice(chainAt(chain, instant), currency, parameters);
    if (E.isLeft(answer)) return answer;
    const validUntil = validUntilOf(chain, currency, parameters, instant, answer) ?? null;
    return E.right({ ...answer.right, validUntil });
  };
