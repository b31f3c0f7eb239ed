/** Carries acts out on a read model; what a projector then does has to put everything right. */
import type { Position, ReadModel, ReadModelChange, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { Random } from '../random';
import type { Act } from './acts';
import type { UnderTest } from './adapters';

/** An event, and what it changes. */
export interface Delivered {
  readonly position: Position;
  readonly changes: readonly ReadModelChange[];
}

/** A step that is cut off after so many writes has mostly not come to its end. */
const MOST_WRITES = 8;

/** Before the first event. */
const START = 0n;

const changesIn = (events: readonly Delivered[]): readonly ReadModelChange[] =>
  events.flatMap(({ changes }) => changes);

const orThrow = <A>(result: E.Either<StoreError, A>): A => {
  if (E.isRight(result)) return result.right;
  throw new Error(`the read model fails: ${JSON.stringify(result.left)}`);
};

export const deliver = async (
  { readModel, restart, cutAfter }: Pick<UnderTest, 'readModel' | 'restart' | 'cutAfter'>,
  events: readonly Delivered[],
  acts: readonly Act[],
  random: Random,
): Promise<void> => {
  const checkpoint = async (): Promise<Position> => orThrow(await readModel().checkpoint()()) ?? START;
  const apply = async (changes: readonly ReadModelChange[], position: Position): Promise<void> => {
    orThrow(await (readModel() as Pick<ReadModel, 'apply'>).apply(changes, position)());
  };

  /** Where each projector is: the event that comes next. */
  const next: [number, number] = [0, 0];

  const resume = async (who: 0 | 1): Promise<void> => {
    const reached = await checkpoint();
    const found = events.findIndex(({ position }) => position > reached);
    next[who] = found === -1 ? events.length : found;
  };

  const takeNext = (who: 0 | 1, take: number) => {
    const batch = events.slice(next[who], next[who] + take);
    return { batch, last: batch.at(-1)?.position };
  };

  const stepWhole = async (who: 0 | 1, take: number): Promise<void> => {
    const { batch, last } = takeNext(who, take);
    if (last === undefined) return;
    next[who] += batch.length;
    await apply(changesIn(batch), last);
  };

  /** One of two that rewrite the same document may be refused, and then begins again where the read model is. */
  const stepBesideOther = async (who: 0 | 1, take: number): Promise<void> => {
    const { batch, last } = takeNext(who, take);
    if (last === undefined) return;
    const applied = await readModel().apply(changesIn(batch), last)();
    if (E.isRight(applied)) next[who] += batch.length;
    else await resume(who);
  };

  const changesOfAct = (act: Act & { readonly _tag: 'Deliver' }): readonly ReadModelChange[] => {
    const changes = changesIn(act.events.flatMap((place) => events[place] ?? []));
    if (!act.isShuffled) return changes;
    // What a book holds for all products comes after something of the book, as in its event.
    const [ofBooks, ofHolders] = [
      changes.filter(({ _tag }) => _tag === 'PriceBookChange'),
      changes.filter(({ _tag }) => _tag === 'HoldingsChange'),
    ];
    return [...random.shuffle(ofBooks), ...random.shuffle(ofHolders)];
  };

  const carryOut = async (act: Act): Promise<void> => {
    switch (act._tag) {
      case 'Restart':
        return restart();
      case 'Deliver':
        return apply(changesOfAct(act), await checkpoint());
      case 'Both':
        await Promise.all([stepBesideOther(0, act.take[0]), stepBesideOther(1, act.take[1])]);
        return;
      case 'Step': {
        const { who, take, ending } = act;
        if (ending === 'whole') return stepWhole(who, take);
        const { batch, last } = takeNext(who, take);
        const changes = changesIn(batch);
        if (ending === 'middle' && cutAfter !== undefined && last !== undefined) {
          const goOn = cutAfter(random.below(MOST_WRITES));
          await readModel().apply(changes, last)().finally(goOn);
          return resume(who);
        }
        const applied = { before: 0, middle: random.below(changes.length + 1), after: changes.length }[
          ending
        ];
        if (applied > 0) await apply(changes.slice(0, applied), await checkpoint());
        return resume(who);
      }
    }
  };

  for (const act of acts) await carryOut(act);
};
