/** Told to stop: Ctrl-C, or SIGTERM from a supervisor. */

/**
 * For so long another signal is the same one: a terminal sends Ctrl-C to all processes of the group, and npm, which is
 * one of them, passes it on.
 */
const SAME_STOP_MS = 1_000;

/** Calls `stop` at the first signal. One that comes later ends the process at once. */
export const onStopSignal = (stop: () => void): void => {
  let stoppedAt: number | undefined;
  const take = (): void => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop();
    } else if (performance.now() - stoppedAt > SAME_STOP_MS) {
      process.kill(process.pid, 'SIGKILL');
    }
  };
  process.on('SIGINT', take);
  process.on('SIGTERM', take);
};

/** Aborted by the first signal. */
export const stopSignal = (): AbortSignal => {
  const stopping = new AbortController();
  onStopSignal(() => {
    stopping.abort();
  });
  return stopping.signal;
};
