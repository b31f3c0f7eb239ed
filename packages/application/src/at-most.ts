/** Runs so many at once; the others wait, in the order in which they came. */
export type AtMost = <A>(work: () => Promise<A>) => Promise<A>;

export const createAtMost = (max: number): AtMost => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < max) running += 1;
    // Who ends hands its place on.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};
