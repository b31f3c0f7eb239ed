/** What only imports need: loaded with the first file. */

/** @returns undefined where it is out of reach, or not there any more since the service was updated. */
export const loadEngine = async () => {
  try {
    // All that is needed later comes now: after an update of the service it would be gone.
    const [{ checkFile }, { faultsInFile }] = await Promise.all([
      import('./check-file'),
      import('./faults-in-file'),
      import('./compare'),
    ]);
    return { checkFile, faultsInFile };
  } catch {
    return undefined;
  }
};
