import { setTimeout as delay } from 'node:timers/promises';

/** Waits for something; no longer, and without a word, than a time. */
export const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const isOver = new AbortController();
  const tooLong = delay(ms, undefined, { signal: isOver.signal }).catch(() => undefined);
  await Promise.race([work, tooLong]).finally(() => {
    isOver.abort();
  });
};
