/** Wakes those who wait for something to change. */
export interface Signal {
  readonly raise: () => void;
  /** Settles when the signal is next raised, or when the wait is aborted. */
  readonly next: (signal: AbortSignal) => Promise<void>;
}

export const createSignal = (): Signal => {
  const waiting = new Set<() => void>();
  return {
    raise: () => {
      for (const wake of waiting) wake();
    },
    next: (signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        if (signal.aborted) wake();
      }),
  };
};
