/** Which selection rules match a context, and why each rule before the one that answers did not. */
import { givenFor, type PriceParameters } from '../adjustments/parameters';
import type { PriceBookId } from '../identifiers';
import { type Condition, holds } from './condition';
import type { RuleContent } from './rule';

/** Why a book that a matching rule names has no price to answer. */
export type BookOutcome = 'noListPrice' | 'priceBookNotFound';

/** A rule that was tried, and what came of it. */
export type TriedRule<R> =
  | { readonly rule: R; readonly outcome: 'answered' | BookOutcome }
  | {
      readonly rule: R;
      readonly outcome: 'conditionNotMet';
      /** The first one that does not hold, and what the context gives for its attribute. */
      readonly condition: Condition;
      readonly given: readonly string[];
    };

const unmetCondition = ({ conditions }: RuleContent, context: PriceParameters): Condition | undefined =>
  conditions.find((condition) => !holds(condition, context));

/** @param rules in the order in which they are tried, which is that of the matching ones as well. */
export function* matchingRules<R extends RuleContent>(
  rules: readonly R[],
  context: PriceParameters,
): Generator<R, undefined> {
  for (const rule of rules) if (unmetCondition(rule, context) === undefined) yield rule;
  return undefined;
}

/**
 * The rules that were tried, in order; the last one answered, unless none did.
 *
 * @param outcomes of the books that were asked and have no price.
 */
export const triedRules = <R extends RuleContent>(
  rules: readonly R[],
  context: PriceParameters,
  outcomes: ReadonlyMap<PriceBookId, BookOutcome>,
): readonly TriedRule<R>[] => {
  const tried: TriedRule<R>[] = [];
  for (const rule of rules) {
    const condition = unmetCondition(rule, context);
    if (condition !== undefined) {
      const given = givenFor(context, condition.attribute);
      tried.push({ rule, outcome: 'conditionNotMet', condition, given });
      continue;
    }
    const outcome = outcomes.get(rule.priceBookId) ?? 'answered';
    tried.push({ rule, outcome });
    if (outcome === 'answered') break;
  }
  return tried;
};
