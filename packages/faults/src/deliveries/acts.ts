/** What can happen to deliveries, at random. */
import type { Random } from '../random';

/** How a projector's step ends. */
type Ending =
  | 'whole'
  /** Nothing of it was applied. */
  | 'before'
  /** A part of it was, up to the middle of an event. */
  | 'middle'
  /** All of it was, and the checkpoint was not saved. */
  | 'after';

export type Act =
  /** One of two projectors goes on from where it was. */
  | { readonly _tag: 'Step'; readonly who: 0 | 1; readonly take: number; readonly ending: Ending }
  /** Both do at the same time. */
  | { readonly _tag: 'Both'; readonly take: readonly [number, number] }
  /**
   * Events in any order and some of them twice: applied before, or too early. Each whole, or all their changes
   * shuffled.
   */
  | { readonly _tag: 'Deliver'; readonly events: readonly number[]; readonly isShuffled: boolean }
  | { readonly _tag: 'Restart' };

const ENDINGS = ['whole', 'whole', 'whole', 'before', 'middle', 'after'] as const;
const MOST_ACTS = 12;
const MOST_TAKEN = 10;

/** @param events how many there are. */
export const randomActs = (random: Random, events: number): readonly Act[] => {
  const take = (): number => 1 + random.below(MOST_TAKEN);
  const one = (): Act => {
    const kind = random.below(10);
    if (kind < 5)
      return { _tag: 'Step', who: random.pick([0, 1]), take: take(), ending: random.pick(ENDINGS) };
    if (kind < 8) {
      return {
        _tag: 'Deliver',
        events: Array.from({ length: take() }, () => random.below(events)),
        isShuffled: random.chance(0.3),
      };
    }
    if (kind === 8) return { _tag: 'Both', take: [take(), take()] };
    return { _tag: 'Restart' };
  };
  return Array.from({ length: 1 + random.below(MOST_ACTS) }, one);
};
