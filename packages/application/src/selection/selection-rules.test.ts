import type {
  Currency,
  PriceBookId,
  PriceParameters,
  ProductId,
  QuoteLine,
  RuleContent,
} from '@pricebook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import type { EventStore } from '../ports/event-store';
import type { PriceBooks } from '../price-books';
import { newEvent, streamOf } from '../recorded-event';
import type { ChosenLine } from './price-by-rules';
import { createSelectionRuleRegister } from './register';
import { createSelectionRules, type SelectionRules } from './selection-rules';

const USD = 'USD' as Currency;
const bookId = (n: number) => `01890000-0000-7000-8000-00000000000${String(n)}` as PriceBookId;
const BOOKS = [1, 2, 3].map(bookId);
const caller = { actor: 'tester', requestId: 'r' };
const noContext: PriceParameters = new Map();

const content = (priceBookId: PriceBookId, others: Partial<RuleContent> = {}): RuleContent => ({
  name: 'A rule',
  priority: 1,
  priceBookId,
  conditions: [],
  ...others,
});

const answersOf = (amounts: (id: PriceBookId, productId: ProductId) => number | undefined) => {
  let lookUps = 0;
  const answer = (id: PriceBookId, productId: ProductId) => {
    const price = amounts(id, productId);
    return price === undefined
      ? E.left({ _tag: 'NoListPrice' as const })
      : E.right({ price, effectiveDate: '', steps: () => [] });
  };
  const priceBooks: Pick<PriceBooks, 'price' | 'quote'> = {
    price: ({ priceBookId, productId }) => {
      lookUps += 1;
      return TE.fromEither(answer(priceBookId, productId));
    },
    quote: (id, lines, keep) => {
      lookUps += 1;
      return TE.right(lines.map((line) => keep(line, answer(id, line.productId))));
    },
  };
  return { priceBooks, lookUps: () => lookUps };
};

const succeed = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};
const failWith = async (task: TE.TaskEither<{ readonly _tag: string }, unknown>): Promise<string> => {
  const result = await task();
  return E.isLeft(result) ? result.left._tag : 'it succeeded';
};

const storeWithBooks = async (occurredAt: string): Promise<EventStore> => {
  const eventStore = createInMemoryEventStore();
  for (const id of BOOKS) {
    const data = { name: 'A book', description: '', basePriceBookIds: [] };
    const place = { stream: streamOf(id), after: undefined, occurredAt, index: 0 };
    const made = newEvent({ type: 'PriceBookCreated', data }, place, { ...caller, commandId: v4() });
    await succeed(eventStore.append(place.stream, 'noStream', [made]));
  }
  return eventStore;
};

describe('The use cases of selection rules', () => {
  let eventStore: EventStore;
  let now: string;
  beforeEach(async () => {
    now = '2026-01-01T00:00:00.000Z';
    eventStore = await storeWithBooks(now);
  });

  const start = (priceBooks: Pick<PriceBooks, 'price' | 'quote'> = answersOf(() => 1).priceBooks) => {
    const register = createSelectionRuleRegister(eventStore);
    const rules = createSelectionRules({
      eventStore,
      register,
      priceBooks,
      clock: { now: () => now },
      ids: { newCommandId: v4 },
    });
    return { rules, look: register.look };
  };

  const ask = (rules: SelectionRules, at?: string, knownAt?: string) =>
    rules.price({ productId: 'P' as ProductId, currency: USD, parameters: noContext, at, knownAt });

  it('answer about a time with the rules of that time, and about the future with those of now', async () => {
    const { rules } = start();
    const times = ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'].map(
      (day) => `${day}T00:00:00.000Z`,
    );
    const [first = '', second = '', third = '', later = ''] = times;
    now = first;
    const { id } = await succeed(rules.create(content(bookId(1)), caller));
    now = second;
    await succeed(rules.replace(id, content(bookId(2)), caller));
    now = third;
    await succeed(rules.delete(id, caller));
    const bookAt = async (at?: string, knownAt?: string) => {
      const asked = await ask(rules, at, knownAt)();
      return E.isRight(asked) ? asked.right.rule.priceBookId : asked.left._tag;
    };
    expect(await bookAt('2026-01-31T23:59:59.999Z')).to.equal('NoRuleAnswers');
    expect(await bookAt(first)).to.equal(bookId(1));
    expect(await bookAt('2026-02-28T23:59:59.999Z')).to.equal(bookId(1));
    expect(await bookAt(second)).to.equal(bookId(2));
    expect(await bookAt(later, second)).to.equal(bookId(2));
    expect(await bookAt(later)).to.equal('NoRuleAnswers');
    expect(await bookAt()).to.equal('NoRuleAnswers');
    const history = await succeed(rules.history({ id, limit: 2 }));
    expect(history.events.map(({ occurredAt }) => occurredAt)).to.deep.equal([first, second]);
    expect(history.next).to.equal(2);
  });

  it('keep what two processes write at the same time, and each knows what the other wrote', async () => {
    const [one, other] = [start(), start()];
    const write = (rules: SelectionRules) => succeed(rules.create(content(bookId(1)), caller));
    await Promise.all([one, other, one, other].map(({ rules }) => write(rules)));
    expect(await succeed(one.rules.list)).to.have.length(4);
    expect(await succeed(other.rules.list)).to.deep.equal(await succeed(one.rules.list));
    const [rule] = await succeed(one.rules.list);
    if (rule === undefined) throw new Error('there are rules');
    const expectedRevisions = [rule.revision];
    const replaced = content(bookId(2));
    const tags = await Promise.all(
      [one, other].map(async ({ rules }) => {
        const done = await rules.replace(
          rule.id,
          { ...replaced, name: v4() },
          { ...caller, expectedRevisions },
        )();
        return E.isLeft(done) ? done.left._tag : 'done';
      }),
    );
    expect(tags.sort()).to.deep.equal(['SelectionRuleRevisionMismatch', 'done']);
  });

  it('are bounded, and name only books that exist', async () => {
    const { rules } = start();
    expect(await failWith(rules.create(content(bookId(9)), caller))).to.equal('RulePriceBookNotFound');
    for (let n = 0; n < 1_000; n += 1) await succeed(rules.create(content(bookId(1)), caller));
    expect(await failWith(rules.create(content(bookId(1)), caller))).to.equal('TooManySelectionRules');
  });

  it('answer nothing while an event cannot be read: any answer could be the wrong price', async () => {
    const { rules, look } = start();
    const { id } = await succeed(rules.create(content(bookId(1)), caller));
    const made = newEvent(
      { type: 'SelectionRuleDeleted', data: { id } },
      { stream: 'selectionRules', after: { revision: 0, hash: undefined }, occurredAt: now, index: 0 },
      { ...caller, commandId: v4() },
    );
    await succeed(eventStore.append('selectionRules', 0, [{ ...made, type: 'SelectionRulePainted' }]));
    await look();
    const tasks = [
      ask(rules),
      rules.quote([], () => 0),
      rules.list,
      rules.find(id),
      rules.create(content(bookId(1)), caller),
      rules.delete(id, caller),
    ];
    for (const task of tasks) expect(await failWith(task)).to.equal('UndecodableEvent');
  });

  it('look up once where the first matching book has the price, and ask no book twice', async () => {
    const { priceBooks, lookUps } = answersOf((id) => (id === bookId(2) ? 7 : undefined));
    const { rules } = start(priceBooks);
    await succeed(rules.create(content(bookId(2)), caller));
    expect((await succeed(ask(rules))).price.price).to.equal(7);
    expect(lookUps()).to.equal(1);
    for (const priority of [9, 8, 7]) await succeed(rules.create(content(bookId(1), { priority }), caller));
    expect((await succeed(ask(rules))).price.price).to.equal(7);
    expect(lookUps()).to.equal(3);
  });

  it('quote each line as its price alone is answered, in few look-ups', async () => {
    const value = fc.constantFrom('a', 'b');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ book: fc.constantFrom(...BOOKS), priority: fc.nat(3), group: value }), {
          maxLength: 6,
        }),
        fc.array(fc.tuple(fc.constantFrom('P', 'Q'), value), { minLength: 1, maxLength: 30 }),
        fc.uniqueArray(
          fc.tuple(fc.constantFrom(...BOOKS), fc.constantFrom('P', 'Q')).map((pair) => pair.join()),
        ),
        async (wanted, asked, priced) => {
          eventStore = await storeWithBooks(now);
          const { priceBooks, lookUps } = answersOf((id, productId) => {
            const place = priced.indexOf(`${id},${productId}`);
            return place === -1 ? undefined : place;
          });
          const { rules } = start(priceBooks);
          for (const { book, priority, group } of wanted) {
            const conditions = [{ attribute: 'group', operator: 'eq' as const, values: [group] }];
            await succeed(rules.create(content(book, { priority, conditions }), caller));
          }
          const lines = asked.map(([productId, group]): QuoteLine => ({
            productId: productId as ProductId,
            currency: USD,
            parameters: new Map([['group', [group]]]),
          }));
          const said = (answer: ChosenLine) =>
            E.isLeft(answer)
              ? [answer.left._tag]
              : [answer.right.price.price, answer.right.rule.id, answer.right.tried().length];
          const quoted = await succeed(rules.quote(lines, (line, answer) => [line, said(answer)]));
          const used = lookUps();
          for (const [place, line] of lines.entries()) {
            const alone = (await rules.price(line)()) as ChosenLine;
            expect(quoted[place]).to.deep.equal([line, said(alone)]);
          }
          // Two groups of lines, each of which goes through at most three books.
          expect(used).to.be.at.most(6);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('quote more lines than are looked at together', async () => {
    const { rules } = start(answersOf((_id, productId) => Number(productId)).priceBooks);
    await succeed(rules.create(content(bookId(1)), caller));
    const lines = Array.from({ length: 2_500 }, (_, n) => ({
      productId: String(n) as ProductId,
      currency: USD,
      parameters: noContext,
    }));
    const quoted = await succeed(
      rules.quote(lines, (_line, answer) => (E.isRight(answer) ? answer.right.price.price : undefined)),
    );
    expect(quoted).to.deep.equal(lines.map(({ productId }) => Number(productId)));
  });
});
