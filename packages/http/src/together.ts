/**
 * Carries out together what comes in one turn of the event loop. By itself Node hands on each request as soon as it is
 * read, and goes through all of its answer before it reads the next: for each one, the code of the system, of Node and
 * of the service take each other's place in the caches of the processor. Handed on together, requests go through each
 * stage one after the other, since their promises are settled in turns: under load that more than doubles what a
 * process can answer (docs/speed.md). A request that comes alone waits for nothing but the end of its turn.
 */

/** @param handle called with each of what is handed on, in its order; it must not throw. */
export const createTogether = <A>(handle: (item: A) => void): ((item: A) => void) => {
  const waiting: A[] = [];

  const handleWaiting = (): void => {
    waiting.splice(0).forEach(handle);
  };

  return (item) => {
    if (waiting.length === 0) setImmediate(handleWaiting);
    waiting.push(item);
  };
};
