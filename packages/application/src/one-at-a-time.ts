/** Runs work one after the other, in the order in which it came. */
export type OneAtATime = <A>(work: () => Promise<A>) => Promise<A>;

export const createOneAtATime = (): OneAtATime => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};

/**
 * Runs work of one name one after the other, in the order in which it came; that of different names does not wait for
 * each other.
 *
 * @param patienceMs how long work waits for its turn; after that it is not run.
 * @returns what the work gives; undefined where its turn did not come in time.
 */
export type InTurn = <A>(name: string, patienceMs: number, work: () => Promise<A>) => Promise<A | undefined>;

export const createInTurn = (): InTurn => {
  const lines = new Map<string, Promise<unknown>>();
  return (name, patienceMs, work) =>
    new Promise((resolve, reject) => {
      let isWaiting = true;
      const giveUp = setTimeout(() => {
        isWaiting = false;
        resolve(undefined);
      }, patienceMs);
      const takeTurn = async (): Promise<void> => {
        clearTimeout(giveUp);
        if (isWaiting) await Promise.resolve().then(work).then(resolve, reject);
      };
      const before = lines.get(name);
      const line = (before === undefined ? takeTurn() : before.then(takeTurn)).finally(() => {
        if (lines.get(name) === line) lines.delete(name);
      });
      lines.set(name, line);
    });
};
