/** The price of one product in one currency. */
import {
  type Cell,
  chainAt,
  type ChainHoldings,
  type Currency,
  currentInstant,
  earlier,
  explainPrice,
  hasDated,
  type PriceBookId,
  type PriceError,
  type PriceParameters,
  type PriceStep,
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

/** A price, how long it holds, and how it came about. */
export interface CurrentPrice extends ResolvedPrice {
  /** From the book that said a price to the book that was asked. */
  readonly steps: () => readonly PriceStep[];
  /**
   * The next instant at which what is planned makes it another price; null where it stays as it is. Absent where
   * nothing that decides it is dated.
   */
  readonly validUntil?: string | null;
}

export interface PriceBookNotFound {
  readonly _tag: 'PriceBookNotFound';
}

const notFound: E.Either<PriceBookNotFound, never> = E.left({ _tag: 'PriceBookNotFound' });

/** The time as of which the read model is asked: what was planned after an instant was not known at that instant. */
export const asOf = ({ at, knownAt }: Pick<PriceQuestion, 'at' | 'knownAt'>): string | undefined =>
  earlier(at, knownAt);

/**
 * The price that the holdings of a chain make, as the read model has found them.
 *
 * @param now ISO 8601, UTC; where nothing is dated, it is not asked for.
 */
export const priceIn = (
  chain: ChainHoldings<Cell> | undefined,
  { currency, parameters, at }: Pick<PriceQuestion, 'currency' | 'parameters' | 'at'>,
  now: () => string,
): E.Either<PriceError | PriceBookNotFound, CurrentPrice> => {
  if (chain === undefined) return notFound;
  const instant = hasDated(chain) ? (at ?? currentInstant(chain, now())) : undefined;
  const held = instant === undefined ? chain : chainAt(chain, instant);
  const answer = resolvePrice(held, currency, parameters);
  if (E.isLeft(answer)) return answer;
  const steps = () => explainPrice(held, currency, parameters);
  if (instant === undefined) return E.right({ ...answer.right, steps });
  const validUntil = validUntilOf(chain, currency, parameters, instant, answer) ?? null;
  return E.right({ ...answer.right, steps, validUntil });
};

export const readPrice =
  (
    readModel: Pick<ReadModel, 'findHoldings'>,
    clock: Clock,
    question: PriceQuestion,
  ): TaskEither<StoreError | PriceError | PriceBookNotFound, CurrentPrice> =>
  async () => {
    const { priceBookId, productId, currency } = question;
    const found = await readModel.findHoldings(priceBookId, productId, currency, asOf(question))();
    return E.isLeft(found) ? found : priceIn(found.right, question, clock.now);
  };
