import { expect } from 'chai';
import * as fc from 'fast-check';
import type { PriceParameters } from '../adjustments/parameters';
import type { PriceBookId } from '../identifiers';
import type { Condition, Operator } from './condition';
import { compareRules, type PlacedRule } from './rule';
import { type BookOutcome, matchingRules, triedRules } from './select';

const ATTRIBUTES = ['group', 'seats', 'quantity'];
const VALUES = ['gold', '1', '1.0', '2', '10', '1e1', '-3', '01', ' 2', ''];
const NUMBERS = ['1', '1.0', '2', '10', '1e1', '-3', '0.1'];
const BOOKS = ['book-1', 'book-2', 'book-3'].map((id) => id as PriceBookId);

const comparison: fc.Arbitrary<Condition> = fc.record({
  attribute: fc.constantFrom(...ATTRIBUTES),
  operator: fc.constantFrom<Operator>('gt', 'gte', 'lt', 'lte'),
  values: fc.constantFrom(...NUMBERS).map((value) => [value]),
});
const equality: fc.Arbitrary<Condition> = fc.constantFrom(...ATTRIBUTES).chain((attribute) =>
  fc.record({
    attribute: fc.constant(attribute),
    operator: fc.constantFrom<Operator>('eq', 'in'),
    values: fc.array(fc.constantFrom(...(attribute === 'quantity' ? NUMBERS : VALUES)), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
);

const someRules: fc.Arbitrary<readonly PlacedRule[]> = fc
  .array(
    fc.record({
      priority: fc.integer({ min: 0, max: 3 }),
      priceBookId: fc.constantFrom(...BOOKS),
      conditions: fc.array(fc.oneof(comparison, equality), { maxLength: 3 }),
    }),
    { maxLength: 8 },
  )
  .map((rules) => rules.map((rule, n) => ({ ...rule, name: `Rule ${String(n)}`, createdRevision: n })));

const someContext: fc.Arbitrary<PriceParameters> = fc
  .array(fc.tuple(fc.constantFrom(...ATTRIBUTES), fc.constantFrom(...VALUES)), { maxLength: 5 })
  .map((pairs) => {
    const context = new Map<string, string[]>();
    for (const [name, value] of pairs) context.set(name, [...(context.get(name) ?? []), value]);
    return context;
  });

const someOutcomes: fc.Arbitrary<ReadonlyMap<PriceBookId, BookOutcome>> = fc
  .array(
    fc.tuple(fc.constantFrom(...BOOKS), fc.constantFrom<BookOutcome>('noListPrice', 'priceBookNotFound')),
    { maxLength: 2 },
  )
  .map((pairs) => new Map(pairs));

/** Written once more, from the description of the API and not from the code. */
const naively = {
  number: (text: string): number | undefined => {
    try {
      const json: unknown = JSON.parse(text);
      return typeof json === 'number' && text.trim() === text ? json : undefined;
    } catch {
      return undefined;
    }
  },
  holds: ({ attribute, operator, values }: Condition, context: PriceParameters): boolean => {
    const given = context.get(attribute) ?? (attribute === 'quantity' ? ['1'] : []);
    for (const one of given) {
      const number = naively.number(one);
      for (const value of values) {
        const bound = naively.number(value);
        const areNumbers = number !== undefined && bound !== undefined;
        if (operator === 'eq' || operator === 'in') {
          if (attribute === 'quantity' ? areNumbers && number === bound : one === value) return true;
        } else if (areNumbers) {
          const isGreater = number > bound;
          const isSame = number === bound;
          const passing = {
            gt: isGreater,
            gte: isGreater || isSame,
            lt: !isGreater && !isSame,
            lte: !isGreater,
          };
          if (passing[operator]) return true;
        }
      }
    }
    return false;
  },
  /** Sorts by picking the best one again and again. */
  sorted: (rules: readonly PlacedRule[]): readonly PlacedRule[] => {
    const left = [...rules];
    const sorted: PlacedRule[] = [];
    while (left.length > 0) {
      const greatest = Math.max(...left.map(({ priority }) => priority));
      const best = left.filter(({ priority }) => priority === greatest);
      const first = Math.min(...best.map(({ createdRevision }) => createdRevision));
      const place = left.findIndex(({ createdRevision }) => createdRevision === first);
      sorted.push(...left.splice(place, 1));
    }
    return sorted;
  },
};

describe('Selection rules', () => {
  it('match and answer as a naive reading of the rules says', () => {
    fc.assert(
      fc.property(someRules, someContext, someOutcomes, (unsorted, context, outcomes) => {
        const rules = [...unsorted].sort(compareRules);
        expect(rules).to.deep.equal(naively.sorted(unsorted));
        const matching = rules.filter(({ conditions }) =>
          conditions.every((condition) => naively.holds(condition, context)),
        );
        expect([...matchingRules(rules, context)]).to.deep.equal(matching);

        const winner = matching.find(({ priceBookId }) => !outcomes.has(priceBookId));
        const tried = triedRules(rules, context, outcomes);
        expect(tried.filter(({ outcome }) => outcome === 'answered').map(({ rule }) => rule)).to.deep.equal(
          winner === undefined ? [] : [winner],
        );
        // Every rule down to the one that answers is named, in order.
        expect(tried.map(({ rule }) => rule)).to.deep.equal(
          winner === undefined ? rules : rules.slice(0, rules.indexOf(winner) + 1),
        );
        for (const one of tried) {
          if (one.outcome !== 'conditionNotMet') {
            expect(matching).to.include(one.rule);
            expect(one.outcome).to.equal(outcomes.get(one.rule.priceBookId) ?? 'answered');
            continue;
          }
          const place = one.rule.conditions.indexOf(one.condition);
          expect(
            one.rule.conditions.map((condition) => naively.holds(condition, context)).indexOf(false),
          ).to.equal(place);
          const { attribute } = one.condition;
          expect(one.given).to.deep.equal(context.get(attribute) ?? (attribute === 'quantity' ? ['1'] : []));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
