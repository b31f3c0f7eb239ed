/** Runs work one after the other, in the order in which it came. */
export type InTurn = <A>(work: () => Promise<A>) => Promise<A>;

export const createTurns = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};
