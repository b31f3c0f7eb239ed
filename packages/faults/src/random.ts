/** Random choices that follow from a seed, so that a campaign can be run again. */
export interface Random {
  /** A whole number from 0 up to, not including, another one. */
  readonly below: (end: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <A>(list: readonly [A, ...(readonly A[])]) => A;
  readonly shuffle: <A>(list: readonly A[]) => readonly A[];
  /** Choices of their own, for what runs beside others. */
  readonly fork: () => Random;
}

const GOLDEN = 0x9e3779b9;

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  /** From 0 up to 1: splitmix32. */
  const next = (): number => {
    state = (state + GOLDEN) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)] ?? list[0],
    shuffle: (list) => {
      const left = [...list];
      return list.flatMap(() => left.splice(below(left.length), 1));
    },
    fork: () => createRandom(below(2 ** 32)),
  };
};
