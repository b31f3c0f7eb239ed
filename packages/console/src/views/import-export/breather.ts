/** As long as the page may stand still: it draws and takes keys in between. */
const SLICE_MS = 12;

/** Long work in slices: the work calls this now and then, and the page gets its turn when a slice is over. */
export const createBreather = (): (() => Promise<void>) => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    began = performance.now();
  };
};
